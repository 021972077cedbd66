"""Who shall leap, who falls, and who would leap over what it cannot cross on foot."""

from math import sqrt

from creature_sim.components import (
    FOUND,
    GRAVITY,
    HELD_BY_OTHER,
    LOST,
    NOT_FOUND,
    STANDING,
    CommandRecord,
    GaitRecord,
    GravityRecord,
)
from creature_sim.inputs import FULL
from creature_sim.locomotion.balance import stand_count
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import up_at
from creature_sim.locomotion.gripping import clings, slips
from creature_sim.locomotion.landing import is_held
from creature_sim.locomotion.prediction import hardly_moves
from creature_sim.locomotion.reach import reach_in_world
from creature_sim.locomotion.search import RESTS
from creature_sim.locomotion.setting_out import gets_nowhere
from creature_sim.locomotion.touchdown import up_of
from creature_sim.locomotion.trunk import centre_of
from creature_sim.maths import (
    PI,
    Vec,
    X,
    add,
    along,
    norm,
    quat,
    quat_turned,
    reject,
    rotate,
    scale,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

STUCK = 0.4
"""Who leaps of its own accord has been held up for so long [s]."""
AGAIN = 0.3
"""It looks for a place to leap to again after so long [s]."""
GIVES_UP, BACKS_OFF = 1.5, 1.0
"""Others that find no step, or get nowhere, for so long go back for so long [s], if they need not
catch themselves."""
CAUGHT, WAITED, GOES_BACK = 0.5, 0.8, 0.8
"""Who climbs does where it hardly moves while a foot reaches nothing for so long, or for so long
though nothing is in its way; for so long."""
TAUT = 0.96
"""A leg that is stretched so far holds its body: it can nearly go no farther."""
TURNS = 0.1
"""A body that tilts faster than this gets on [rad/s]."""
FREES = 3
"""A tick in which it does move takes so many from that time: a jerk does not free it."""
SLOW = 0.35
"""It is held up where it goes at less than this fraction of what was asked for."""
FLINGS, MEANT = 0.5, 1.5
"""A body goes too fast for its feet above this fraction of the root of g times its reach, and this
multiple of its usual speed: it falls if there is no ground where it would have to catch itself."""
HANGS = 0.06
"""A body falls once no foot has found ground, or all of them have held less than its weight, for
this time [s]."""
MEANS = 0.3
"""It is told to go by more than this part of a full command."""

ASKED, FALLS, SEEKS, THROWN, HOPS, SLIPS = 1, 2, 3, 4, 5, 6  # gait.urge
"""A leap to a point, a fall, a leap over what is ahead, a fall for a push, a hop to where all feet
find ground, or a fall off what has turned too steep."""
HOP_STEP, HOP_RINGS, HOP_WAYS = 0.4, 5, 8
"""For a hop it looks at points this fraction of its reach apart, away from where it stands, on so
many rings around it, in so many directions."""


@kernel
def wish(creature: Creature, command: CommandRecord, gravity: GravityRecord, dt: float) -> None:
    """Write what of a leap or a fall a creature that walks is in need of now.

    Args:
        creature: its gait is written.
        command: of its driver.
        gravity: the field.
        dt: length of a tick [s].
    """
    gait = creature.gait
    if gait.urge or gait.flight:
        return
    if is_thrown(creature) and not clings(creature, gravity):
        gait.urge = THROWN
    elif hangs(creature) or slips(creature, gravity):
        gait.stuck = max(0, gait.stuck) + 1
        if gait.stuck * dt > HANGS:
            gait.urge = FALLS
    elif creature.plan.leaps:
        is_slowed = way_told(command) >= MEANS and lags(gait)
        is_slowed = is_slowed and gait.is_held != HELD_BY_OTHER
        gait.stuck = gait.stuck + 1 if is_slowed else max(0, gait.stuck - 1)
        if gait.stuck * dt > STUCK:
            gait.urge = SEEKS
    else:
        get_free(creature, dt)


@kernel
def get_free(creature: Creature, dt: float) -> None:
    """Let a creature that gets nowhere go back for a while; where it cannot, it wants to hop.

    Args:
        creature: that does not leap of its own accord; its gait is written.
        dt: length of a tick [s].
    """
    gait, gives_up = creature.gait, False
    if gait.stuck < 0:
        gait.stuck += 1
        gives_up = gait.stuck == 0
    elif creature.plan.climbs:
        is_off = (gait.stuck > 0 or hardly_moves(gait)) and reaches_nothing(creature)
        gait.stuck = gait.stuck + 1 if is_caught(creature, is_off) else max(0, gait.stuck - FREES)
        if gait.stuck * dt > (CAUGHT if is_off or is_stretched(creature) else WAITED):
            gait.stuck = -round(GOES_BACK / dt)
    elif lags(gait) and (finds_no_step(creature) or gets_nowhere(gait)):
        gait.stuck += 1
        if gait.stuck * dt > GIVES_UP:
            gives_up = not may_go_back(creature)
            gait.stuck = 0 if gives_up else -round(BACKS_OFF / dt)
    else:
        gait.stuck = 0
    if gives_up and is_cornered(creature):
        gait.urge = HOPS


@kernel
def may_go_back(creature: Creature) -> bool:
    """Whether a creature may go back from where it is: it stands, and need not catch itself.

    On two feet, at rest and on both.
    """
    gait, standing = creature.gait, stand_count(creature)
    if gait.is_static or standing >= 3:
        return True
    return bool(hardly_moves(gait) and standing == creature.legs.shape[0] - gait.lost_count)


@kernel
def is_cornered(creature: Creature) -> bool:
    """Whether who walks gets nowhere, not back either, while a foot in the air reaches nothing."""
    return bool(
        not creature.plan.climbs and gets_nowhere(creature.gait) and reaches_nothing(creature)
    )


@kernel
def is_caught(creature: Creature, is_off: bool) -> bool:
    """Whether who climbs hardly moves, where a foot reaches nothing or nothing is in its way.

    Before a wall it waits until it has turned up that: going back it would turn down again.

    Args:
        creature: that climbs.
        is_off: whether a foot of it reaches nothing.
    """
    gait = creature.gait
    if gait.commanded_pace < RESTS or not hardly_moves(gait):
        return False
    turns = norm(vec(creature.trunk[gait.leader].tilt_rate)) > TURNS
    return bool(is_off or (gets_nowhere(gait) and not turns))


@kernel
def reaches_nothing(creature: Creature) -> bool:
    """Whether a foot in the air has a goal that its leg does not reach from where it is."""
    for i in range(creature.legs.shape[0]):
        phase = creature.feet[i].phase
        if phase != STANDING and phase != LOST and not is_held(creature, i):
            return True
    return False


@kernel
def is_stretched(creature: Creature) -> bool:
    """Whether a leg that stands holds its body at full stretch, and finds no place to step to."""
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], creature.feet[i]
        if foot.phase == STANDING and creature.footholds[i].status != FOUND:
            body = creature.trunk[leg.segment]
            place = vec(foot.position)
            if reach_in_world(vec(body.position), quat(body.orientation), leg, place)[1] > TAUT:
                return True
    return False


@kernel
def hangs(creature: Creature) -> bool:
    """Whether a body has no foot on the ground, and none that knows where to put itself."""
    left = 0
    for i in range(creature.legs.shape[0]):
        phase = creature.feet[i].phase
        if phase == STANDING:
            return False
        if phase != LOST:
            left += 1
            if creature.footholds[i].status == FOUND:
                return False
    return left > 0


@kernel
def is_thrown(creature: Creature) -> bool:
    """Whether something has pushed a body so hard that no step of its usual ones stops it."""
    plan = creature.plan
    speed = norm(vec(creature.trunk[0].velocity))
    return bool(speed > FLINGS * sqrt(GRAVITY * plan.reach) and speed > MEANT * plan.speed)


@kernel
def way_told(command: CommandRecord) -> float:
    """How much a creature is told to go anywhere, as a part of a full command."""
    along_it, aside = command.forward / FULL, command.strafe / FULL
    return sqrt(along_it * along_it + aside * aside)


@kernel
def lags(gait: GaitRecord) -> bool:
    """Whether a creature goes much slower than it is told to."""
    return bool(gait.commanded_pace >= RESTS and gait.pace <= SLOW * gait.commanded_pace)


@kernel
def finds_no_step(creature: Creature) -> bool:
    """Whether a foot that stands finds nothing to step to."""
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
def hop_to(creature: Creature, gravity: GravityRecord, ring: int, k: int) -> Vec:
    """A point near a creature, as high as its feet [m, world]: on rings around its middle.

    Args:
        creature: that hops.
        gravity: the field.
        ring: how many times HOP_STEP it is off.
        k: direction: towards the feet that stand first, then ever more to both sides.
    """
    centre, stand, count = centre_of(creature.trunk), (0.0, 0.0, 0.0), 0.0
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase == STANDING:
            stand, count = add(stand, sub(vec(creature.feet[i].position), centre)), count + 1.0
    stand = scale(stand, 1.0 / max(count, 1.0))
    up = up_at(gravity, centre)
    level = reject(stand, up)
    way = unit(level, rotate(quat(creature.trunk[0].orientation), X))
    turn = (k + 1) // 2 * (2.0 * PI / HOP_WAYS) * (1.0 if k % 2 else -1.0)
    way = rotate(quat_turned(scale(up, turn)), way)
    return along(add(centre, sub(stand, level)), way, ring * HOP_STEP * creature.plan.reach)


@kernel
def rests(gait: GaitRecord, dt: float) -> None:
    """Let a creature that found no place to leap to wait until it looks again."""
    gait.stuck = round((STUCK - AGAIN) / dt)
