"""Who steers where no hand does: snapshot -> axes of one creature."""

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from math import sqrt

from creature_sim.definitions import Drive, Goto, Timeline, Wander, WorldDef, parse_drive
from creature_sim.inputs import Input
from creature_sim.maths import atan2, clamp, quat, random_unit, rotate
from creature_sim.snapshot import CreatureState, Snapshot

Driver = Callable[[Snapshot], Input]

WANDER_STREAM = 2000
WANDER_SECONDS = 2.5
"""Time between changes of mind."""
TURN_BACK = 22.0
"""A wanderer this far from the origin on either axis heads back [m]."""
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
        inputs = [Input.of([(s.forward, s.turn)] * count) for s in drive.segments]
        inputs.append(Input.of([(0.0, 0.0)] * count))
        return lambda snapshot: inputs[bisect_right(last_ticks, snapshot.tick)]

    def steer(snapshot: Snapshot) -> Input:
        return Input.of(
            _axes(drive, world.seed, index, snapshot.tick / rate, creature)
            for index, creature in enumerate(snapshot.creatures)
        )

    return steer


def _axes(
    drive: Drive, seed: int, index: int, seconds: float, creature: CreatureState
) -> tuple[float, float]:
    """Axes of one creature that wanders or goes to a place."""
    x, y = float(creature.position[0]), float(creature.position[1])
    if isinstance(drive, Goto):
        forward, turn, left = towards(creature, drive.x - x, drive.y - y)
        return (forward, turn) if left > ARRIVED else (0.0, 0.0)
    assert isinstance(drive, Wander)
    if max(abs(x), abs(y)) > TURN_BACK:
        forward, turn, _ = towards(creature, -x, -y)
        return max(0.3, forward), turn
    mood = int(seconds / WANDER_SECONDS)
    turn = 2.0 * random_unit(seed, WANDER_STREAM + index, 2 * mood) - 1.0
    pace = random_unit(seed, WANDER_STREAM + index, 2 * mood + 1)
    return 0.5 + 0.5 * pace, 0.8 * turn


def towards(creature: CreatureState, x: float, y: float) -> tuple[float, float, float]:
    """Axes that lead along (x, y) [m, world], and the distance left [m]."""
    ahead = rotate(quat(creature.orientation), (1.0, 0.0, 0.0))
    error = atan2(ahead[0] * y - ahead[1] * x, ahead[0] * x + ahead[1] * y)
    left = sqrt(x * x + y * y)
    forward = clamp(1.0 - abs(error), 0.0, 1.0) * clamp(2.0 * left, 0.2, 1.0)
    return forward, clamp(2.0 * error, -1.0, 1.0), left
