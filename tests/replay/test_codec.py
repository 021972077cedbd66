"""Messages of a replay say all that is in an input or a pose, and nothing else."""

from collections.abc import Sequence

import numpy as np
import orjson
from hypothesis import assume, given
from hypothesis import strategies as st

from creature_sim.inputs import Input
from creature_sim.maths import Floats
from creature_sim.replay.codec import decode_input, decode_pose, encode_input, encode_pose
from creature_sim.replay.hash_chain import Chain
from creature_sim.snapshots.poses import NO_PROPS, ChainPose, HerdPose, Pose, PropsPose
from tests.arrays import assert_near
from tests.test_inputs import inputs

ticks = st.integers(0, 2**53 - 1)
texts = st.text("0123456789abcdef", min_size=16, max_size=16)
digests = st.lists(st.dictionaries(st.sampled_from("abc"), texts, min_size=1), min_size=1)
runs = st.lists(st.tuples(st.binary(max_size=20), digests), min_size=1, max_size=5)


@given(ticks, inputs)
def test_an_input_comes_back_as_it_was(tick: int, given_input: Input) -> None:
    message = encode_input(tick, given_input)
    found = decode_input(orjson.loads(message))
    assert found == given_input
    assert encode_input(tick, found) == message
    assert orjson.loads(message)["tick"] == tick


@given(ticks, inputs, inputs)
def test_other_inputs_have_other_messages(tick: int, first: Input, second: Input) -> None:
    assume(first != second)
    assert encode_input(tick, first) != encode_input(tick, second)


def ends(run: Sequence[tuple[bytes, Sequence[dict[str, str]]]]) -> list[str]:
    chain = Chain(b"world")
    return [chain.add(given_bytes, parts) for given_bytes, parts in run]


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
def poses(draw: st.DrawFn) -> tuple[Pose, list[list[int]]]:
    """A pose and the members of its herds."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    sizes = draw(st.lists(st.tuples(*[st.integers(1, 4)] * 4), max_size=3))

    def numbers(*shape: int) -> Floats:
        return rng.uniform(-2e3, 2e3, shape)

    members = np.split(
        rng.permutation(sum(size[0] for size in sizes)), np.cumsum([size[0] for size in sizes])[:-1]
    )
    herds = tuple(
        HerdPose(
            np.array(members[herd]),
            numbers(n, segments, 3),
            numbers(n, segments, 4),
            numbers(n, legs, joints, 3),
            numbers(n, legs, 3),
            numbers(n, legs, 3),
            numbers(n, legs, 3),
            rng.random((n, legs)) < 0.5,
        )
        for herd, (n, segments, legs, joints) in enumerate(sizes)
    )
    chains = tuple(
        ChainPose(numbers(joints, 3), numbers(joints % 2 + 1, 3))
        for joints in draw(st.lists(st.integers(2, 5), max_size=2))
    )
    count = draw(st.integers(0, 3))
    props = PropsPose(numbers(count, 3), numbers(count, 4)) if count else NO_PROPS
    return Pose(draw(ticks), herds, chains, props), [
        part.tolist() for part in members[: len(herds)]
    ]


@given(poses())
def test_a_pose_comes_back_to_a_hundredth_of_a_millimetre(
    made: tuple[Pose, list[list[int]]],
) -> None:
    pose, members = made
    found = decode_pose(orjson.loads(encode_pose(pose)), members)
    assert found.tick == pose.tick
    for herd, expected in zip(found.herds, pose.herds, strict=True):
        assert herd.members.tolist() == expected.members.tolist()
        assert (herd.is_swinging == expected.is_swinging).all()
        for name in ("positions", "orientations", "joints", "normals", "goals", "footholds"):
            assert_near(getattr(herd, name), getattr(expected, name), abs=5.01e-6)
    for chain, wanted in zip(found.chains, pose.chains, strict=True):
        assert_near(chain.joints, wanted.joints, abs=5.01e-6)
        assert_near(chain.targets, wanted.targets, abs=5.01e-6)
    if len(pose.props.positions):
        assert_near(found.props.positions, pose.props.positions, abs=5.01e-6)
        assert_near(found.props.orientations, pose.props.orientations, abs=5.01e-6)
    else:
        assert len(found.props.positions) == 0
