"""Who steers where no hand does: snapshot -> axes of one creature."""

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from math import sqrt

from creature_sim.definitions import Drive, Goto, Timeline, Wander, WorldDef, parse_drive
from creature_sim.definitions.drive import Axes
from creature_sim.errors import DefinitionError
from creature_sim.inputs import Event, Input
from creature_sim.maths import atan2, clamp, quat, random_unit, rotate, sin_cos
from creature_sim.snapshot import CreatureState, Snapshot

Driver = Callable[[Snapshot], Input]

WANDER_STREAM = 2000
WANDER_SECONDS = 2.5
"""Time between changes of mind."""
TURN_BACK = 8.0
"""A wanderer this near to where no creature may start, along either axis, heads back [m]."""
ARRIVED = 0.25
"""A goal counts as reached within this distance [m]."""


def make_driver(world: WorldDef, spec: str | None = None) -> Driver:
    """The driver of a world's creatures: its own, or the one that `spec` describes."""
    drive = parse_drive(world.driver if spec is None else spec)
    rate = world.tick_rate
    if isinstance(drive, Timeline):
        ends = list(accumulate(segment.seconds for segment in drive.segments))
        last_ticks = [round(end * rate) for end in ends]
        count = len(world.creatures)
        inputs = [Input.of([s.axes] * count) for s in drive.segments]
        inputs.append(Input.of([()] * count))
        events = _events(drive, world)

        def follow(snapshot: Snapshot) -> Input:
            given = inputs[bisect_right(last_ticks, snapshot.tick)]
            happens = events.get(snapshot.tick)
            return Input(given.commands, tuple(happens)) if happens else given

        return follow

    farthest = world.farthest_start - TURN_BACK

    def steer(snapshot: Snapshot) -> Input:
        return Input.of(
            _axes(drive, farthest, world.seed, index, snapshot.tick / rate, creature)
            for index, creature in enumerate(snapshot.creatures)
        )

    return steer


def _events(drive: Timeline, world: WorldDef) -> dict[int, list[Event]]:
    """What happens to every creature, by the tick before which it does."""
    found: dict[int, list[Event]] = {}
    for blow in drive.blows:
        events = found.setdefault(round(blow.seconds * world.tick_rate), [])
        for index, legs in enumerate(world.leg_counts):
            if blow.leg is None:
                events.append(Event("push", index, velocity=(*blow.velocity, 0.0)))
            elif blow.leg < legs:
                events.append(Event("disable_leg", index, leg=blow.leg))
            else:
                raise DefinitionError(
                    f"driver: expected 'lose' with a leg from 0 to {legs - 1}, found {blow.leg}"
                )
    return found


def _axes(
    drive: Drive, farthest: float, seed: int, index: int, seconds: float, creature: CreatureState
) -> Axes:
    """Axes of one creature that wanders, up to `farthest` from the origin, or goes to a place."""
    x, y = float(creature.position[0]), float(creature.position[1])
    if isinstance(drive, Goto):
        return goto(creature, drive.x, drive.y) or (0.0, 0.0)
    assert isinstance(drive, Wander)
    if max(abs(x), abs(y)) > farthest:
        forward, turn, _ = towards(creature, -x, -y)
        return max(0.3, forward), turn
    mood = int(seconds / WANDER_SECONDS)
    turn = 2.0 * random_unit(seed, WANDER_STREAM + index, 2 * mood) - 1.0
    pace = random_unit(seed, WANDER_STREAM + index, 2 * mood + 1)
    return 0.5 + 0.5 * pace, 0.8 * turn


def goto(creature: CreatureState, x: float, y: float) -> Axes | None:
    """Axes that lead to a place [m, world]; None: it is there."""
    forward, turn, left = towards(
        creature, x - float(creature.position[0]), y - float(creature.position[1])
    )
    return (forward, turn) if left > ARRIVED else None


def towards(creature: CreatureState, x: float, y: float) -> tuple[float, float, float]:
    """Axes that lead along (x, y) [m, world], and the distance left [m]."""
    sine, cosine = sin_cos(creature.definition.motion.heading)
    ahead = rotate(quat(creature.orientation), (cosine, sine, 0.0))
    error = atan2(ahead[0] * y - ahead[1] * x, ahead[0] * x + ahead[1] * y)
    left = sqrt(x * x + y * y)
    forward = clamp(1.0 - abs(error), 0.0, 1.0) * clamp(2.0 * left, 0.2, 1.0)
    return forward, clamp(2.0 * error, -1.0, 1.0), left
