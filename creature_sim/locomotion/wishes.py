"""Who shall leap, who falls, and who would leap over what it cannot cross on foot."""

from math import sqrt

from creature_sim.components import (
    FLYING_FREE,
    HELD_BY_GROUND,
    NOT_FOUND,
    STANDING,
    WALKING,
    BodyRecord,
    CommandRecord,
    FlightRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    LegRecord,
    PlanRecord,
    Records,
    RecordTable,
)
from creature_sim.inputs import FULL
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.falls import HANGS, hangs, is_thrown
from creature_sim.locomotion.touchdown import up_of
from creature_sim.maths import Vec, X, add, along, quat, reject, rotate, unit, vec
from creature_sim.maths.jit import kernel

STUCK = 0.25
"""Who leaps of its own accord has been held up for so long [s]."""
AGAIN = 0.3
"""It looks for a place to leap to again after so long [s]."""
SLOW = 0.35
"""It is held up where it goes at less than this fraction of what was asked for."""
MEANS = 0.3
"""It is told to go by more than this part of a full command."""

ASKED, FALLS, SEEKS, THROWN = 1, 2, 3, 4  # flight.is_asked
"""A leap to a point, a fall, a leap over what is ahead, or a fall for a push."""


@kernel
def wish(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    gravity: Records[GravityRecord],
    commands: Records[CommandRecord],
    flights: Records[FlightRecord],
    dt: float,
) -> bool:
    """Whether any creature's leap or fall is to be planned now; their flights say which.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S).
        gaits: (N,).
        feet: (N, L).
        footholds: (N, L).
        gravity: (1,).
        commands: (N,).
        flights: (N,) written.
        dt: length of a tick [s].
    """
    any_asked = False
    for n in range(bodies.shape[0]):
        flight = flights[n]
        if flight.is_asked:
            any_asked = True
        elif flight.stage == WALKING:
            creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
            if is_thrown(creature, gravity[0].acceleration):
                flight.is_asked, any_asked = THROWN, True
            elif hangs(creature):
                flight.stuck += 1
                if flight.stuck * dt > HANGS:
                    flight.is_asked, any_asked = FALLS, True
            elif plan[0].leaps and is_held_up(creature, commands[n]):
                flight.stuck += 1
                if flight.stuck * dt > STUCK:
                    flight.is_asked, any_asked = SEEKS, True
            elif flight.stuck != 0:
                flight.stuck = 0
        elif flight.stage == FLYING_FREE and flight.is_asked:
            any_asked = True
    return any_asked


@kernel
def is_held_up(creature: Creature, command: CommandRecord) -> bool:
    """Whether a creature is told to go, and feet find nothing to step to, or a wall is there."""
    along_it, aside = command.forward / FULL, command.strafe / FULL
    if sqrt(along_it * along_it + aside * aside) < MEANS:
        return False
    gait = creature.gait
    if gait.pace > SLOW * gait.commanded_pace:
        return False
    if gait.is_held == HELD_BY_GROUND:
        return True
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase == STANDING and creature.footholds[i].status == NOT_FOUND:
            return True
    return False


@kernel
def sought(creature: Creature, command: CommandRecord, far: float) -> Vec:
    """A point so far off [m] where a creature is told to go, as high as its feet [m, world]."""
    up = up_of(creature)
    x, y, _ = vec(creature.plan.ahead)
    forward, left = command.forward / FULL, command.strafe / FULL
    way = (x * forward - y * left, y * forward + x * left, 0.0)
    level = unit(reject(rotate(quat(creature.trunk[0].orientation), way), up), X)
    below = along(vec(creature.trunk[0].position), up, -creature.gait.ride_height)
    return add(below, (level[0] * far, level[1] * far, level[2] * far))


@kernel
def rests(flight: FlightRecord, dt: float) -> None:
    """Let a creature that found no place to leap to wait until it looks again."""
    flight.stuck = round((STUCK - AGAIN) / dt)
