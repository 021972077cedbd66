"""Creatures that learn with motors keep the contract of Gymnasium, and stand, walk and fall."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from creature_sim.errors import DefinitionError
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_world
from creature_sim.library.variants import with_twins
from creature_sim.replay import record, verify
from creature_sim.simulation import Simulation
from tests.envs.processes import outputs_of
from tests.scenes import scene

gymnasium = pytest.importorskip("gymnasium", reason="environments need the extra gym")

from creature_sim.envs import TwinEnv, TwinHerdEnv  # noqa: E402 - they need it

NAME = "creature_sim.envs:CreatureTwin-v0"


def still(env: TwinEnv) -> Any:
    return np.zeros(env.action_space.shape or 0, np.float32)


@pytest.mark.slow
@pytest.mark.parametrize("actions", ["joints", "offsets"])
def test_gymnasium_finds_nothing_to_say(actions: str) -> None:
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make(NAME, actions=actions, seconds=0.6)
    check_env(env.unwrapped, skip_render_check=True)  # warnings are errors here
    env.close()


@pytest.mark.slow
def test_without_actions_it_stands_as_it_does_at_rest() -> None:
    env = TwinEnv(seconds=1.5)
    try:
        first, _ = env.reset(seed=1)
        for number in range(15):
            seen, reward, terminated, truncated, info = env.step(still(env))
            assert (terminated, truncated) == (False, number == 14)
            assert abs(reward) < 0.1
        assert seen[2] > 0.99
        assert info["distance"] == pytest.approx(6.0, abs=0.1)
        assert abs(seen[12:32]).max() < 0.15  # of 20 hinges, counted from rest [rad]
        assert seen.shape == first.shape == (9 + 3 + 60 + 6 + 12 + 20,)
    finally:
        env.close()


@pytest.mark.slow
def test_hinges_go_where_actions_want_them() -> None:
    env = TwinEnv()
    try:
        env.reset(seed=1)
        action = still(env)
        action[0] = 0.5
        for _ in range(10):
            seen, *_ = env.step(action)
        assert seen[12] == pytest.approx(0.3, abs=0.1)
        assert seen[12 + 40] == pytest.approx(0.3)  # what it is drawn to
    finally:
        env.close()


@pytest.mark.slow
def test_its_own_walk_comes_to_the_goal_and_offsets_throw_it_down() -> None:
    env = TwinEnv(actions="offsets", distance=1.0, seconds=5.0)
    try:
        env.reset(seed=2)
        terminated = truncated = False
        total = 0.0
        while not (terminated or truncated):
            _, reward, terminated, truncated, info = env.step(still(env))
            total += reward
        assert (info["is_success"], info["fell"], terminated) == (True, False, True)
        assert total > 10.0
    finally:
        env.close()
    env = TwinEnv(creature="biped", seconds=6.0)
    try:
        env.reset(seed=2)
        action = np.ones(env.action_space.shape or 0, np.float32)
        for _ in range(60):
            _, reward, terminated, _, info = env.step(action)
            if terminated:
                break
        assert (info["fell"], info["is_success"]) == (True, False)
        assert reward < -5.0
    finally:
        env.close()


PROGRAM = """
import numpy as np
from creature_sim.envs import TwinEnv
env = TwinEnv(creature="spider4", world="hills", grounds=5)
seen, info = env.reset(seed=7)
print(info["digest"], seen.tobytes().hex())
for k in range(3):
    seen, *_ = env.step(np.full(env.action_space.shape, 0.1 * k, np.float32))
print(env.digest, seen.tobytes().hex())
env.close()
"""


@pytest.mark.slow
def test_two_processes_see_the_same_to_the_bit() -> None:
    one, other = outputs_of(PROGRAM)
    assert one == other
    assert len(one.split()) == 4


@pytest.mark.slow
def test_a_herd_of_twins_is_put_back_one_by_one() -> None:
    envs = TwinHerdEnv(2, seconds=0.3)
    try:
        seen, _ = envs.reset(seed=1)
        for number in range(8):
            seen, reward, _, truncated, _ = envs.step(envs.action_space.sample() * 0.1)
            assert envs.observation_space.contains(seen)
            assert truncated.all() == (number % 4 == 2)
            if number % 4 == 3:
                assert (reward == 0.0).all()
    finally:
        envs.close()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({"world": "planet"}, "world: expected ground on which down is the same everywhere"),
        ({"creature": "hexpod"}, "did you mean hexapod"),
        ({"actions": "commands"}, "actions: expected joints or offsets, found 'commands'"),
    ],
)
def test_bad_tasks_are_refused(words: dict[str, Any], expected: str) -> None:
    with pytest.raises(DefinitionError, match=expected):
        TwinEnv(**words)


@pytest.mark.slow
def test_joints_that_events_ask_for_are_recorded_and_verified(tmp_path: Path) -> None:
    world = with_twins(scene("meadow", "hexapod"))
    file = tmp_path / "joints.mcap"
    angles = tuple(0.1 * (k % 3) for k in range(20))
    inputs = [
        Input.of([()], [Event("set_joints", 0, angles=angles)]),
        *[Input.of([()])] * 20,
        Input.of([(0.5,)], [Event("shift_joints", 0, angles=angles)]),
        *[Input.of([(0.5,)])] * 10,
        Input.of([()], [Event("set_joints", 0)]),
        *[Input.of([()])] * 5,
    ]
    record(world, file, len(inputs), driver=lambda snapshot: inputs[snapshot.tick])
    assert verify(file).ok
    with Simulation(world) as simulation:
        for given in inputs[:21]:
            simulation.step(given)
        assert simulation.snapshot.herds[0].parts["twin"]["goals"][0] == pytest.approx(angles)
        for given in inputs[21:]:
            simulation.step(given)
        assert (simulation.snapshot.herds[0].parts["twin"]["asked"] == 0.0).all()


@pytest.mark.slow
def test_joints_of_nobody_and_numbers_that_do_not_fit_are_refused() -> None:
    def told(world: Any, **fields: Any) -> None:
        with Simulation(world) as simulation:
            simulation.step(Input.of([()], [Event("set_joints", 0, **fields)]))

    twin = with_twins(load_world("meadow"))
    with pytest.raises(DefinitionError, match=r"creature: expected one that is physical, found 0"):
        told(load_world("meadow"), angles=(0.0,))
    with pytest.raises(DefinitionError, match=r"angles: expected 20 numbers .* found \(0.0,\)"):
        told(twin, angles=(0.0,))
    with pytest.raises(DefinitionError, match=r"angles: expected 20 numbers from -10 to 10"):
        told(twin, angles=(float("nan"),) * 20)
