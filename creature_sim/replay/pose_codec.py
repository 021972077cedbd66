"""Poses as protobuf: how they are written, and read again from files that may hold anything."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.replay.packed import Fields, Numbers, number_at, shown_over
from creature_sim.replay.pose_arrays import (
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
    about = _about(scale, tape.reel.like.creature_count)
    ticks = slice(indices.start, indices.stop, indices.step)
    kept = [(shown, words[ticks]) for shown, words in tape.herds()]
    first, step = tape.first + indices.start, indices.step
    is_plain = len(kept) == 1 and not tape.has_others and kept[0][0].is_ordered
    if is_plain and len(kept[0][0].like.members):
        return messages_of(*kept[0], float(scale), about, (first, step))
    herds = [
        (shown.like.members.tolist(), creatures_of(shown, words, float(scale)))
        for shown, words in kept
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
    return number_at(data, 1)[0] if data[:1] == b"\x08" else 0


def decode_pose(data: bytes, world: WorldDef, version: str = FORMAT) -> Pose:
    """The pose of a /pose message of a world with all creatures that ever were.

    Args:
        data: of the message.
        world: with them.
        version: format of the file.

    Raises:
        ValueError, IndexError: it is something else.
    """
    fields = Fields(data)
    tick, scale, count = fields.plain(1), fields.plain(2), fields.plain(3)
    if count > len(world.creatures) or not 0 < scale <= FINE * 1000:
        raise ValueError(f"{count} creatures, {scale} in a metre")
    shapes = {name: pose_shapes(species) for name, species in world.species.items()}
    swinging: dict[int, list[bool]] = {}
    while fields.next_is(4):
        member, legs = _creature(fields, shapes, world, count, max(swinging, default=-1))
        swinging[member] = legs
    rigs = 0
    while fields.next_is(5):
        _blocks(fields, 5)
        rigs += 1
    has_props = fields.next_is(6)
    if has_props:
        _blocks(fields, 6)
    if fields.at != len(data) or rigs != len(world.rigs) or has_props != bool(world.props):
        raise ValueError("it does not fit the world")
    numbers = Numbers(fields.numbers())
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


def _blocks(fields: Fields, field: int) -> None:
    """Find the two fields of a rig or of the props."""
    end = fields.enter(field)
    fields.packed(1)
    fields.packed(2)
    fields.leave(end)


def _creature(
    fields: Fields,
    shapes: Mapping[str, Mapping[str, tuple[int, ...]]],
    world: WorldDef,
    count: int,
    before: int,
) -> tuple[int, list[bool]]:
    """Find the numbers of a creature; returns its own number, and which feet are in the air."""
    end = fields.enter(4)
    member = fields.plain(1)
    if not before < member < count:
        raise ValueError(f"creature {member}")
    mine = shapes[world.creatures[member].creature]
    for _ in range(mine["positions"][0]):
        _blocks(fields, 2)
    legs = []
    for _ in range(mine["goals"][0]):
        last = fields.enter(3)
        for field in range(1, 7):
            fields.packed(field)
        legs.append(fields.plain(7) != 0)
        fields.leave(last)
    fields.leave(end)
    return member, legs


def _arrays(
    numbers: Numbers, shapes: Mapping[str, tuple[int, ...]], scale: float, *, in_planes: bool
) -> dict[str, Floats]:
    """The arrays of one creature, as `HerdPose` has them."""
    segments, (legs, joints, _) = shapes["positions"][0], shapes["joints"]
    bodies = numbers.raw(segments, 7)
    feet = numbers.raw(legs, 15 + 3 * (joints - 1))
    positions = shown_over(bodies[:, :3], scale)
    orientations = shown_over(bodies[:, 3:], ROTATION_SCALE)
    points, directions = shown_over(feet[:, :9], scale), shown_over(feet[:, 9:15], DIRECTION_SCALE)
    inner = feet[:, 15:].reshape(legs, joints - 1, 3).astype(np.float64)
    if in_planes:
        body = np.concatenate((bodies[0, :3].astype(np.float64), orientations[0]))
        place_joints(inner, body, feet[:, :3].astype(np.float64))
    mine = shown_over(inner, scale)
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
