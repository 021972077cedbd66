"""Poses as protobuf: how they are written, and read again from files that may hold anything."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import WorldDef
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.replay.pose_arrays import (
    FARTHEST_POSE,
    away,
    pose_of_arrays,
    pose_shapes,
    rig_shapes,
)
from creature_sim.replay.pose_schema import block, number, plain
from creature_sim.replay.schemas import FORMAT, is_planar
from creature_sim.snapshots.leg_planes import place_joints
from creature_sim.snapshots.pose_bytes import (
    DIRECTION_SCALE,
    ROTATION_SCALE,
    creature_bytes,
)
from creature_sim.snapshots.pose_tapes import creatures_of, messages_of
from creature_sim.snapshots.poses import ChainPose, HerdPose, Pose, PropsPose, props_of
from creature_sim.snapshots.snapshot import ChainState
from creature_sim.snapshots.tapes import Tape

FINE, SMALL = 10_000, 0.2
"""Points are multiples of a tenth of a millimetre, in a world whose smallest legs are not shorter
than so much [m]; of a tenth of that for each tenth of it."""


def per_metre(world: WorldDef) -> int:
    """In how many parts points divide a metre."""
    reaches = [leg.reach for species in world.species.values() for leg in species.all_legs]
    smallest, found = min(reaches, default=SMALL), FINE
    while smallest < SMALL and found < FINE * 1000:
        smallest, found = smallest * 10.0, found * 10
    return found


def encode_pose(pose: Pose, scale: int, version: str = FORMAT) -> bytes:
    """The /pose message of a tick in a file of a format."""
    creatures: list[tuple[int, bytes]] = []
    for herd in pose.herds:
        data = creature_bytes(herd, herd.members, float(scale), is_planar=is_planar(version))
        creatures += zip(herd.members.tolist(), data, strict=True)
    head = plain(1, int(pose.tick)), _about(scale, pose.creature_count)
    return b"".join((*head, *_sorted(creatures), *_others(scale, pose.chains, pose.props)))


def encode_poses(tape: Tape, indices: range, scale: int) -> list[bytes]:
    """The messages of some ticks of a tape."""
    if not indices:
        return []
    about, shown = _about(scale, tape.reel.like.creature_count), tape.reel.shown
    words = tape.words[indices.start : indices.stop : indices.step]
    first, step = tape.first + indices.start, indices.step
    if len(shown) == 1 and not tape.has_others and shown[0].is_ordered:
        return messages_of(shown[0], words, float(scale), about, (first, step))
    herds = [
        (each.like.members.tolist(), creatures_of(each, words, float(scale))) for each in shown
    ]
    messages = []
    for place, index in enumerate(indices):
        found: list[tuple[int, bytes]] = []
        for members, data in herds:
            begin = place * len(members)
            found += zip(members, data[begin : begin + len(members)], strict=True)
        chains, props = tape.others(index)
        parts = plain(1, first + place * step), about, *_sorted(found)
        messages.append(b"".join((*parts, *_others(scale, chains, props_of(props)))))
    return messages


def _about(scale: int, creature_count: int) -> bytes:
    """What follows the tick."""
    return plain(2, scale) + plain(3, creature_count)


def _sorted(creatures: list[tuple[int, bytes]]) -> list[bytes]:
    """Creatures by number."""
    return [data for _, data in sorted(creatures)]


def _others(
    scale: int, chains: Sequence[ChainPose | ChainState], props: PropsPose
) -> Iterator[bytes]:
    """What comes behind the creatures."""
    for chain in chains:
        joints, targets = _packed(chain.joints, scale), _packed(chain.targets, scale)
        yield block(5, block(1, joints) + block(2, targets))
    if len(props.positions):
        positions = _packed(props.positions, scale)
        orientations = _packed(props.orientations, ROTATION_SCALE)
        yield block(6, block(1, positions) + block(2, orientations))


def _packed(values: Floats, scale: float) -> bytes:
    whole = np.floor(values * scale + 0.5).astype(np.int64).ravel()
    return b"".join([number(value) for value in ((whole << 1) ^ (whole >> 63)).tolist()])


def tick_of(data: bytes) -> int:
    """The tick that a message says: it comes first, and is left out where it is 0."""
    return _number(data, 1)[0] if data[:1] == b"\x08" else 0


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at += 1
        if byte < 128:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("a number of more than ten bytes")


class _Reader:
    """Fields in their order; packed numbers are only found, and decoded all at once."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0
        self._spans: list[bytes] = []

    def next_is(self, field: int) -> bool:
        """Whether a block of this field comes next."""
        return self.data[self.at : self.at + 1] == bytes((field << 3 | 2,))

    def plain(self, field: int) -> int:
        """A field that is a number; 0 where it is left out."""
        if self.data[self.at : self.at + 1] != bytes((field << 3,)):
            return 0
        value, self.at = _number(self.data, self.at + 1)
        return value

    def enter(self, field: int) -> int:
        """Begin with a message; returns where it ends."""
        if not self.next_is(field):
            raise ValueError(f"no field {field}")
        size, self.at = _number(self.data, self.at + 1)
        if self.at + size > len(self.data):
            raise ValueError("a field that is longer than its message")
        return self.at + size

    def leave(self, end: int) -> None:
        """End a message."""
        if self.at != end:
            raise ValueError("a field of another length")

    def packed(self, field: int) -> None:
        """Find packed numbers."""
        end = self.enter(field)
        self._spans.append(self.data[self.at : end])
        self.at = end

    def numbers(self) -> NDArray[np.int64]:
        """All packed numbers that were found."""
        found = np.frombuffer(b"".join(self._spans), np.uint8)
        ends = np.flatnonzero(found < 128)
        begins = np.concatenate(([0], ends[:-1] + 1))
        sizes = ends - begins + 1
        if len(found) and (not len(ends) or ends[-1] != len(found) - 1 or sizes.max() > 10):
            raise ValueError("no packed numbers")
        values = np.zeros(len(ends), np.uint64)
        for index in range(int(sizes.max()) if len(sizes) else 0):
            longer = sizes > index
            part = (found[begins[longer] + index] & 127).astype(np.uint64)
            values[longer] |= part << np.uint64(7 * index)
        return (values >> np.uint64(1)).view(np.int64) ^ -(values & np.uint64(1)).view(np.int64)


class _Numbers:
    """Numbers handed out in their order."""

    def __init__(self, values: NDArray[np.int64]) -> None:
        self._values, self._at = values, 0

    def take(self, scale: float, *shape: int) -> Floats:
        """The next ones over a scale; ValueError if there are none, or they cannot be shown."""
        return _shown(self.raw(*shape), scale)

    def raw(self, *shape: int) -> NDArray[np.int64]:
        """The next ones; ValueError if there are none."""
        size = int(np.prod(shape))
        found = self._values[self._at : self._at + size]
        self._at += size
        if len(found) != size:
            raise ValueError("numbers of another shape")
        return found.reshape(shape)

    def finish(self) -> None:
        """Refuse more numbers than were asked for."""
        if self._at != len(self._values):
            raise ValueError("more numbers than the world has")


def _shown(values: NDArray[Any], scale: float) -> Floats:
    """Numbers over a scale; ValueError if they cannot be shown."""
    found: Floats = values / scale
    if not (np.abs(found) <= FARTHEST_POSE).all():
        raise ValueError("a number that is too large to be shown")
    return found


def decode_pose(data: bytes, world: WorldDef, version: str = FORMAT) -> Pose:
    """The pose of a /pose message of a world with all creatures that ever were.

    Args:
        data: of the message.
        world: with them.
        version: format of the file.

    Raises:
        ValueError, IndexError: it is something else.
    """
    reader = _Reader(data)
    tick, scale, count = reader.plain(1), reader.plain(2), reader.plain(3)
    if count > len(world.creatures) or not 0 < scale <= FINE * 1000:
        raise ValueError(f"{count} creatures, {scale} in a metre")
    shapes = {name: pose_shapes(species) for name, species in world.species.items()}
    swinging: dict[int, list[bool]] = {}
    while reader.next_is(4):
        member, legs = _creature(reader, shapes, world, count, max(swinging, default=-1))
        swinging[member] = legs
    rigs = 0
    while reader.next_is(5):
        _blocks(reader, 5)
        rigs += 1
    has_props = reader.next_is(6)
    if has_props:
        _blocks(reader, 6)
    if reader.at != len(data) or rigs != len(world.rigs) or has_props != bool(world.props):
        raise ValueError("it does not fit the world")
    numbers = _Numbers(reader.numbers())
    found: dict[int, Mapping[str, object]] = {}
    for member, legs in swinging.items():
        mine = shapes[world.creatures[member].creature]
        arrays = _arrays(numbers, mine, float(scale), in_planes=is_planar(version))
        found[member] = {**arrays, "is_swinging": legs}
    chains = [
        ChainPose(*(numbers.take(float(scale), *shape) for shape in rig_shapes(rig)))
        for rig in world.rigs
    ]
    props = len(world.props)
    shown = PropsPose(numbers.take(float(scale), props, 3), numbers.take(ROTATION_SCALE, props, 4))
    numbers.finish()

    def herd(name: str, members: Sequence[int]) -> HerdPose:
        rows = [
            found.get(member) or away(shapes[name], world.creatures[member].position)
            for member in members
        ]
        return pose_of_arrays(rows, shapes[name], members, [member in found for member in members])

    herds = tuple(herd(name, members) for name, members in world.herds)
    return Pose(tick, herds, tuple(chains), shown, len(world.creatures))


def _blocks(reader: _Reader, field: int) -> None:
    """Find the two fields of a rig or of the props."""
    end = reader.enter(field)
    reader.packed(1)
    reader.packed(2)
    reader.leave(end)


def _creature(
    reader: _Reader,
    shapes: Mapping[str, Mapping[str, tuple[int, ...]]],
    world: WorldDef,
    count: int,
    before: int,
) -> tuple[int, list[bool]]:
    """Find the numbers of a creature; returns its own number, and which feet are in the air."""
    end = reader.enter(4)
    member = reader.plain(1)
    if not before < member < count:
        raise ValueError(f"creature {member}")
    mine = shapes[world.creatures[member].creature]
    for _ in range(mine["positions"][0]):
        _blocks(reader, 2)
    legs = []
    for _ in range(mine["goals"][0]):
        last = reader.enter(3)
        for field in range(1, 7):
            reader.packed(field)
        legs.append(reader.plain(7) != 0)
        reader.leave(last)
    reader.leave(end)
    return member, legs


def _arrays(
    numbers: _Numbers, shapes: Mapping[str, tuple[int, ...]], scale: float, *, in_planes: bool
) -> dict[str, Floats]:
    """The arrays of one creature, as `HerdPose` has them."""
    segments, (legs, joints, _) = shapes["positions"][0], shapes["joints"]
    bodies = numbers.raw(segments, 7)
    feet = numbers.raw(legs, 15 + 3 * (joints - 1))
    positions = _shown(bodies[:, :3], scale)
    orientations = _shown(bodies[:, 3:], ROTATION_SCALE)
    points, directions = _shown(feet[:, :9], scale), _shown(feet[:, 9:15], DIRECTION_SCALE)
    inner = feet[:, 15:].reshape(legs, joints - 1, 3).astype(np.float64)
    if in_planes:
        body = np.concatenate((bodies[0, :3].astype(np.float64), orientations[0]))
        place_joints(inner, body, feet[:, :3].astype(np.float64))
    mine = _shown(inner, scale)
    turn = rotation_matrices(orientations[:1])[0]
    shown = positions[0] + sum(mine[..., axis, None] * turn[:, axis] for axis in range(3))
    return {
        "positions": positions,
        "orientations": orientations,
        "joints": np.concatenate((shown, points[:, None, :3]), axis=1),
        "goals": points[:, 3:6],
        "footholds": points[:, 6:9],
        "normals": directions[:, :3],
        "headings": directions[:, 3:],
    }
