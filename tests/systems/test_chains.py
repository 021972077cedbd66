"""Chains and trees in worlds: they follow, keep their limits, and can be recorded and repeated."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from creature_sim.definitions import ChainDef, TreeDef, WorldDef
from creature_sim.drivers import make_driver
from creature_sim.errors import DefinitionError
from creature_sim.ik import SHOULDER, WRIST, Limit, elbow
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_world
from creature_sim.library.variants import with_target
from creature_sim.maths import spline_point
from creature_sim.replay import Divergence, open_replay, record, verify
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import blend, pose_of
from creature_sim.snapshots.snapshot import ChainState, Snapshot
from tests.commands import sim
from tests.ik.test_limits import excess, turned
from tests.ik_scenes import bone_lengths, catmull_rom
from tests.replay.messages import rounding
from tests.replay.test_replay import rewritten, with_field
from tests.scenes import RIGS, scene, walk

TICKS = 240


@cache
def states(name: str) -> tuple[ChainState, ...]:
    """The only chain of a built-in world at ticks 0 to TICKS."""
    return tuple(snapshot.chains[0] for snapshot in walk(load_world(name), TICKS))


def gaps(state: ChainState) -> Any:
    """Distance of every pulled joint from its target [m]."""
    return np.linalg.norm(state.tips - state.targets, axis=1)


def world_of(*chains: dict[str, Any], **changes: Any) -> WorldDef:
    """A flat world with chains."""
    table = {"name": "w", "terrain": {"kind": "flat"}, "chains": chains, **changes}
    return WorldDef.model_validate(table)


def commanded(**changes: Any) -> dict[str, Any]:
    """Three bones whose tip obeys commands."""
    return {
        "name": "crane",
        "root": (0.0, 0.0, 1.0),
        "bones": (0.4, 0.3, 0.2),
        "direction": (1.0, 0.0, 0.0),
        "target": {"kind": "command", "start": (0.5, 0.2, 1.1)},
        **changes,
    }


def reach_for(world: WorldDef, point: tuple[float, float, float], chain: int = 0) -> ChainState:
    """A chain after it was sent to a point."""
    with Simulation(world) as simulation:
        simulation.step(sent(world, point, chain))
        return simulation.snapshot.chains[chain]


def sent(world: WorldDef, point: tuple[float, float, float], chain: int = 0) -> Input:
    event = Event("set_target", chain=chain, point=point)
    return Input.of([()] * len(world.creatures), [event])


# --- following --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RIGS)
def test_pulled_joints_are_at_their_targets_at_every_tick(name: str) -> None:
    assert max(gaps(state).max() for state in states(name)) < 3e-4


@pytest.mark.parametrize("name", RIGS)
def test_bones_keep_their_lengths(name: str) -> None:
    joints = np.array([state.joints for state in states(name)])
    definition = states(name)[0].definition
    if isinstance(definition, ChainDef):
        found, expected = bone_lengths(joints), np.array(definition.bones)
    else:
        parents = np.array(definition.parents[1:])
        found = np.linalg.norm(joints[:, 1:] - joints[:, parents], axis=2)
        expected = np.linalg.norm([joint.offset for joint in definition.joints], axis=1)
    assert np.abs(found / expected - 1.0).max() < 1e-12


def test_limits_of_the_arm_hold_at_every_tick() -> None:
    rotations = np.array([state.rotations for state in states("arm")])
    assert excess(rotations, [SHOULDER, elbow((0.0, -1.0, 0.0)), WRIST]) < 1e-9


def test_no_joint_of_the_tentacle_is_a_kink() -> None:
    joints = np.array([state.joints for state in states("tentacle")])
    bones = np.diff(joints, axis=1)
    bones /= np.linalg.norm(bones, axis=2)[..., None]
    bends = np.linalg.norm(np.cross(bones[:, 1:], bones[:, :-1]), axis=2)
    assert bends.max() < np.sin(0.35) + 1e-9
    assert ((bones[:, 1:] * bones[:, :-1]).sum(axis=2) > 0.9).all()


@pytest.mark.parametrize(("name", "fastest"), [("arm", 1.0), ("tentacle", 0.8), ("humanoid", 3.0)])
def test_nothing_jumps(name: str, fastest: float) -> None:
    joints = np.array([state.joints for state in states(name)])
    assert np.linalg.norm(np.diff(joints, axis=0), axis=2).max() * 60.0 < fastest


def test_limits_hold_wherever_the_mouse_goes() -> None:
    world = load_world("playground")
    limits = [Limit.ball(), *[Limit.hinge((0.0, 0.0, 1.0), -1.2, 1.2)] * 5]
    rng = np.random.default_rng(5)
    with Simulation(world) as simulation:
        for x, y, z in rng.uniform(-2.0, 2.0, (60, 3)):
            simulation.step(sent(world, (x, y, z)))
            state = simulation.snapshot.chains[0]
            assert excess(state.rotations, limits) < 1e-9
            assert (state.joints[:, 2] == 0.06).all()  # it stays in its plane
            assert np.abs(bone_lengths(state.joints) / world.chains[0].bones - 1.0).max() < 1e-12


def test_rotations_turn_the_start_pose_into_the_solved_one() -> None:
    for name in ("arm", "tentacle"):
        definition = states(name)[0].definition
        assert isinstance(definition, ChainDef)
        bones = np.array(definition.bones)[:, None] * np.array(definition.direction)
        for state in states(name)[::20]:
            assert (
                np.abs(turned(state.rotations, bones) - np.diff(state.joints, axis=0)).max() < 1e-9
            )
    for name in RIGS:
        rotations = np.array([state.rotations for state in states(name)])
        assert (rotations[1:] * rotations[:-1]).sum(axis=2).min() > 0.9  # steady in sign


def test_knees_and_elbows_bend_to_their_poles() -> None:
    tree = states("humanoid")[0].definition
    assert isinstance(tree, TreeDef)
    for state in states("humanoid")[::5]:
        for side in ("left", "right"):
            for names, ahead in (
                (("hip", "knee", "ankle"), 1.0),
                (("shoulder", "elbow", "hand"), -1.0),
            ):
                a, b, c = (state.joints[tree.number_of(f"{side}_{name}")] for name in names)
                assert ahead * (b - (a + c) / 2.0)[0] > -0.01


def test_braces_keep_hips_and_shoulders_apart() -> None:
    tree = states("humanoid")[0].definition
    assert isinstance(tree, TreeDef)
    for first, second in tree.braces:
        a, b = tree.number_of(first), tree.number_of(second)
        found = [np.linalg.norm(state.joints[a] - state.joints[b]) for state in states("humanoid")]
        assert max(found) - min(found) < 1e-3


# --- targets ----------------------------------------------------------------------------------


def test_splines_go_through_their_keyframes_and_end_where_they_begin() -> None:
    keys = np.random.default_rng(2).normal(size=(5, 3))
    ways = np.linspace(0.0, 5.0, 41)[:-1]
    found = np.array([spline_point(keys, True, way) for way in ways])
    assert found == pytest.approx(catmull_rom(keys, 40), abs=1e-12)
    assert found[::8] == pytest.approx(keys, abs=1e-12)
    assert spline_point(keys, True, 5.0) == pytest.approx(keys[0])
    for way, key in enumerate(keys):
        assert spline_point(keys, False, float(way)) == pytest.approx(key)


@pytest.mark.parametrize("ease", ["each", "whole", "none"])
@pytest.mark.parametrize("closed", [True, False])
def test_targets_repeat_after_their_period_and_rest_where_they_ease(
    ease: str, closed: bool
) -> None:
    keys = [(0.5, 0.0, 1.0), (0.4, 0.3, 1.2), (0.2, 0.5, 0.9)]
    target = {"kind": "spline", "keyframes": keys, "period": 2.0, "ease": ease, "closed": closed}
    world = world_of(commanded(target=target))
    path = np.array([s.chains[0].targets[0] for s in walk(world, 240)])
    assert path[120:] == pytest.approx(path[:121], abs=1e-12)
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    assert steps.max() < 0.05
    assert (steps[0] < 0.1 * steps.max()) == (ease != "none")
    at_key = 40 if closed else 30
    assert path[at_key if ease != "whole" else 0] == pytest.approx(
        keys[1] if ease != "whole" else keys[0]
    )
    shifted = world_of(commanded(target={**target, "shift": 0.25}))
    later = np.array([s.chains[0].targets[0] for s in walk(shifted, 30)])
    assert later == pytest.approx(path[30:61], abs=1e-12)


@pytest.mark.parametrize(
    "point", [(0.5, 0.1, 1.2), (0.3, -0.5, 0.8), (-0.2, 0.1, 1.5), (0.0, 0.0, 1.3)]
)
def test_a_command_is_obeyed_in_the_same_tick(point: tuple[float, float, float]) -> None:
    state = reach_for(world_of(commanded()), point)
    assert state.tips[0] == pytest.approx(point, abs=1e-3)
    assert state.targets[0] == pytest.approx(point)


LIMITED = [{"kind": "shoulder"}, {"kind": "elbow", "axis": (0.0, -1.0, 0.0)}, {"kind": "wrist"}]


@pytest.mark.parametrize("extra", [{}, {"pole": (0.0, 0.0, 1.0)}, {"limits": LIMITED}])
@pytest.mark.parametrize(
    "way", [(1.0, 0.0, 0.0), (0.6, 0.0, 0.8), (3.0, 4.0, 1.0), (1e4, -1e4, 1e4)]
)
def test_targets_out_of_reach_stretch_the_chain_towards_them(
    extra: dict[str, Any], way: tuple[float, float, float]
) -> None:
    world = world_of(commanded(**extra))
    root = np.array([0.0, 0.0, 1.0])
    away = np.array(way) * (2.0 if max(way) < 1e3 else 1.0)
    state = reach_for(world, tuple((root + away).clip(-1e4, 1e4).tolist()))
    expected = state.targets[0] - root
    expected *= 0.9 / np.linalg.norm(expected)
    assert state.joints[-1] - root == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize("extra", [{}, {"pole": (0.0, 0.0, 1.0)}, {"limits": LIMITED}])
@pytest.mark.parametrize("point", [(0.0, 0.0, 1.0), (0.4, 0.0, 1.0), (0.9, 0.0, 1.0), (-0.5, 0, 1)])
def test_awkward_targets_break_nothing(
    extra: dict[str, Any], point: tuple[float, float, float]
) -> None:
    world = world_of(commanded(bones=(0.6, 0.2, 0.1), **extra))
    state = reach_for(world, point)
    assert np.isfinite(state.joints).all()
    assert bone_lengths(state.joints) == pytest.approx([0.6, 0.2, 0.1], rel=1e-12)


@pytest.mark.parametrize("place", ["0,0,0.06", "0.1,0.05,0.06", "-3,0.2,0.06", "0.7,0.3,0.06"])
def test_a_chain_rests_when_its_target_does(place: str) -> None:
    *_, before, last = walk(with_target(load_world("playground"), place), 10)
    assert (last.chains[0].joints == before.chains[0].joints).all()


def test_a_target_led_about_never_makes_the_chain_jump() -> None:
    world = load_world("playground")
    turn = np.linspace(0.0, 2.0 * np.pi, 300)
    path = np.stack((0.7 + 0.9 * np.cos(turn), 0.9 * np.sin(turn), 0.06 + 0.0 * turn), axis=1)
    joints = []
    with Simulation(with_target(world, "1.6,0,0.06")) as simulation:
        for x, y, z in path.tolist():
            simulation.step(sent(world, (x, y, z)))
            joints.append(simulation.snapshot.chains[0].joints)
    steps = np.linalg.norm(np.diff(joints, axis=0), axis=2)
    assert steps.max() < 5.0 * np.linalg.norm(np.diff(path, axis=0), axis=1).max()


def test_trees_stretch_towards_targets_out_of_reach() -> None:
    tree = {
        "name": "y",
        "root": (0.0, 0.0, 1.0),
        "joints": [
            {"name": "fork", "offset": (0.0, 0.0, 0.5)},
            {"name": "left", "parent": "fork", "offset": (0.0, 0.4, 0.1)},
            {"name": "right", "parent": "fork", "offset": (0.0, -0.4, 0.1)},
        ],
        "targets": [
            {"joint": "left", "target": {"kind": "mouse", "start": (0.0, 0.4, 1.6)}},
            {"joint": "right", "target": {"kind": "command", "start": (0.0, -0.4, 1.6)}},
        ],
    }
    world = world_of(trees=[tree])
    with Simulation(world) as simulation:
        events = tuple(
            Event("set_target", chain=0, target=target, point=(0.0, 0.0, 50.0)) for target in (0, 1)
        )
        for _ in range(3):
            simulation.step(Input((), events))
        state = simulation.snapshot.chains[0]
    assert state.joints[1:] == pytest.approx(
        np.array([[0, 0, 1.5], [0, 0, 1.912], [0, 0, 1.912]]), abs=2e-2
    )


# --- on creatures, and after each other -------------------------------------------------------


@cache
def tailed() -> WorldDef:
    """A hexapod with a tail, a crane that points at it, and a second that points at its tail."""
    tail = commanded(
        name="tail",
        creature=0,
        root=(-0.2, 0.0, 0.05),
        direction=(-1.0, 0.0, 0.5),
        limits=[{"kind": "ball", "cone": 0.8}],
        target={
            "kind": "spline",
            "period": 1.0,
            "keyframes": [(-0.9, 0.25, 0.35), (-0.9, -0.25, 0.35)],
        },
    )
    first = commanded(
        name="first", target={"kind": "creature-body", "creature": 0, "offset": [0, 0, 0.1]}
    )
    second = commanded(name="second", target={"kind": "chain-tip", "chain": "tail"})
    walking = scene("hills", "hexapod", driver="forward 9").model_dump()
    return WorldDef.model_validate({**walking, "chains": (first, second, tail)})


@pytest.mark.slow
def test_a_chain_on_a_walking_body_goes_with_it() -> None:
    world = tailed()
    before: Snapshot | None = None
    for snapshot in walk(world, 90):
        body, (first, second, tail) = snapshot.creatures[0], snapshot.chains
        mount = body.position + turned(body.orientation, np.array(world.chains[2].root))
        assert tail.joints[0] == pytest.approx(mount, abs=1e-12)
        assert gaps(tail)[0] < 1e-3
        start = turned(body.orientation, np.array(world.chains[2].direction))
        ahead = tail.joints[1] - tail.joints[0]
        cosine = ahead @ start / np.linalg.norm(ahead) / np.linalg.norm(start)
        assert cosine > np.cos(0.8) - 1e-9  # the limit turns with the body
        above = body.position + turned(body.orientation, np.array([0.0, 0.0, 0.1]))
        assert first.targets[0] == pytest.approx(above, abs=1e-12)
        if before is not None:
            assert (second.targets[0] == before.chains[2].tips[0]).all()
        before = snapshot
    assert before is not None
    assert before.creatures[0].position[0] > 0.5


def test_creatures_are_not_touched_by_chains() -> None:
    world = tailed()
    *_, alone = walk(world.model_copy(update={"chains": ()}), 60)
    *_, together = walk(world, 60)
    assert together.digests == alone.digests
    assert together.digest != alone.digest


# --- events, reset, replays -------------------------------------------------------------------


def test_a_reset_puts_a_chain_back_to_its_start() -> None:
    world = load_world("arm")
    with Simulation(world) as simulation:
        simulation.step()
        first = simulation.snapshot.chain_digests
        for _ in range(50):
            simulation.step()
        assert simulation.snapshot.chain_digests != first
        simulation.step(Input((), (Event("reset", chain=0),)))
        assert simulation.snapshot.chain_digests == first


def test_a_creature_is_reset_with_what_it_carries() -> None:
    world = tailed()
    with Simulation(world) as simulation:
        simulation.step()
        first = simulation.snapshot.chain_digests
        for _ in range(30):
            simulation.step()
        simulation.step(Input.of([(1.0,)], [Event("reset", 0)]))
        again = simulation.snapshot.chain_digests
    assert again[2] == first[2]
    assert again[1] != first[1]


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            Event("set_target", chain=1, point=(0.0, 0.0, 0.0)),
            r"events\[0\].chain: expected 0 to 0",
        ),
        (Event("set_target", 0, point=(0.0, 0.0, 0.0)), r"events\[0\].chain"),
        (Event("set_target", chain=0), r"events\[0\].point: expected three numbers"),
        (Event("set_target", chain=0, point=(0.0, 0.0, float("nan"))), "point"),
        (Event("set_target", chain=0, point=(0.0, 0.0, 1e5)), "point"),
        (Event("set_target", chain=0, target=1, point=(0.0, 0.0, 0.0)), "target: expected 0 to 0"),
        (Event("reset", chain=3), "chain: expected 0 to 0"),
        (Event("reset", 0), "creature: expected none"),
        (Event("reset"), "creature: expected none"),
        (Event("reset", 0, 0), "found both"),
    ],
)
def test_events_that_do_not_fit_are_refused(event: Event, text: str) -> None:
    with Simulation(world_of(commanded())) as simulation:
        with pytest.raises(DefinitionError, match=text):
            simulation.step(Input((), (event,)))
        assert simulation.tick == 0


def test_a_spline_takes_no_commands() -> None:
    with (
        Simulation(load_world("arm")) as simulation,
        pytest.raises(DefinitionError, match="'mouse'"),
    ):
        simulation.step(sent(load_world("arm"), (0.0, 0.0, 1.0)))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Snapshot]:
    """Chains on and beside a creature, one led by events."""
    path = tmp_path_factory.mktemp("chains") / "tail.mcap"
    table = tailed().model_dump()
    table["chains"] = [*table["chains"], commanded(name="fourth")]
    world = WorldDef.model_validate(table)
    drive = make_driver(world)

    def led(snapshot: Snapshot) -> Input:
        given = drive(snapshot)
        point = (0.5, 0.01 * snapshot.tick, 1)
        return Input(given.commands, (Event("set_target", chain=3, point=point),))

    return path, record(world, path, 60, driver=led)


@pytest.mark.slow
def test_recordings_with_chains_verify(recorded: tuple[Path, Snapshot]) -> None:
    path, last = recorded
    result = verify(path)
    assert result.ok is True, result
    assert result.digest == last.digest
    replay = open_replay(path)
    assert replay.inputs[30].events[0].point == (0.5, 0.3, 1.0)
    shown, expected, off = replay.poses[-1], pose_of(last), rounding(replay.world)
    for found, wanted in zip(shown.chains, expected.chains, strict=True):
        assert found.joints == pytest.approx(wanted.joints, rel=0.0, abs=off)
        assert found.targets == pytest.approx(wanted.targets, rel=0.0, abs=off)
    half_way = blend(replay.poses[0], replay.poses[1], 0.5).chains[3]
    assert half_way.joints[0] == pytest.approx([0.0, 0.0, 1.0])


@pytest.mark.slow
def test_a_flipped_event_names_the_chain(recorded: tuple[Path, Snapshot], tmp_path: Path) -> None:
    def flip(message: dict[str, Any]) -> None:
        message["events"][0]["point"][0] += 1e-9

    path = rewritten(recorded[0], tmp_path / "flipped.mcap", with_field("/input", 30, flip))
    assert verify(path).divergence == Divergence(30, "targets", None, 3)
    told = sim("verify", str(path), cwd=tmp_path)
    assert told.returncode == 1
    assert "first at tick 30, part 'targets' of chain 3 (fourth)" in told.stdout
    told = sim("verify", "--json", str(path), cwd=tmp_path)
    assert json.loads(told.stdout)[0]["divergence"] == {
        "tick": 30, "part": "targets", "creature": None, "chain": 3,
    }  # fmt: skip


@pytest.mark.slow
def test_a_changed_digest_of_a_chain_is_named(
    recorded: tuple[Path, Snapshot], tmp_path: Path
) -> None:
    def change(message: dict[str, Any]) -> None:
        message["chains"][2]["bones"] = "00"

    path = rewritten(recorded[0], tmp_path / "digest.mcap", with_field("/digest", 33, change))
    assert verify(path).divergence == Divergence(33, "bones", None, 2)


PROGRAM = """
import sys
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
for name in sys.argv[1:]:
    with Simulation(load_world(name)) as simulation:
        for _ in range(120):
            simulation.step()
        print(simulation.digest)
"""


@pytest.mark.slow
def test_every_world_has_the_same_digest_in_another_process() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, *RIGS],
        env={
            **os.environ,
            "PYTHONHASHSEED": "77",
            "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX2 FMA3",
            "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA,-FMA4,-AVX",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    here = []
    for name in RIGS:
        *_, last = walk(load_world(name), 120)
        here.append(last.digest)
    assert done.stdout.split() == here


@pytest.mark.parametrize("name", RIGS)
def test_recordings_of_every_world_verify(name: str, tmp_path: Path) -> None:
    record(load_world(name), tmp_path / "a.mcap", 60)
    assert verify(tmp_path / "a.mcap").ok


# --- the command line -------------------------------------------------------------------------


def test_a_world_without_creatures_on_the_command_line(tmp_path: Path) -> None:
    done = sim(
        "run", "arm", "--headless", "--ticks", "30", "--json", "--record", "a.mcap",
        "--target", "0.5,0.1,1.25", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["creatures"] == []
    assert found["distance"] == 0.0
    assert found["start"] is None
    assert found["end"] is None
    assert found["chains"][0]["name"] == "arm"
    assert found["chains"][0]["tips"][0] == pytest.approx([0.5, 0.1, 1.25], abs=1e-3)
    assert "verified" in sim("verify", "a.mcap", cwd=tmp_path).stdout
    assert "arm reaches (0.50, 0.10, 1.25)" in sim(
        "replay", "a.mcap", "--headless", cwd=tmp_path
    ).stdout  # fmt: skip
    told = sim("info", "a.mcap", cwd=tmp_path).stdout
    assert "chains:        arm" in told
    assert "creatures" not in told


def test_targets_can_be_given_to_commands_mice_and_whole_chains() -> None:
    both = world_of(commanded(), commanded(name="b", target=load_world("arm").chains[0].target))
    changed = with_target(both, "0.1, 0.2,0.3")
    assert changed.chains[0].target.start == (0.1, 0.2, 0.3)
    assert changed.chains[1] == both.chains[1]
    assert with_target(load_world("playground"), "1,0,0").chains[0].target.kind == "mouse"
    assert with_target(load_world("arm"), "1,0,0").chains[0].target.kind == "command"
