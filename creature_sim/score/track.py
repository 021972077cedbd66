"""One creature over a run, as arrays whose first axis is the tick."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    LOST,
    NOT_FOUND,
    STANDING,
    GravityRecord,
    Plan,
    PropRecord,
    Records,
    RecordTable,
    Solids,
)
from creature_sim.definitions import CreatureDef
from creature_sim.inputs import FULL
from creature_sim.locomotion.gravity import ups_at
from creature_sim.locomotion.search import PRESSING
from creature_sim.locomotion.workspace import wanted_twist
from creature_sim.maths import Floats
from creature_sim.props.shapes import solids_of
from creature_sim.snapshots.snapshot import HerdState, Snapshot

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class PropsTrack:
    """The props of a world over a run.

    Attributes:
        solids: what they are.
        records: (T, P).
    """

    solids: Solids
    records: RecordTable[PropRecord]


@dataclass(frozen=True)
class Track:
    """What metrics look at; T ticks, L legs, J joints of the longest leg.

    Attributes:
        definition: the body plan.
        plan: its numbers.
        gravity: (1,) the world's field.
        tick_rate: ticks per second.
        position: (T, 3) of the body [m, world].
        orientations: (T, S, 4) of all segments, xyzw.
        centre: (T, 3) of all segments: where the weight is [m, world].
        velocity: (T, 2) along the body's X and Y [m/s].
        yaw_rate: (T,) about the body's Z [rad/s].
        wanted: (T, 4) velocity x, y, yaw rate and height that the command asks for, after the
            gait's cap.
        duty_factor: (T,) of the gait.
        phase: (T,) of its cycle [0, 1).
        cycle: (T,) which of its cycles that is.
        joints: (T, L, J, 3) hip to tip [m, world].
        foot: (T, L, 3) where the tip was wanted [m, world].
        foot_rotation: (T, L, 4) xyzw.
        foot_prop: (T, L) which prop a foot stands on, or will; -1 for the ground.
        props: where those are; None in a world without any.
        is_swinging: (T, L); a lost leg counts as in the air.
        is_lost: (T, L).
        is_held_back: (T,) whether a wall or the border stops it, or a foot that must step finds no
            ground to step on.
        progress: (T, L) of the swing.
    """

    definition: CreatureDef
    plan: Plan
    gravity: Records[GravityRecord]
    tick_rate: int
    position: Floats
    orientations: Floats
    centre: Floats
    velocity: Floats
    yaw_rate: Floats
    wanted: Floats
    duty_factor: Floats
    phase: Floats
    cycle: NDArray[np.int64]
    joints: Floats
    foot: Floats
    foot_rotation: Floats
    is_swinging: Flags
    is_lost: Flags
    is_held_back: Flags
    progress: Floats
    foot_prop: NDArray[np.int64]
    props: PropsTrack | None = None

    @property
    def orientation(self) -> Floats:
        """Of the first segment, (T, 4) xyzw."""
        return self.orientations[:, 0]

    @property
    def tips(self) -> Floats:
        """Solved tips, (T, L, 3) [m, world]."""
        return self.joints[:, :, -1]

    @property
    def hips(self) -> Floats:
        """Hips, (T, L, 3) [m, world]."""
        return self.joints[:, :, 0]

    @cached_property
    def reach(self) -> Floats:
        """Reach of every leg, (L,) [m]."""
        return np.array([leg.reach for leg in self.definition.all_legs])

    @property
    def up(self) -> Floats:
        """The body's Z, (T, 3) [world]."""
        return ups(self.orientation)

    def ups_at(self, places: Floats) -> Floats:
        """Unit directions against the weight at places (..., 3) [m, world], (..., 3)."""
        return ups_at(self.gravity[0], places.reshape(-1, 3)).reshape(places.shape)

    def altitudes(self, places: Floats) -> Floats:
        """How high places (..., 3) [m, world] are, (...) [m]: level ground has one altitude.

        From the middle of a planet; elsewhere the world's Z.
        """
        found: Floats = (self.ups_at(places) * (places - self.gravity[0].centre)).sum(axis=-1)
        return found

    @property
    def ahead(self) -> Floats:
        """The body's X, (T, 3) [world]."""
        x, y, z, w = self.orientation.T
        return np.stack((1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)), -1)

    @property
    def is_asked_to_move(self) -> Flags:
        """Whether the command of a tick is to move, (T,)."""
        flags: Flags = np.abs(self.wanted[:, :3]).max(axis=1) > 1e-6
        return flags

    def tips_on(self, leg: int, first: int, last: int) -> Floats:
        """Tips of a stance, (K, 3), as whoever rides on what the foot stands on sees them [m]."""
        tips, prop = self.tips[first:last, leg], int(self.foot_prop[first, leg])
        if self.props is None or prop < 0:
            return tips
        records = self.props.records[first:last, prop]
        seen: Floats = np.einsum(
            "kji,kj->ki", turns_of(records["orientation"]), tips - records["position"]
        )
        return seen

    def slides(self) -> Floats:
        """How far tips move in each tick over what they stood on before it, (T - 1, L, 3) [m]."""
        tips = self.tips
        fast = tips[:-1].copy()
        for prop in range(self.props.records.shape[1] if self.props else 0):
            assert self.props is not None
            records = self.props.records[:, prop]
            turns = turns_of(records["orientation"])
            seen = np.einsum("tji,tlj->tli", turns[:-1], fast - records["position"][:-1, None])
            there = np.einsum("tij,tlj->tli", turns[1:], seen) + records["position"][1:, None]
            fast = np.where((self.foot_prop[:-1] == prop)[..., None], there, fast)
        return tips[1:] - fast

    def stances(self) -> Iterator[tuple[int, int, int]]:
        """Leg, first tick and last tick + 1 of every time that a foot stood."""
        yield from spans(~self.is_swinging)

    def swings(self) -> Iterator[tuple[int, int, int]]:
        """Leg, first tick and last tick + 1 of every time that a foot was in the air."""
        yield from spans(self.is_swinging & ~self.is_lost)


def turns_of(orientations: Floats) -> Floats:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4), xyzw."""
    x, y, z, w = np.moveaxis(orientations, -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def ups(orientations: Floats) -> Floats:
    """Z of frames (..., 4), (..., 3) [world]."""
    x, y, z, w = np.moveaxis(orientations, -1, 0)
    return np.stack((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)), -1)


def spans(flags: Flags) -> Iterator[tuple[int, int, int]]:
    """Leg, first tick and last tick + 1 of every run of true flags (T, L)."""
    closed = np.zeros((1, flags.shape[1]), bool)
    padded = np.concatenate((closed, flags, closed))
    for leg in range(flags.shape[1]):
        changes = np.flatnonzero(padded[1:, leg] != padded[:-1, leg]).tolist()
        yield from ((leg, *span) for span in zip(changes[::2], changes[1::2], strict=True))


def tracks(snapshots: Iterable[Snapshot], tick_rate: int) -> list[Track]:
    """The tracks of all creatures of a run, by number: each while it was there."""
    rows: dict[int, list[tuple[object, ...]]] = {}
    begins: dict[int, int] = {}
    herds: dict[int, HerdState] = {}
    gravity: Records[GravityRecord] | None = None
    solids, props = None, []
    for index, snapshot in enumerate(snapshots):
        gravity = snapshot.gravity
        if snapshot.props:
            solids = solids or solids_of(snapshot.props.definitions)
            props.append(snapshot.props.records)
        for creature in snapshot.creatures:
            begins.setdefault(creature.number, index)
            herds.setdefault(creature.number, creature.herd)
            body, feet, footholds = creature.body, creature.feet, creature.footholds
            command = creature.herd.parts["command"]["records"][creature.row]
            rows.setdefault(creature.number, []).append(
                (
                    body["position"],
                    creature.segments["orientation"],
                    creature.segments["position"].mean(axis=0),
                    body["velocity"][:2],
                    body["yaw_rate"],
                    tuple(command),
                    creature.gait["duty_factor"],
                    creature.gait["phase"],
                    creature.gait["cycle"],
                    creature.joints,
                    feet["position"],
                    creature.foot_rotations,
                    feet["phase"] != STANDING,
                    feet["phase"] == LOST,
                    creature.gait["is_held"] == 1
                    or ((footholds["status"] == NOT_FOUND) & (feet["urgency"] > PRESSING)).any(),
                    feet["progress"],
                    feet["prop"],
                )
            )
    found = []
    for number in sorted(rows):
        herd, row, begin = herds[number], rows[number], begins[number]
        columns: list[Any] = [np.array(column) for column in zip(*row, strict=True)]
        columns[5] = _wanted(herd.plan, columns[5])
        assert gravity is not None
        track = Track(herd.definition, herd.plan, gravity, tick_rate, *columns)
        if solids:
            records: Any = np.array(props[begin : begin + len(row)])
            track = replace(track, props=PropsTrack(solids, records))
        found.append(track)
    return found


def _wanted(plan: Plan, commands: NDArray[np.int64]) -> Floats:
    """Velocity, yaw rate and height that commands (T, 4) ask for, after the gait's cap."""
    pairs, where = np.unique(commands, axis=0, return_inverse=True)
    twists = [
        (*wanted_twist(plan.body[0], plan.cycles, plan.legs, *axes), axes[-1])
        for axes in (pairs / FULL).tolist()
    ]
    return np.array(twists)[where.reshape(-1)]
