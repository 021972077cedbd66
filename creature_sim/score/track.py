"""One creature over a run, as arrays whose first axis is the tick."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    KINEMATIC,
    WALKING,
    WALKS,
    GravityRecord,
    Plan,
    PropRecord,
    Records,
    RecordTable,
    Solids,
)
from creature_sim.definitions import CreatureDef
from creature_sim.definitions.hinging import Joint
from creature_sim.locomotion.gravity import ups_at
from creature_sim.maths import Floats
from creature_sim.maths.geometry import pitched, rotation_matrices
from creature_sim.score.reading import Flags, spans, stretch_of

EVERY_TICK = slice(None)


@dataclass(frozen=True)
class PropsTrack:
    """The props of a world over a run.

    Attributes:
        solids: their shapes.
        records: (T, P).
    """

    solids: Solids
    records: RecordTable[PropRecord]


@dataclass(frozen=True)
class TwinTrack:
    """What forces did to a creature over a run.

    Attributes:
        work: (T,) of its motors in each tick [J].
        strain: (T,) largest torque that was asked for, over what its motor has.
        is_down: (T,) whether it has fallen, and is not on its feet yet.
    """

    work: Floats
    strain: Floats
    is_down: Flags


@dataclass(frozen=True)
class Track:
    """A run as arrays: T ticks, S segments, L legs, J joints of the longest leg.

    Attributes:
        definition: the body plan.
        plan: its numbers.
        gravity: (1,) the field of the world.
        tick_rate: ticks per second.
        position: (T, 3) of the body [m, world].
        positions: (T, S, 3) of the middles of all segments [m, world].
        orientations: (T, S, 4) of all segments, xyzw.
        centre: (T, 3) of the weight of all segments [m, world].
        velocity: (T, 2) along X and Y of the segment that leads [m/s].
        yaw_rate: (T,) about its Z [rad/s].
        wanted: (T, 4) velocity x, y [m/s], yaw rate [rad/s] and height [-1, 1] that the command
            asks for, after the gait's limit.
        duty_factor: (T,) of the gait.
        phase: (T,) of its cycle [0, 1).
        phase_offset: (T, L) of the legs in it [0, 1).
        age: (T,) ticks since the creature came, or was put back to its start.
        cycle: (T,) index of the gait's cycle in use.
        joints: (T, L, J, 3) hip to tip [m, world].
        foot: (T, L, 3) where the tip should be [m, world].
        foot_rotation: (T, L, 4) xyzw.
        foot_roll: (T, L) how far their soles have rolled, toes up [rad].
        foot_prop: (T, L) index of the prop that a foot stands on or will stand on; -1: the ground.
        flight: (T,) stage of a leap or fall: WALKING, CROUCHING ...
        run: (T,) of a body that runs: WALKS, PUSHES or FLIES.
        is_braced: (T,) whether a motion holds the body where it is, whatever the command asks for.
        is_static: (T,) whether the gait means to keep the weight over three feet or more.
        props: of the world; None where there are none.
        twin: what forces did; None where none move it.
        is_swinging: (T, L); a lost leg counts as in the air.
        is_lost: (T, L); a leg whose foot events lead counts as lost.
        is_led: (T, L) whether events lead its foot.
        is_held_back: (T,) whether a wall, the border or another creature stops the body, or a foot
            that must step finds no ground to step on.
        progress: (T, L) of the swing [0, 1].
        reason: (T, L) why a foot stepped last, or would step: an index of REASONS.
        passes: (T, L) of FABRIK that solved each leg.
        is_laid: (T, L) whether its bones were laid instead, because passes did not arrive.
        finds_nothing: (T,) whether a foot that must step finds no ground to step on.
        is_waiting: (T,) whether the body goes slower for feet that have to step high.
        begin: snapshots of the run before the creature was there.
    """

    definition: CreatureDef
    plan: Plan
    gravity: Records[GravityRecord]
    tick_rate: int
    position: Floats
    positions: Floats
    orientations: Floats
    centre: Floats
    velocity: Floats
    yaw_rate: Floats
    wanted: Floats
    duty_factor: Floats
    phase: Floats
    phase_offset: Floats
    age: NDArray[np.int64]
    cycle: NDArray[np.int64]
    joints: Floats
    foot: Floats
    foot_rotation: Floats
    foot_roll: Floats
    is_swinging: Flags
    is_lost: Flags
    is_led: Flags
    is_held_back: Flags
    progress: Floats
    reason: NDArray[np.int64]
    foot_prop: NDArray[np.int64]
    passes: NDArray[np.int64]
    is_laid: Flags
    finds_nothing: Flags
    is_waiting: Flags
    is_braced: Flags
    is_static: Flags
    flight: NDArray[np.int64]
    run: NDArray[np.int64]
    props: PropsTrack | None = None
    twin: TwinTrack | None = None
    begin: int = 0

    @property
    def orientation(self) -> Floats:
        """Orientation of the first segment, (T, 4) xyzw."""
        return self.orientations[:, 0]

    @cached_property
    def level_rotation(self) -> Floats:
        """How soles would lie had they not rolled onto heels or toes, (T, L, 4) xyzw."""
        return pitched(self.foot_rotation, self.foot_roll)

    @cached_property
    def tips(self) -> Floats:
        """Solved tips, (T, L, 3) [m, world]: of a sole that has rolled where its middle would be.

        That stays where it is while the sole turns about its heel or its toe: if these do not slip.
        """
        legs, roll = self.plan.legs, self.foot_roll
        ends = np.where(roll > 0.0, -legs["heel"], legs["toe"]) * (roll != 0.0)
        toes, level = (
            rotation_matrices(turns)[..., 0] for turns in (self.foot_rotation, self.level_rotation)
        )
        found: Floats = self.joints[:, :, -1] + ends[..., None] * (toes - level)
        return found

    @property
    def hips(self) -> Floats:
        """Hips, (T, L, 3) [m, world]."""
        return self.joints[:, :, 0]

    @cached_property
    def stretch(self) -> Floats:
        """How far legs are stretched, (T, L): see `stretch_of`."""
        return stretch_of(self.plan, self.joints)

    @cached_property
    def reach(self) -> Floats:
        """Reach of each leg, (L,) [m]."""
        return np.array([leg.reach for leg in self.definition.all_legs])

    @cached_property
    def leg_joints(self) -> tuple[tuple[Joint, ...], ...]:
        """The joints of each leg, as the plan limits them."""
        return self.definition.leg_joints

    @property
    def up(self) -> Floats:
        """The body's Z, (T, 3) [world]."""
        return rotation_matrices(self.orientation)[..., 2]

    def ups_at(self, points: Floats) -> Floats:
        """Unit directions against gravity at points (..., 3) [m, world], (..., 3)."""
        return ups_at(self.gravity[0], points.reshape(-1, 3)).reshape(points.shape)

    @property
    def climbs(self) -> bool:
        """Whether its up is that of what it stands on."""
        return bool(self.plan.body[0].climbs)

    @property
    def foot_ups(self) -> Floats:
        """Up of every tip, (T, L, 3) [world]: against gravity; of who climbs along its sole."""
        if not self.climbs:
            return self.ups_at(self.tips)
        return rotation_matrices(self.level_rotation)[..., 2]

    def body_ups(self, points: Floats, ticks: NDArray[np.int64] | slice = EVERY_TICK) -> Floats:
        """Up at points (K, ..., 3) [m, world] of the body: against gravity; of who climbs its Z.

        Args:
            points: that belong to a tick each.
            ticks: (K,) which.
        """
        if not self.climbs:
            return self.ups_at(points)
        up = self.up[ticks]
        return np.broadcast_to(up.reshape(len(up), *(1,) * (points.ndim - 2), 3), points.shape)

    def level_ups(self, points: Floats) -> Floats:
        """Up at points (..., 3) [m, world] if the ground is level: of who climbs its mean Z."""
        if not self.climbs:
            return self.ups_at(points)
        mean = self.up.mean(axis=0)
        return np.broadcast_to(mean / max(float(np.linalg.norm(mean)), 1e-9), points.shape)

    def altitudes(self, points: Floats) -> Floats:
        """Altitudes of points (..., 3) [m, world], (...) [m]: level ground has one altitude.

        Measured from the middle of a planet; elsewhere the world's Z, or the Z of who climbs.
        """
        found: Floats = (self.level_ups(points) * (points - self.gravity[0].centre)).sum(axis=-1)
        return found

    @property
    def ahead(self) -> Floats:
        """The body's X, (T, 3) [world]."""
        return rotation_matrices(self.orientation)[..., 0]

    @cached_property
    def is_put_back(self) -> Flags:
        """Whether a reset put the creature back to its start in a tick, (T,): it did not walk."""
        return np.concatenate(([False], self.age[1:] <= self.age[:-1]))

    @cached_property
    def asked_twists(self) -> Floats:
        """Velocity x, y [m/s] and yaw rate [rad/s] of a body that follows the commands, (T, 3).

        As fast as its plan accelerates.
        """
        body = self.plan.body[0]
        change = float(body.acceleration) / self.tick_rate
        change_of_turn = float(body.turn_acceleration) / self.tick_rate
        vx = vy = rate = 0.0
        twists = []
        for (x, y, turn), begins in zip(self.wanted[:, :3].tolist(), self.is_put_back, strict=True):
            if begins:
                vx = vy = rate = 0.0
            gap = np.hypot(x - vx, y - vy)
            fraction = change / gap if gap > change else 1.0
            vx, vy = vx + fraction * (x - vx), vy + fraction * (y - vy)
            rate += min(max(turn - rate, -change_of_turn), change_of_turn)
            twists.append((vx, vy, rate))
        return np.array(twists)

    @property
    def is_walled(self) -> Flags:
        """Whether a wall, the border or another creature stops the body, (T,)."""
        return self.is_held_back & ~self.finds_nothing

    @property
    def leaps(self) -> Flags:
        """Whether a leap or fall carries the creature, from its crouch to its rest, (T,)."""
        flags: Flags = self.flight != WALKING
        return flags

    @property
    def runs(self) -> Flags:
        """Whether the creature goes from flight to flight, or is about to, (T,)."""
        flags: Flags = (self.run != WALKS) | (self.plan.cycles["flies"][self.cycle] == 1)
        return flags

    @property
    def is_asked_to_move(self) -> Flags:
        """Whether the command asks to move, (T,)."""
        flags: Flags = np.abs(self.wanted[:, :3]).max(axis=1) > 1e-6
        return flags

    @property
    def is_astride(self) -> Flags:
        """Whether feet stand on more than one thing of which one has a path of its own, (T,)."""
        if self.props is None:
            return np.zeros(len(self.foot_prop), bool)
        has_path = self.props.solids.records["motion"] == KINEMATIC
        is_on = (self.foot_prop >= 0) & has_path[self.foot_prop]
        is_one = (self.foot_prop == self.foot_prop[:, :1]).all(axis=1)
        flags: Flags = is_on.any(axis=1) & ~is_one
        return flags

    def tips_on(self, leg: int, first: int, last: int) -> Floats:
        """Tips of a stance, (K, 3) [m], in the frame of the prop that the foot stands on."""
        tips, prop = self.tips[first:last, leg], int(self.foot_prop[first, leg])
        if self.props is None or prop < 0:
            return tips
        records = self.props.records[first:last, prop]
        seen: Floats = np.einsum(
            "kji,kj->ki", rotation_matrices(records["orientation"]), tips - records["position"]
        )
        return seen

    def feet_on(self, leg: int, first: int, last: int) -> Floats:
        """Axes of the foot of a stance, (K, 3, 3), in the frame of the prop that it stands on.

        Those of a sole that had not rolled.
        """
        feet = rotation_matrices(self.level_rotation[first:last, leg])
        prop = int(self.foot_prop[first, leg])
        if self.props is None or prop < 0:
            return feet
        turns = rotation_matrices(self.props.records[first:last, prop]["orientation"])
        return turns.swapaxes(1, 2) @ feet

    def slides(self) -> Floats:
        """Displacement of tips in each tick relative to what they stood on, (T - 1, L, 3) [m].

        None where the creature was put back to its start.
        """
        tips = self.tips
        fixed = tips[:-1].copy()  # where a tip fixed to what it stood on would be now
        for prop in range(self.props.records.shape[1] if self.props else 0):
            assert self.props is not None
            there = _carried(self.props.records[:, prop], fixed)
            fixed = np.where((self.foot_prop[:-1] == prop)[..., None], there, fixed)
        return np.where(self.is_put_back[1:, None, None], 0.0, tips[1:] - fixed)

    @cached_property
    def ways(self) -> Floats:
        """Displacement of the body in each tick relative to what it stood on, (T, 3) [m].

        It goes by the mean of what carries its feet; 0 at first.
        """
        here, now = self.position[:-1], self.position[1:]
        stood = ~self.is_swinging[:-1]
        feet = np.maximum(1, stood.sum(axis=1))[:, None]
        found = np.zeros(self.position.shape)
        found[1:] = now - here
        for prop in range(self.props.records.shape[1] if self.props else 0):
            assert self.props is not None
            there = _carried(self.props.records[:, prop], here[:, None])[:, 0]
            on = (stood & (self.foot_prop[:-1] == prop)).sum(axis=1)[:, None]
            found[1:] -= (there - here) * on / feet
        return found

    def stances(self) -> Iterator[tuple[int, int, int]]:
        """Leg, first tick and last tick + 1 of every stance."""
        yield from spans(~self.is_swinging, self.is_put_back)

    def swings(self) -> Iterator[tuple[int, int, int]]:
        """Leg, first tick and last tick + 1 of every swing of a step: none of a leap."""
        for leg, first, last in spans(self.is_swinging & ~self.is_lost, self.is_put_back):
            if not self.leaps[first:last].any():
                yield leg, first, last


def _carried(records: Records[PropRecord], points: Floats) -> Floats:
    """Where points that are fixed to a prop are a tick later, (T - 1, K, 3) [m, world].

    Args:
        records: (T,) of the prop.
        points: (T - 1, K, 3) where they are [m, world].
    """
    turns = rotation_matrices(records["orientation"])
    seen = np.einsum("tji,tlj->tli", turns[:-1], points - records["position"][:-1, None])
    found: Floats = np.einsum("tij,tlj->tli", turns[1:], seen) + records["position"][1:, None]
    return found
