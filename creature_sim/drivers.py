"""Drivers: what steers creatures where no user does (snapshot -> input).

Who wanders, or goes somewhere, goes around others. A driver of your own does so too, with
`go_round` between what it wants and the commands.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from math import inf, sqrt

import numpy as np

from creature_sim.definitions import Goto, Timeline, WorldDef, parse_drive
from creature_sim.definitions.drive import Axes, Blow
from creature_sim.definitions.motions import fields_of
from creature_sim.errors import DefinitionError
from creature_sim.guides import Guide
from creature_sim.inputs import Event, Input, Roster, check_event, quantised
from creature_sim.locomotion.avoidance import HORIZON, go_around
from creature_sim.locomotion.crowd import Company, find_near, shapes_of
from creature_sim.locomotion.gravity import gravity_of, up_at
from creature_sim.maths import (
    Vec,
    any_normal,
    atan2,
    clamp,
    cross,
    dot,
    norm,
    quat,
    random_unit,
    reject,
    rotate,
    scale,
    sin_cos,
    sub,
    unit,
    vec,
)
from creature_sim.snapshots.snapshot import CreatureState, Snapshot

Driver = Callable[[Snapshot], Input]

WANDER_STREAM = 2000
WANDER_SECONDS = 2.5
"""Time between two changes of direction [s]."""
TURN_BACK = 8.0
"""A wanderer heads back within this distance of the region where no creature may start, along
either axis [m]; planets have no such region."""
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

        def follow(snapshot: Snapshot) -> Input:
            command = axes[bisect_right(last_ticks, snapshot.tick)]
            return Input((command,) * snapshot.creature_count, events.get(snapshot.tick, ()))

        return follow

    if isinstance(drive, Goto):
        goal = _goal(drive, world, name)
        if drive.z is None:
            return lambda snapshot: _go(snapshot, goal)
        guide = Guide(world)
        guide.check(goal, name)
        return lambda snapshot: _go(snapshot, goal, guide)
    is_planet = gravity_of(world.terrain)[0].is_central
    farthest = inf if is_planet else world.farthest_start - TURN_BACK

    def roam(snapshot: Snapshot) -> Input:
        seconds = snapshot.tick / rate
        axes: list[Axes] = [()] * snapshot.creature_count
        for creature in snapshot.creatures:
            axes[creature.number] = _wandering(farthest, world.seed, seconds, creature, snapshot)
        return Input.of(go_round(snapshot, axes))

    return roam


def _go(snapshot: Snapshot, goal: Vec, guide: Guide | None = None) -> Input:
    """Commands that lead all creatures to one goal; that of one that was removed is empty."""
    axes: list[Axes] = [()] * snapshot.creature_count
    there = _crowd_at(snapshot, goal)
    goals = {one.number: goal for one in snapshot.creatures if one.number not in there}
    for number, found in go_to(snapshot, goals, guide).items():
        axes[number] = found or ()
    return Input.of(axes)


def _crowd_at(snapshot: Snapshot, goal: Vec) -> set[int]:
    """Who has arrived at a goal [m, world], or stands beside somebody who has, and is nearer.

    Of several, the nearest one has arrived where it stands beside the goal: they would walk around
    it for ever.
    """
    creatures = snapshot.creatures
    if len(creatures) < 2:
        return set()
    far = [
        norm(sub(goal, vec(one.position)) if _climbs(one) else _level_path(one, snapshot, goal))
        for one in creatures
    ]
    sizes = [_size_of(creature) for creature in creatures]
    places = np.empty((len(creatures), 3))
    radii, found = np.empty(len(creatures)), 0
    there: set[int] = set()
    for index in sorted(range(len(creatures)), key=far.__getitem__):
        creature = creatures[index]
        gaps = places[:found] - creature.position
        apart = BESIDE * (radii[:found] + sizes[index])
        squares = gaps[:, 0] * gaps[:, 0] + gaps[:, 1] * gaps[:, 1] + gaps[:, 2] * gaps[:, 2]
        is_first = not there and far[index] <= 2.0 * BESIDE * sizes[index]
        if far[index] <= ARRIVED or (squares < apart * apart).any() or is_first:
            places[found], radii[found] = creature.position, sizes[index]
            found += 1
            there.add(creature.number)
    return there


def _size_of(creature: CreatureState) -> float:
    """Radius of a disc around its centre that holds a creature's feet at rest [m]."""
    return max(norm((leg.home[0], leg.home[1], 0.0)) for leg in creature.plan.legs)


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
    """
    axes: list[Axes] = [()] * snapshot.creature_count
    paths, found = {}, dict[int, Axes | None]()
    there = {creature.number: creature for creature in snapshot.creatures}
    for number, goal in goals.items():
        creature = there[number]
        if guide is not None and _climbs(creature):
            lead = guide.lead(creature, goal)
            found[number] = lead[:2] if lead is not None and lead[2] > ARRIVED else None
            axes[number] = found[number] or ()
            continue
        found[number] = goto(creature, snapshot, goal)
        axes[number] = found[number] or ()
        if found[number]:
            paths[number] = _level_path(creature, snapshot, goal)
    chosen = go_round(snapshot, axes, paths)
    return {number: chosen[number] if own else None for number, own in found.items()}


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
    found = list(axes)
    if len(snapshot.creatures) < 2:
        return found
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
        numbers = company.numbers.tolist()
        if not numbers:
            continue
        wished = np.array([(*axes[number], 0.0, 0.0, 0.0)[:3] for number in numbers])
        chosen = wished.copy()
        ways = np.array([(paths or {}).get(number, (0.0, 0.0, 0.0)) for number in numbers])
        count = len(company.plan.segments)
        go_around(company.plan.body, shapes, begin, count, first, others, chosen, ways)
        for row in np.flatnonzero((chosen != wished).any(axis=1)).tolist():
            found[numbers[row]] = (*chosen[row].tolist(), *axes[numbers[row]][3:])
    return found


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


def _wandering(
    farthest: float, seed: int, seconds: float, creature: CreatureState, snapshot: Snapshot
) -> Axes:
    """Axes of one creature that wanders, up to `farthest` from the origin."""
    x, y = float(creature.position[0]), float(creature.position[1])
    if max(abs(x), abs(y)) > farthest:
        forward, turn, _ = towards(creature, snapshot, (-x, -y, 0.0))
        return max(0.3, forward), turn
    mood = int(seconds / WANDER_SECONDS)
    turn = 2.0 * random_unit(seed, WANDER_STREAM + creature.number, 2 * mood) - 1.0
    pace = random_unit(seed, WANDER_STREAM + creature.number, 2 * mood + 1)
    return 0.5 + 0.5 * pace, 0.8 * turn


def goto(creature: CreatureState, snapshot: Snapshot, goal: Vec) -> Axes | None:
    """Axes that lead to the point above or below a goal [m, world]; None: it has arrived."""
    forward, turn, left = towards(creature, snapshot, _level_path(creature, snapshot, goal))
    return (forward, turn) if left > ARRIVED else None


def _level_path(creature: CreatureState, snapshot: Snapshot, goal: Vec) -> Vec:
    """Path to a goal at right angles to gravity, as long as the path over the ground [m].

    On a planet it is the direction in which the great circle to the goal begins.
    """
    gravity, position = snapshot.gravity[0], vec(creature.position)
    up = _up_of(creature, snapshot)
    level = reject(sub(goal, position), up)
    if not gravity.is_central:
        return level
    out = sub(goal, vec(gravity.centre))
    arc = norm(out) * atan2(norm(level), dot(out, up))
    return scale(unit(level, any_normal(up)), arc)


def towards(creature: CreatureState, snapshot: Snapshot, path: Vec) -> tuple[float, float, float]:
    """Forward and turn that lead along a level path (3,) [m, world], and its length [m]."""
    sine, cosine = sin_cos(creature.definition.motion.heading)
    ahead = rotate(quat(creature.orientation), (cosine, sine, 0.0))
    up = _up_of(creature, snapshot)
    error = atan2(dot(cross(ahead, path), up), dot(ahead, path))
    left = norm(path)
    forward = clamp(1.0 - abs(error), 0.0, 1.0) * clamp(2.0 * left, 0.2, 1.0)
    return forward, clamp(2.0 * error, -1.0, 1.0), left


def _climbs(creature: CreatureState) -> bool:
    """Whether a creature walks on walls and ceilings."""
    return bool(creature.plan.body[0].climbs)


def _up_of(creature: CreatureState, snapshot: Snapshot) -> Vec:
    """Up where a creature is: against gravity, or of who climbs its own Z [world]."""
    if _climbs(creature):
        return rotate(quat(creature.orientation), (0.0, 0.0, 1.0))
    return up_at(snapshot.gravity[0], vec(creature.position))
