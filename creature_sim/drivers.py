"""Drivers: what steers creatures where no user does (snapshot -> input).

Who wanders, or goes somewhere, goes around others. A driver of your own does so too, with
`go_round` between what it wants and the commands.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from math import inf, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    BodyRecord,
    Company,
    GravityRecord,
    PlanRecord,
    Records,
    RecordTable,
)
from creature_sim.definitions import Goto, Timeline, WorldDef, parse_drive
from creature_sim.definitions.drive import Axes, Blow
from creature_sim.definitions.motions import fields_of
from creature_sim.errors import DefinitionError
from creature_sim.guides import Guide
from creature_sim.input_checks import Roster, check_event
from creature_sim.inputs import Event, Input, quantised
from creature_sim.locomotion.avoidance import HORIZON, go_around
from creature_sim.locomotion.bearings import (
    along_path,
    crowd_around,
    lead_to_goals,
    measure_ways,
)
from creature_sim.locomotion.crowd import find_near, shapes_of, spread_of
from creature_sim.locomotion.gravity import gravity_of
from creature_sim.locomotion.slots import ahead_slot
from creature_sim.locomotion.wandering import wander
from creature_sim.maths import Floats, Vec
from creature_sim.maths.jit import unchecked
from creature_sim.snapshots.snapshot import CreatureState, HerdState, Snapshot
from creature_sim.terrain.traits import walls_of

Driver = Callable[[Snapshot], Input]
Walkers: TypeAlias = tuple[
    Records[PlanRecord],
    float,
    Records[GravityRecord],
    RecordTable[BodyRecord],
    NDArray[np.int64],
]
"""The first arguments of kernels that lead herds: the plan of one, its heading, gravity, its bodies
and numbers."""

_wander, _lead_to_goals = unchecked(wander), unchecked(lead_to_goals)

WANDER_SECONDS = 2.5
"""Time between two changes of direction [s]."""
TURN_BACK = 8.0
"""A wanderer heads back within this distance of the region where no creature may start, along
either axis [m]; planets have no such region. One in a room heads back where that ends."""
ARRIVED = 0.25
"""A goal counts as reached within this distance [m]..."""
BESIDE = 1.25
"""...or beside somebody who has reached it: as near as this multiple of both their radii."""


def make_driver(world: WorldDef, spec: str | None = None, name: str = "driver") -> Driver:
    """The driver of a world's creatures: its own, or the one that `spec` describes.

    Args:
        world: where they are.
        spec: as `--drive` takes it; None: the world's own.
        name: of the key or option that it is from, as errors say it.
    """
    if not isinstance(spec, str | None):
        raise DefinitionError(f"{name}: expected text like 'forward 5; stop 1', found {spec!r}")
    try:
        drive = parse_drive(world.driver if spec is None else spec)
    except DefinitionError as error:
        raise DefinitionError(f"{name}: {error}") from None
    rate = world.tick_rate
    if isinstance(drive, Timeline):
        ends = list(accumulate(segment.seconds for segment in drive.segments))
        last_ticks = [round(end * rate) for end in ends]
        axes = [*(quantised(*segment.axes) for segment in drive.segments), quantised()]
        events = _events(drive, world, name)

        @lru_cache(1)
        def steady(segment: int, count: int) -> Input:
            return Input((axes[segment],) * count)

        def follow(snapshot: Snapshot) -> Input:
            given = steady(bisect_right(last_ticks, snapshot.tick), snapshot.creature_count)
            happens = events.get(snapshot.tick)
            return replace(given, events=_for_those_there(happens, snapshot)) if happens else given

        return follow

    if isinstance(drive, Goto):
        goal = _goal(drive, world, name)
        guide = None
        if drive.z is not None:
            guide = Guide(world)
            guide.check(goal, name)
        return Led(goal, guide)
    is_planet = gravity_of(world.terrain)[0].is_central
    border = inf if is_planet else world.farthest_start - TURN_BACK
    x, y = walls_of(world.terrain)
    farthest = float(min(border, x)), float(min(border, y))

    def roam(snapshot: Snapshot) -> Input:
        mood = int(snapshot.tick / rate / WANDER_SECONDS)
        is_new = mood != int((snapshot.tick - 1) / rate / WANDER_SECONDS)
        axes = np.zeros((snapshot.creature_count, 4))
        for herd in snapshot.herds:
            names = "gait", "command", "sensed"
            gaits, commands, hits = (herd.parts[name].of("records") for name in names)
            slot = ahead_slot(len(herd.plan.segments), len(herd.plan.legs), 0)
            walkers = *_walkers(herd, snapshot), gaits, commands, hits, slot
            _wander(*walkers, world.seed, mood, is_new, farthest, axes)
        return Input.of_all(_round_others(snapshot, axes))

    return roam


class Led:
    """A driver that leads all creatures to one goal.

    Attributes:
        lost: the first ticks at which no way led there, by number of the creature.
    """

    def __init__(self, goal: Vec, guide: Guide | None) -> None:
        """Lead to a point above or below a goal [m, world], or with a guide to the goal itself."""
        self.lost: dict[int, int] = {}
        self._goal, self._guide = goal, guide

    def __call__(self, snapshot: Snapshot) -> Input:
        """The commands of the next tick; that of a creature that was removed is empty."""
        axes, _ = self._lead(snapshot)
        for number in self._guide.lost if self._guide else ():
            self.lost.setdefault(number, snapshot.tick)
        return Input.of_all(axes)

    def left(self, snapshot: Snapshot) -> dict[int, float]:
        """How far from the goal all are that have not arrived, by number [m]."""
        _, is_led = self._lead(snapshot)
        found: dict[int, float] = {}
        for herd in snapshot.herds:
            plan, _, gravity, bodies, members = _walkers(herd, snapshot)
            ways = np.empty(len(members))
            measure_ways(plan, gravity, bodies, self._goal, ways)
            found |= dict(zip(members.tolist(), ways.tolist(), strict=True))
        return {number: far for number, far in found.items() if is_led[number]}

    def _lead(self, snapshot: Snapshot) -> tuple[Floats, NDArray[np.bool_]]:
        """Axes (C, 4), and who has not arrived (C,)."""
        there = _crowd_at(snapshot, self._goal)
        goals = {number: self._goal for number in _numbers(snapshot) if number not in there}
        return _lead(snapshot, goals, self._guide)


def _walkers(herd: HerdState, snapshot: Snapshot) -> Walkers:
    """What kernels that lead herds take of one."""
    heading = herd.definition.motion.heading
    bodies = herd.parts["body"].of("records")
    return herd.plan.body, heading, snapshot.gravity, bodies, herd.members


def _numbers(snapshot: Snapshot) -> list[int]:
    """The numbers of all creatures that are there."""
    return [number for herd in snapshot.herds for number in herd.members.tolist()]


def _crowd_at(snapshot: Snapshot, goal: Vec) -> set[int]:
    """Who has arrived at a goal [m, world], or stands beside somebody who has, and is nearer."""
    numbers = np.array(_numbers(snapshot), np.int64)
    if len(numbers) < 2:
        return set()
    places, (ways, sizes) = np.empty((len(numbers), 3)), np.empty((2, len(numbers)))
    count = 0
    for herd in snapshot.herds:
        plan, _, gravity, bodies, members = _walkers(herd, snapshot)
        part = slice(count, count := count + len(members))
        measure_ways(plan, gravity, bodies, goal, ways[part])
        places[part] = bodies["position"][:, 0]
        sizes[part] = spread_of(herd.plan.legs)
    order, is_there = np.lexsort((numbers, ways)), np.zeros(len(numbers), np.bool_)
    crowd_around(order, places, sizes, ways, ARRIVED, BESIDE, is_there)
    return set(numbers[is_there].tolist())


def go_to(
    snapshot: Snapshot, goals: Mapping[int, Vec], guide: Guide | None = None
) -> dict[int, Axes | None]:
    """Axes that lead creatures to points above or below goals, around each other.

    Args:
        snapshot: where they are, and how they go.
        goals: by number of the creature [m, world].
        guide: that leads who climbs to the goals themselves; None: they are led as all others.

    Returns:
        The axes by number; None: it has arrived.

    Raises:
        KeyError: one of them is not there.
    """
    if not goals:
        return {}
    for number in goals.keys() - set(_numbers(snapshot)):
        raise KeyError(f"expected a creature that is there, found number {number}")
    axes, is_led = _lead(snapshot, goals, guide)
    return {number: tuple(axes[number].tolist()) if is_led[number] else None for number in goals}


def _lead(
    snapshot: Snapshot, goals: Mapping[int, Vec], guide: Guide | None
) -> tuple[Floats, NDArray[np.bool_]]:
    """Axes (C, 4) that lead creatures to their goals, and who has not arrived, (C,)."""
    count = snapshot.creature_count
    axes, paths, places = np.zeros((count, 4)), np.zeros((count, 3)), np.zeros((count, 3))
    is_led = np.zeros(count, np.bool_)
    for number, goal in goals.items():
        places[number], is_led[number] = goal, True
    for herd in snapshot.herds:
        walkers = _walkers(herd, snapshot)
        if guide is None or not herd.plan.body[0].climbs:
            _lead_to_goals(*walkers, ARRIVED, places, is_led, axes, paths)
            continue
        for row, number in enumerate(herd.members.tolist()):
            if not is_led[number]:
                continue
            found = guide.lead(CreatureState(herd, row), goals[number])
            if found is None or found[2] <= ARRIVED:
                is_led[number] = False
            else:
                axes[number, :2] = found[:2]
    return _round_others(snapshot, axes, paths), is_led


def go_round(
    snapshot: Snapshot, axes: Sequence[Axes], paths: Mapping[int, Vec] | None = None
) -> list[Axes]:
    """Commands that lead creatures around each other.

    Those of creatures that meet nobody soon stay as they are, and so do those of creatures that
    shall not walk. Who follows a path goes aside too, rather than to stop and turn.

    Args:
        snapshot: where they are, and how they go.
        axes: what each creature should do, by number.
        paths: where creatures want to go, by number, from where they are [m, world]; of others it
            is where their axes lead.
    """
    wished = np.array([(*own, 0.0, 0.0, 0.0, 0.0)[:4] for own in axes]).reshape(-1, 4)
    ways = np.zeros((snapshot.creature_count, 3))
    for number, path in (paths or {}).items():
        ways[number] = path
    chosen = _round_others(snapshot, wished, ways)
    found = list(axes)
    for number in np.flatnonzero((chosen != wished).any(axis=1)).tolist():
        found[number] = (*chosen[number, :3].tolist(), *axes[number][3:])
    return found


def _round_others(snapshot: Snapshot, axes: Floats, paths: Floats | None = None) -> Floats:
    """Axes (C, 4) that lead creatures around each other; their paths are (C, 3) [m, world]."""
    if len(_numbers(snapshot)) < 2:
        return axes
    if paths is None:
        paths = np.zeros((len(axes), 3))
    chosen = axes.copy()
    companies = [
        Company(
            herd.plan,
            herd.parts["body"].of("records"),
            herd.parts["gait"].of("records"),
            herd.parts["foot_target"].of("records"),
            herd.members,
        )
        for herd in snapshot.herds
    ]
    shapes, _, begins = shapes_of(companies, HORIZON)
    first, others = find_near(shapes)
    for company, begin in zip(companies, begins, strict=False):
        if len(numbers := company.numbers):
            own, ways = axes[numbers, :3], paths[numbers]
            count = len(company.plan.segments)
            go_around(company.plan.body, shapes, begin, count, first, others, own, ways)
            chosen[numbers, :3] = own
    return chosen


def _events(drive: Timeline, world: WorldDef, name: str) -> dict[int, tuple[Event, ...]]:
    """Events for every creature, by the tick before which they happen."""
    found: dict[int, list[Event]] = {}
    roster = Roster(world.leg_counts)
    for blow in drive.blows:
        events = found.setdefault(round(blow.seconds * world.tick_rate), [])
        for index in range(len(world.creatures)):
            word, event = _event(blow, index)
            check_event(event, f"{name}: {word}", roster)  # now, not when its time has come
            events.append(event)
    return {tick: tuple(events) for tick, events in found.items()}


def _for_those_there(events: Sequence[Event], snapshot: Snapshot) -> tuple[Event, ...]:
    """Events of creatures that are there, and that look at nobody who was removed."""
    there = {*_numbers(snapshot), None}
    return tuple(event for event in events if {event.creature, event.other} <= there)


def _event(blow: Blow, creature: int) -> tuple[str, Event]:
    """The word and the event of a blow."""
    if blow.motion:
        fields = fields_of(blow.motion, blow.numbers) or {}
        return blow.motion, Event(blow.motion, creature, **fields)
    if blow.led == "knee":
        return "knee", Event("set_pole", creature, leg=blow.leg, point=blow.point, on="body")
    if blow.led:
        return "foot", Event("set_foot", creature, leg=blow.leg, point=blow.point)
    if blow.point is not None:
        return "leap", Event("leap", creature, point=blow.point)
    if blow.leg is not None:
        return "lose", Event("disable_leg", creature, leg=blow.leg)
    return "push", Event("push", creature, velocity=(*blow.velocity, 0.0))


def _goal(drive: Goto, world: WorldDef, name: str) -> Vec:
    """The goal [m, world]; on a planet the upper one of the two points at X,Y."""
    gravity = gravity_of(world.terrain)[0]
    if not gravity.is_central:
        limit = world.farthest_start
        if max(abs(drive.x), abs(drive.y)) > limit:
            raise DefinitionError(
                f"{name}: expected 'goto X,Y' with X and Y from {-limit:g} to {limit:g}, inside "
                f"the border of the world, found {drive.x:g},{drive.y:g}"
            )
        return drive.x, drive.y, drive.z or 0.0
    if drive.z is not None:
        return drive.x, drive.y, drive.z
    middle = float(gravity.centre[2])
    radius = -middle  # its top is the origin
    rise = radius * radius - drive.x * drive.x - drive.y * drive.y
    if rise < 0.0:
        raise DefinitionError(
            f"{name}: expected 'goto X,Y' on the planet, at most {radius:g} m from 0,0, "
            f"found {drive.x:g},{drive.y:g}"
        )
    return drive.x, drive.y, middle + sqrt(rise)


def towards(creature: CreatureState, snapshot: Snapshot, path: Vec) -> tuple[float, float, float]:
    """Forward and turn that lead along a level path (3,) [m, world], and its length [m]."""
    heading = creature.definition.motion.heading
    return along_path(creature.plan.body[0], heading, snapshot.gravity[0], creature.body, path)
