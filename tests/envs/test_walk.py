"""Environments of Gymnasium keep its contract, and creatures can learn something in them."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from creature_sim.errors import DefinitionError, OutputError
from creature_sim.replay import open_replay, verify
from tests.envs.processes import outputs_of
from tests.marks import sample_of
from tests.windows import Screen

gymnasium = pytest.importorskip("gymnasium", reason="environments need the extra gym")

from creature_sim.envs import HerdEnv, WalkEnv  # noqa: E402 - they need it

NAME = "creature_sim.envs:CreatureWalk-v0"
HEADING = slice(7, 9)
"""Direction to the goal in what a creature sees, in the frame of its body."""


def led(seen: Any) -> Any:
    """What a simple driver does: forward, and turn to the goal."""
    actions = np.zeros((*seen.shape[:-1], 4), np.float32)
    actions[..., 0] = 1.0
    actions[..., 1] = np.clip(2.0 * seen[..., 8], -1.0, 1.0)
    return actions


def episode(env: WalkEnv, seed: int) -> tuple[float, dict[str, Any], bool, bool]:
    seen, _ = env.reset(seed=seed)
    total, is_over, terminated, truncated = 0.0, False, False, False
    info: dict[str, Any] = {}
    while not is_over:
        seen, reward, terminated, truncated, info = env.step(led(seen))
        assert env.observation_space.contains(seen)
        total, is_over = total + reward, terminated or truncated
    return total, info, terminated, truncated


@pytest.mark.slow
def test_who_goes_to_the_goal_arrives_and_who_stands_does_not() -> None:
    env = WalkEnv(distance=2.0, seconds=8.0)
    try:
        total, info, terminated, truncated = episode(env, 3)
        assert (terminated, truncated, info["is_success"], info["fell"]) == (
            True,
            False,
            True,
            False,
        )
        assert info["distance"] < 0.5
        assert total > 15.0  # 10 for the arrival, and the way
        env.reset(seed=3)
        rewards = [env.step(np.zeros(4, np.float32)) for _ in range(80)]
        assert [step[3] for step in rewards] == [False] * 79 + [True]
        assert not any(step[2] for step in rewards)
        assert abs(sum(float(step[1]) for step in rewards)) < 1.0
    finally:
        env.close()


@pytest.mark.slow
def test_a_seed_decides_all_and_another_one_something_else() -> None:
    env = WalkEnv(creature="spider4", world="hills", grounds=4)
    try:
        (first, info), (again, same) = env.reset(seed=5), env.reset(seed=5)
        assert info == same
        assert (first == again).all()
        assert len({env.reset(seed=seed)[1]["digest"] for seed in range(4)}) == 4
        assert env.reset()[1]["digest"] != env.reset()[1]["digest"]
    finally:
        env.close()


PROGRAM = """
import numpy as np
from creature_sim.envs import WalkEnv
env = WalkEnv(world="stairs", grounds=9)
seen, info = env.reset(seed=7)
print(info["digest"], seen.tobytes().hex())
for k in range(5):
    seen, *_ = env.step(np.full(4, 0.2 * k, np.float32))
print(env.digest, seen.tobytes().hex())
env.close()
"""


@pytest.mark.slow
def test_two_processes_see_the_same_to_the_bit() -> None:
    one, other = outputs_of(PROGRAM)
    assert one == other
    assert len(one.split()) == 4


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "biped"])
def test_gymnasium_finds_nothing_to_say(creature: str) -> None:
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make(NAME, creature=creature, seconds=2.0)
    check_env(env.unwrapped, skip_render_check=True)  # warnings are errors here
    env.close()


CHECK = """
import warnings
warnings.simplefilter("error")
import gymnasium
from gymnasium.utils.env_checker import check_env
env = gymnasium.make(NAME)
check_env(env.unwrapped)
env.close()
env = gymnasium.make(NAME, render_mode="rgb_array")
env.reset(seed=0)
picture = env.render()
print(picture.shape, picture.std() > 5.0)
env.close()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", sample_of(("CreatureWalk-v0", "CreatureTwin-v0"), slow=("CreatureWalk-v0",))
)
def test_all_render_modes_work(screen: Screen, name: str) -> None:
    """With a real window."""
    import os

    program = f"NAME = 'creature_sim.envs:{name}'\n{CHECK}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=100,
        env={**os.environ, "DISPLAY": screen.display},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "(480, 640, 3) True"


@pytest.mark.slow
def test_a_herd_walks_in_one_world_and_each_is_put_back_alone() -> None:
    envs = gymnasium.make_vec(NAME, 9, "vector_entry_point", distance=2.0, seconds=9.0)
    try:
        assert isinstance(envs, HerdEnv)
        seen, _ = envs.reset(seed=1)
        assert seen.shape == envs.observation_space.shape
        again = envs.reset(seed=1)[0]
        assert (seen == again).all()
        starts, successes = seen.copy(), np.zeros(9, int)
        done = np.zeros(9, bool)
        for _ in range(100):
            before = done
            seen, reward, terminated, truncated, info = envs.step(led(seen))
            assert envs.observation_space.contains(seen)
            assert (reward[before] == 0.0).all()
            assert not (terminated | truncated)[before].any()
            if before.any():  # back at the start, with as far to go as at first
                assert np.allclose(seen[before, 9], starts[before, 9], atol=0.5)
            done = terminated | truncated
            successes += info["is_success"]
        assert (successes > 0).all()
        assert (successes > 1).any()
    finally:
        envs.close()


@pytest.mark.slow
def test_one_of_a_herd_does_what_it_does_alone() -> None:
    alone, herd = WalkEnv(spread=0.0), HerdEnv(1, spread=0.0)
    try:
        one, many = alone.reset(seed=2)[0], herd.reset(seed=2)[0]
        for _ in range(6):
            assert (one == many[0]).all()
            one, many = alone.step(led(one))[0], herd.step(led(many))[0]
    finally:
        alone.close()
        herd.close()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({"world": "hils"}, "did you mean hills"),
        ({"creature": "hexpod"}, "did you mean hexapod"),
        ({"ticks": 0}, "ticks: expected more than 0, found 0"),
        ({"distance": -1.0}, "distance: expected more than 0"),
        ({"spread": 9.0}, "spread: expected an angle from 0 to 3.2"),
        ({"distance": 500.0}, "distance: expected a goal within 30 m of the middle of the world"),
        ({"distance": 10**400}, "distance: expected at most 1e"),
        ({"seconds": 1e308}, "seconds: expected at most 1e.*, found 1e.308"),
        ({"ticks": True}, "ticks: expected more than 0, found True"),
        ({"ticks": 10**9}, "ticks: expected at most 1200, an episode of 20 s, found 1000000000"),
        ({"grounds": 10**30}, r"grounds: expected at most 2\*\*63, found 10"),
        ({"world": None}, "world: expected a built-in name or a file, found None"),
        ({"creature": 3}, "creature: expected a built-in name or a file, found 3"),
        ({"tick": 3}, "tick: expected a keyword of the environment.*; did you mean ticks?"),
        ({"render_mode": "foo"}, "render_mode: expected human or rgb_array, found 'foo'"),
        ({"seconds": -3.0}, "seconds: expected more than 0, found -3.0"),
        ({"seconds": float("nan")}, "seconds: expected more than 0, found nan"),
        ({"ticks": 1.5}, "ticks: expected a whole number, found 1.5"),
        ({"recordings": 3}, "recordings: expected a folder, found 3"),
        ({"actions": "joints"}, "actions: expected commands or offsets, found 'joints'"),
    ],
)
def test_bad_tasks_are_refused(words: dict[str, Any], expected: str) -> None:
    with pytest.raises(DefinitionError, match=expected):
        WalkEnv(**words)


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        (np.zeros(3), "expected 4 numbers for each of 1, found the shape"),
        ([0.0, 0.0, 0.0, float("nan")], "expected numbers from -1 to 1, found one that is none"),
        (["far", 0, 0, 0], "expected 4 numbers for each of 1"),
        (None, "actions: expected"),
    ],
)
def test_bad_actions_are_refused_and_the_episode_goes_on(actions: Any, expected: str) -> None:
    env = WalkEnv(seconds=2.0)
    try:
        with pytest.raises(DefinitionError, match="step: expected a reset before it"):
            env.step(np.zeros(4, np.float32))
        env.reset(seed=1)
        before = env.digest
        with pytest.raises(DefinitionError, match=expected):
            env.step(actions)
        assert env.digest == before
        env.step(np.zeros(4, np.float32))
    finally:
        env.close()


OFFSETS = 4 + 6 + 2 * 6
"""Of a hexapod: commands, how its body is held, and where each foot lands."""


@pytest.mark.slow
def test_offsets_of_zero_lead_straight_to_the_goal() -> None:
    """To the bit what the simple driver does, and bodies are held as actions say."""
    led_env, free = WalkEnv(distance=2.0), WalkEnv(distance=2.0, actions="offsets")
    try:
        seen, other = led_env.reset(seed=4)[0], free.reset(seed=4)[0]
        for _ in range(10):
            assert (seen[:-4] == other[:-OFFSETS]).all()
            seen, other = led_env.step(led(seen))[0], free.step(np.zeros(OFFSETS, np.float32))[0]
        rolled = np.zeros(OFFSETS, np.float32)
        rolled[4] = 1.0
        for _ in range(10):
            other, _, _, _, _ = free.step(rolled)
        assert 0.1 < np.arcsin(other[1]) < 0.4  # it rolls to its right, +Y of it goes up
    finally:
        led_env.close()
        free.close()


def test_feet_land_where_offsets_say() -> None:
    """Feet of one side wider by a fifth of their reach, those of the other as ever."""
    env = WalkEnv(spread=0.0, distance=4.0, actions="offsets")
    try:
        reach, sides = env._field.reach, []
        for amount in (0.0, 1.0):
            seen, action = env.reset(seed=1)[0], np.zeros(OFFSETS, np.float32)
            is_left = seen[10:28].reshape(6, 3)[:, 1] > 0.0
            action[10:].reshape(6, 2)[is_left, 1] = amount
            steps = [env.step(action)[0][10:28].reshape(6, 3)[:, 1] for _ in range(20)][10:]
            mean = np.mean(steps, axis=0) * reach
            sides.append((mean[is_left].mean(), mean[~is_left].mean()))
        assert 0.1 * reach < sides[1][0] - sides[0][0] < 0.25 * reach
        assert abs(sides[1][1] - sides[0][1]) < 0.05 * reach
    finally:
        env.close()


@pytest.mark.slow
@pytest.mark.parametrize("actions", ["commands", "offsets"])
def test_episodes_are_recorded_and_verify(tmp_path: Path, actions: str) -> None:
    """One file an episode; what is there stays; the last digest is what the environment says."""
    folder = tmp_path / "episodes"
    for names in (("episode-0001.mcap", "episode-0002.mcap"), ("episode-0003.mcap",)):
        env = WalkEnv(distance=2.0, actions=actions, recordings=folder)
        digests = []
        for seed, _ in enumerate(names):
            env.reset(seed=seed)
            rng = np.random.default_rng(seed)
            for _ in range(3):
                env.step(rng.uniform(-1.0, 1.0, env.action_space.shape).astype(np.float32))
            digests.append(env.digest)
        env.close()
        for name, digest in zip(names, digests, strict=True):
            proven = verify(folder / name)
            assert proven.ok
            assert proven.ticks == 18
            assert open_replay(folder / name).digest == digest
    assert len(list(folder.iterdir())) == 3


def test_a_herd_is_recorded_from_reset_to_reset(tmp_path: Path) -> None:
    """Also who is put back to its start meanwhile."""
    envs = HerdEnv(3, distance=1.0, seconds=0.3, recordings=str(tmp_path))
    envs.reset(seed=1)
    ends = [envs.step(np.full((3, 4), 0.5, np.float32))[3] for _ in range(8)]
    assert np.any(ends)
    envs.close()
    (file,) = tmp_path.iterdir()
    assert verify(file).ok
    assert {event.kind for given in open_replay(file).inputs for event in given.events} == {"reset"}


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    env = WalkEnv(recordings=tmp_path / "file")
    try:
        with pytest.raises(OutputError, match="file: expected a folder for replays, found none"):
            env.reset(seed=1)
    finally:
        env.close()


@pytest.mark.slow
def test_walks_that_stretch_and_tilt_are_paid_less() -> None:
    env = WalkEnv(spread=0.0, distance=4.0, actions="offsets")
    try:
        rewards = []
        for amount in (0.0, 1.0):
            env.reset(seed=1)
            lean = np.zeros(OFFSETS, np.float32)
            lean[4] = amount
            rewards.append([float(env.step(lean)[1]) for _ in range(20)][10:])
        assert np.mean(rewards[0]) > np.mean(rewards[1]) + 0.01
    finally:
        env.close()


def test_numbers_of_numpy_are_numbers() -> None:
    envs = HerdEnv(np.int64(2), ticks=np.int64(3), seconds=np.float32(2.0))  # type: ignore[arg-type]
    assert envs.num_envs == 2
    envs.close()


def test_a_herd_opens_no_window() -> None:
    with pytest.raises(DefinitionError, match="render_mode: expected rgb_array, found 'human'"):
        HerdEnv(2, render_mode="human")


def test_a_herd_of_none_is_refused() -> None:
    with pytest.raises(DefinitionError, match="num_envs: expected 1 or more, found 0"):
        HerdEnv(0)


def test_a_herd_that_does_not_fit_is_refused() -> None:
    with pytest.raises(DefinitionError, match="num_envs: expected creatures and goals within"):
        HerdEnv(100_000)
    with pytest.raises(DefinitionError, match="num_envs: expected at most 16384, found 100000"):
        HerdEnv(100_000, world="endless")
