"""Messages of a replay say all that is in an input or a pose, and nothing else."""

import contextlib
from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np
import orjson
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from creature_sim.definitions import ChainDef, PlacementDef, WorldDef
from creature_sim.inputs import Input
from creature_sim.library.loader import builtin_names, load_creature, load_world
from creature_sim.maths import Floats
from creature_sim.replay import pose_codec
from creature_sim.replay.codec import decode_input, encode_input
from creature_sim.replay.hash_chain import Chain
from creature_sim.replay.json_poses import decode_pose, encode_pose
from creature_sim.replay.pose_arrays import DEPTH, POSE_FIELDS
from creature_sim.replay.timeline import WRONG
from creature_sim.snapshots.poses import NO_PROPS, ChainPose, HerdPose, Pose, PropsPose
from tests.arrays import assert_near
from tests.marks import few
from tests.replay.messages import pose_bytes, pose_table
from tests.scenes import scene
from tests.test_inputs import inputs

ticks = st.integers(0, 2**53 - 1)
texts = st.text("0123456789abcdef", min_size=16, max_size=16)
digests = st.lists(st.dictionaries(st.sampled_from("abc"), texts, min_size=1), min_size=1)
runs = st.lists(st.tuples(st.binary(max_size=20), digests), min_size=1, max_size=5)


@pytest.mark.slow
@given(ticks, inputs)
def test_an_input_comes_back_as_it_was(tick: int, given_input: Input) -> None:
    message = encode_input(tick, given_input)
    found = decode_input(orjson.loads(message))
    assert found == given_input
    assert encode_input(tick, found) == message
    assert orjson.loads(message)["tick"] == tick


@pytest.mark.slow
@given(ticks, inputs, inputs)
def test_other_inputs_have_other_messages(tick: int, first: Input, second: Input) -> None:
    assume(first != second)
    assert encode_input(tick, first) != encode_input(tick, second)


def ends(run: Sequence[tuple[bytes, Sequence[dict[str, str]]]]) -> list[str]:
    chain = Chain(b"world")
    return [chain.add(given_bytes, parts) for given_bytes, parts in run]


@pytest.mark.slow
@few
@given(runs, st.data())
def test_a_hash_chain_differs_from_the_first_difference_on(
    run: list[tuple[bytes, list[dict[str, str]]]], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(run) - 1))
    given_bytes, parts = run[place]
    index = data.draw(st.integers(0, len(parts) - 1))
    name = data.draw(st.sampled_from(sorted(parts[index])))
    changed = [dict(part) for part in parts]
    changed[index][name] = changed[index][name][::-1] + "!"
    for other in ((given_bytes, changed), (given_bytes + b"!", parts)):
        first, second = ends(run), ends([*run[:place], other, *run[place + 1 :]])
        same = [a == b for a, b in zip(first, second, strict=True)]
        assert same == [True] * place + [False] * (len(run) - place)


@st.composite
def poses(draw: st.DrawFn) -> tuple[Pose, WorldDef]:
    """A pose, and the world of all creatures that ever were; some of them are not there."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = draw(st.lists(st.sampled_from(builtin_names("creature")), max_size=3, unique=True))
    names = [name for name in kinds for _ in range(draw(st.integers(1, 4)))]
    placements = tuple(
        PlacementDef(creature=names[index], position=(float(index), -2.5))
        for index in rng.permutation(len(names)).tolist()
    )
    species = {name: load_creature(name) for name in kinds}
    counts = draw(st.lists(st.integers(1, 4), max_size=2))
    (arm,), (tree,) = load_world("arm").chains, load_world("humanoid").trees
    prop_count = draw(st.integers(0, 3))
    made = {
        "creatures": placements,
        "species": species,
        "chains": tuple(arm.model_copy(update={"bones": (1.0,) * n}) for n in counts),
        "trees": (tree,) * draw(st.integers(0, 1)),
        "props": load_world("platforms").props[:1] * prop_count,
    }
    world = load_world("meadow").model_copy(update=made)

    def numbers(*shape: int) -> Floats:
        return rng.uniform(-2e3, 2e3, shape)

    def herd(name: str, members: Sequence[int]) -> HerdPose:
        n, plan = len(members), species[name]
        segments, legs = len(plan.boxes), len(plan.all_legs)
        joints = 1 + max(len(leg.bones) for leg in plan.all_legs)
        return HerdPose(
            np.array(members),
            numbers(n, segments, 3),
            numbers(n, segments, 4),
            numbers(n, legs, joints, 3),
            numbers(n, legs, 3),
            numbers(n, legs, 3),
            numbers(n, legs, 3),
            numbers(n, legs, 3),
            rng.random((n, legs)) < 0.5,
            np.ones(n, np.bool_),
        )

    def of_those_there(herd: HerdPose) -> HerdPose:
        """What a snapshot has: whoever is not there is in no array of it."""
        there = rng.random(len(herd.members)) < 0.8
        return HerdPose(*(getattr(herd, field.name)[there] for field in fields(herd)))

    herds = tuple(of_those_there(herd(name, members)) for name, members in world.herds)
    chains = tuple(
        ChainPose(numbers(1 + len(rig.bones), 3), numbers(1, 3))
        if isinstance(rig, ChainDef)
        else ChainPose(numbers(1 + len(rig.joints), 3), numbers(len(rig.targets), 3))
        for rig in world.rigs
    )
    props = NO_PROPS
    if prop_count:
        props = PropsPose(numbers(prop_count, 3), numbers(prop_count, 4))
    present = [herd for herd in herds if len(herd.members)]
    # Numbers are given in turn: whoever comes last may not have come yet.
    given_numbers = 1 + max((max(herd.members.tolist()) for herd in present), default=-1)
    return Pose(draw(ticks), tuple(present), chains, props, given_numbers), world


@pytest.mark.slow
@few
@given(poses())
def test_a_pose_comes_back_to_a_hundredth_of_a_millimetre(made: tuple[Pose, WorldDef]) -> None:
    pose, world = made
    found = decode_pose(orjson.loads(encode_pose(pose)), world)
    there = [herd for herd in found.herds if herd.is_there.any()]
    for (_, members), herd in zip(world.herds, found.herds, strict=True):
        assert herd.members.tolist() == list(members)
    assert found.creature_count == len(world.creatures)
    assert found.tick == pose.tick
    for herd, expected in zip(there, pose.herds, strict=True):
        rows = herd.is_there
        assert herd.members[rows].tolist() == expected.members.tolist()
        assert (herd.is_swinging[rows] == expected.is_swinging).all()
        for name in POSE_FIELDS:
            assert_near(getattr(herd, name)[rows], getattr(expected, name), abs=5.01e-6)
    for chain, wanted in zip(found.chains, pose.chains, strict=True):
        assert_near(chain.joints, wanted.joints, abs=5.01e-6)
        assert_near(chain.targets, wanted.targets, abs=5.01e-6)
    if len(pose.props.positions):
        assert_near(found.props.positions, pose.props.positions, abs=5.01e-6)
        assert_near(found.props.orientations, pose.props.orientations, abs=5.01e-6)
    else:
        assert len(found.props.positions) == 0


@pytest.mark.slow
@few
@given(poses())
def test_a_pose_of_a_newer_recording_comes_back(made: tuple[Pose, WorldDef]) -> None:
    pose, world = made
    rotations = {
        herd.members[0]: herd.orientations / np.linalg.norm(herd.orientations, axis=-1)[..., None]
        for herd in pose.herds
    }
    turned = [replace(herd, orientations=rotations[herd.members[0]]) for herd in pose.herds]
    pose = replace(pose, herds=tuple(turned))
    data = pose_codec.encode_pose(pose, 10_000)
    found = pose_codec.decode_pose(data, world)
    assert pose_codec.tick_of(data) == found.tick == pose.tick
    there = [herd for herd in found.herds if herd.is_there.any()]
    near = {"orientations": 5.01e-6, "normals": 5.01e-4, "headings": 5.01e-4, "joints": 2e-1}
    for herd, expected in zip(there, pose.herds, strict=True):
        rows = herd.is_there
        assert herd.members[rows].tolist() == expected.members.tolist()
        assert (herd.is_swinging[rows] == expected.is_swinging).all()
        for name in POSE_FIELDS:
            known = getattr(expected, name)
            assert_near(getattr(herd, name)[rows], known, abs=near.get(name, 5.01e-5))
        assert_near(herd.joints[rows, :, -1], expected.joints[:, :, -1], abs=5.01e-5)
    for chain, wanted in zip(found.chains, pose.chains, strict=True):
        assert_near(chain.joints, wanted.joints, abs=5.01e-5)
    if len(pose.props.positions):
        assert_near(found.props.positions, pose.props.positions, abs=5.01e-5)
    assert pose_bytes(pose_table(data)) != b""
    again = pose_codec.decode_pose(pose_bytes(pose_table(data)), world)
    for herd, other in zip(found.herds, again.herds, strict=True):
        assert all((getattr(herd, name) == getattr(other, name)).all() for name in POSE_FIELDS)


@pytest.mark.slow
@given(st.binary(max_size=300))
def test_other_bytes_are_no_pose(data: bytes) -> None:
    with contextlib.suppress(*WRONG):
        pose_codec.decode_pose(data, scene("meadow", "hexapod"))
        raise AssertionError("a pose was read")


@pytest.mark.slow
@few
@given(poses())
def test_whoever_is_not_there_is_shown_far_below_its_start(made: tuple[Pose, WorldDef]) -> None:
    pose, world = made
    found = decode_pose(orjson.loads(encode_pose(pose)), world)
    for herd in found.herds:
        for row in np.flatnonzero(~herd.is_there).tolist():
            x, y = world.creatures[herd.members[row]].position
            for points in (herd.positions, herd.joints, herd.goals, herd.footholds):
                assert (points[row] == (x, y, DEPTH)).all()
            assert not herd.is_swinging[row].any()
            assert np.isnan(found.positions[herd.members[row]]).all()


@pytest.mark.slow
@few
@given(poses())
def test_a_pose_of_more_creatures_than_there_ever_were_is_refused(
    made: tuple[Pose, WorldDef],
) -> None:
    pose, world = made
    message = orjson.loads(encode_pose(pose))
    message["creatures"] += [None] * (1 + len(world.creatures) - len(message["creatures"]))
    with pytest.raises(ValueError, match="creatures"):
        decode_pose(message, world)
