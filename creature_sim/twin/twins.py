"""The twins of a herd: a tick of them, from what their walks want to where they are."""

from dataclasses import dataclass, field
from functools import cached_property

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    BESIDE_WALK,
    BY_ANGLES,
    DRAWS_IN,
    ROLLS_OVER,
    UPRIGHT,
    Body,
    CommandRecord,
    FootRecord,
    FootTarget,
    GaitRecord,
    GravityRecord,
    Head,
    LegChain,
    Plan,
    Records,
    RecordTable,
    Twin,
    TwinRecord,
)
from creature_sim.inputs import FULL
from creature_sim.maths import Floats, Vec, Z, norm, scale, unit
from creature_sim.maths.jit import unchecked
from creature_sim.twin.building import Machine
from creature_sim.twin.catching import reach_out
from creature_sim.twin.driving import Step, drive
from creature_sim.twin.easing import ease
from creature_sim.twin.goals import find_goals
from creature_sim.twin.headings import keep_heading
from creature_sim.twin.hurrying import note_pulls
from creature_sim.twin.links import Hinges
from creature_sim.twin.motion import BASE, Motion, motion_for, take_states, write_states
from creature_sim.twin.multibody import Multibody
from creature_sim.twin.orders import Orders, give_orders, room_for
from creature_sim.twin.righting import bend_aside, leg_rate, move_on, roll_over
from creature_sim.twin.shifting import shift_goals
from creature_sim.twin.showing import press, show
from creature_sim.twin.toppling import come_back, poses_of, topple_over

ROUND = 2.0
"""A ball of so many reaches of its legs holds a creature."""
FARTHEST = 4.0
"""No command is farther from another one than this many full ones: running, back and forth."""


@dataclass
class Twins:
    """What moves the N twins of a herd. A component; all state is in `Twin`.

    Attributes:
        machine: what they are made of.
        bodies: in pybullet.
        ramp: fraction of a full command by which theirs may change in a second.
    """

    machine: Machine
    bodies: list[Multibody]
    ramp: float
    _pace: float = field(init=False)
    _motion: Motion = field(init=False)
    _wanted: Motion = field(init=False)
    _orders: Orders = field(init=False)

    def __post_init__(self) -> None:
        """Make room for one of them."""
        self._pace = leg_rate(self.machine.links, self.machine.gains)
        count = len(self.machine.robot.links)
        self._motion, self._wanted = motion_for(count), motion_for(count)
        # Of one machine all arguments have the same types, a dozen arrays each: to look them up
        # took a tenth of a tick.
        self._give_orders, self._find_goals = unchecked(give_orders), unchecked(find_goals)
        self._reach_out = unchecked(reach_out)
        self._shift_goals, self._drive = unchecked(shift_goals), unchecked(drive)
        self._take_states, self._show = unchecked(take_states), unchecked(show)

    @cached_property
    def _poses(self) -> Floats:
        """Those in which one topples over; most twins never fall."""
        return poses_of(self.machine.links)

    @property
    def topples(self) -> bool:
        """Whether one that lies topples over, see `toppling`, instead of rolling over."""
        return len(self._poses) > 0

    def ease(
        self,
        twin: Twin,
        plan: Plan,
        gaits: Records[GaitRecord],
        commands: Records[CommandRecord],
        gravity: GravityRecord,
        dt: float,
    ) -> None:
        """Bring commands (N,) to those that these twins can follow in a tick, on their headings."""
        keep_heading(plan.body[0], commands, twin.records, gravity, dt)
        step = round(min(self.ramp * dt, FARTHEST) * FULL)
        ease(commands, twin.records, gaits, max(1, step))

    def begin(
        self,
        twin: Twin,
        body: Body,
        head: Head,
        chain: LegChain,
        feet: FootTarget,
        down: Vec,
        dt: float,
    ) -> None:
        """Take what is wanted at the end of the tick, and put the bodies where they are.

        Where gravity goes down [m/s^2, world], and a tick is so long [s].
        """
        links, bases, up = self.machine.links, twin.records, unit(scale(down, -1.0), Z)
        is_upright = bases["stage"] == UPRIGHT
        is_beside = is_upright & (bases["led"] == BESIDE_WALK)
        is_held = is_upright & (bases["led"] == BY_ANGLES)
        old = twin.goals.copy()
        pulls = np.zeros_like(old)
        hinges = Hinges(twin.angles, twin.rates, old, twin.goals, pulls, twin.torques)
        self._orders = room_for(bases, is_held, hinges, len(links.owner))
        self._give_orders(links, self._orders, body.records, feet.records, twin.contacts, dt)
        twin.joints[:], twin.rotations[:] = chain.joints, chain.rotations
        self._find_goals(links, body.records, head.records, chain.rotations, twin.goals)
        if not is_upright.all() or is_beside.any() or is_held.any():
            self._lead(twin, old, is_upright, is_beside, is_held, up, dt)
        wanted = feet.records, twin.contacts, chain.joints, chain.rotations
        self._reach_out(links, self._motion, bases, *wanted, twin.corrections, twin.goals, up, dt)
        note_pulls(bases, old, twin.goals, twin.paces, pulls, dt)
        self._place(twin)

    def _lead(
        self,
        twin: Twin,
        old: Floats,
        is_upright: NDArray[np.bool_],
        is_beside: NDArray[np.bool_],
        is_held: NDArray[np.bool_],
        up: Vec,
        dt: float,
    ) -> None:
        """Change goals of twins that events lead, and of those that lie; they were (N, A) `old`."""
        twin.goals[is_beside] += twin.asked[is_beside]
        twin.goals[is_held] = twin.asked[is_held]
        for row in np.flatnonzero(~is_upright | is_beside | is_held).tolist():
            base, goals = twin.records[row], twin.goals[row]
            if base.stage != UPRIGHT:
                self._turn_over(base, twin.angles[row], old[row], goals, up, dt)
            has_come = move_on(old[row], goals, self._pace * dt)
            if base.stage == DRAWS_IN and self.topples and not has_come:
                base.ticks = 0  # its legs may come from far off

    def _turn_over(
        self, base: TwinRecord, angles: Floats, old: Floats, goals: Floats, up: Vec, dt: float
    ) -> None:
        """Change goals (A,) of a twin that lies, and draws its legs in or rolls over."""
        links = self.machine.links
        if self.topples:
            come_back(links, old, goals)
        if base.stage != ROLLS_OVER:
            return
        if self.topples:
            topple_over(self._poses, base, up, goals, dt)
        else:
            roll_over(links, base, up, goals, dt)
        bend_aside(links, self._motion, base, angles, up, goals)

    def _place(self, twin: Twin) -> None:
        """Put the bodies where they are."""
        if not self.bodies:
            return
        mine, (count, hinges) = self.bodies[0], twin.angles.shape
        states = np.empty((count, BASE + 2 * hinges))
        write_states(twin.records, self._orders.hinges, mine.centre, mine.axes, states)
        for body, state in zip(self.bodies, states.tolist(), strict=True):
            body.place(state)

    def shift(
        self,
        twin: Twin,
        feet: RecordTable[FootRecord],
        places: Floats,
        turns: Floats,
        points: Floats,
    ) -> None:
        """Turn the goals of hinges to plans that were drawn to their twins; see `shift_goals`."""
        links, motion, bases = self.machine.links, self._motion, twin.records
        self._shift_goals(links, motion, bases, feet, places, turns, points, twin.goals)

    def drive(self, step: Step) -> None:
        """Give all hinges their torques for a step."""
        machine, orders = self.machine, self._orders
        gains, motions = (machine.gains, machine.stiff), (self._motion, self._wanted)
        self._drive(machine.links, *gains, *motions, orders, step)
        for body, torques in zip(self.bodies, orders.hinges.torques.tolist(), strict=True):
            body.turn(torques)

    def read(self) -> None:
        """Write where the bodies are after a step."""
        if not self.bodies:
            return
        mine, orders = self.bodies[0], self._orders
        states = np.array([body.read() for body in self.bodies])
        self._take_states(orders.bases, orders.hinges, mine.centre, mine.axes, states)

    def end(self, twin: Twin, body: Body, chain: LegChain, down: Vec) -> None:
        """Write what can be seen of the bodies after a tick, and what their feet touch.

        Gravity goes down so [m/s^2, world].
        """
        links, weight = self.machine.links, self.machine.gains.mass * norm(down)
        up = unit(scale(down, -1.0), Z)
        found = [(row, *one) for row, mine in enumerate(self.bodies) for one in mine.touched()]
        touched = np.array(found).reshape(-1, 6)
        press(links, touched, up, weight, twin.records, twin.forces, twin.contacts)
        shown = body.records, chain.joints, chain.rotations, twin.tips
        self._show(links, self._motion, twin.records, self._orders.hinges, *shown)


def balls_of_twins() -> Floats:
    """Where all twins of esper's current context are, and the radius of a ball that holds each.

    (T, 4) [m, world]
    """
    found = [np.empty((0, 4))]
    for _, (twin, twins) in esper.get_components(Twin, Twins):
        places = twin.records["position"]
        radius = np.full((len(places), 1), ROUND * twins.machine.gains.reach)
        found.append(np.concatenate((places, radius), axis=1))
    return np.concatenate(found)
