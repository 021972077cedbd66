"""The weight goes over the feet that stay before a leg leaves the ground for more than a step."""

import numpy as np

from creature_sim.components import (
    ACCEPTED,
    BRACES,
    LED,
    LEG_GONE,
    LOST,
    OUT_OF_REACH,
    WOULD_FALL,
    BodyPoseRecord,
    BodyRecord,
    GravityRecord,
    LegRecord,
    LegTargetRecord,
    Records,
)
from creature_sim.locomotion.balance import margin, support
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.hanging import held_back
from creature_sim.locomotion.hips import IN_CONE, pole_in, swing_to, swings
from creature_sim.locomotion.reach import ankle_of, reach_to
from creature_sim.maths import (
    Floats,
    Vec,
    add,
    clamp,
    norm,
    put,
    put_quat,
    quat,
    rotate,
    scale,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

SAFE = 0.1
"""A body shifts until its weight is inside the feet that stay by this fraction of its reach..."""
LIFTS = 0.04
"""...and a foot leaves the ground from this one on..."""
BRACING = 0.2
"""...and so long after the body began to shift at the soonest [s]."""
OVER = 0.4
"""It goes by this fraction of the way over their middle anyhow."""
SHIFTS = 0.3
"""It does not shift farther than this fraction of its reach."""
FITTINGS = 24
"""So often a shift is moved in from the nearest edge."""
EASY = 0.8
"""A body leans to what is farther from a hip than this fraction of the leg's arm..."""
LEANS = 0.12
"""...by this fraction of its reach at most."""
STRETCH, FOLD = 0.95, 1.02
"""A leg touches what it reaches with something to spare: its body hangs on its springs."""


@kernel
def feet_that_stay(
    creature: Creature, gravity: GravityRecord, targets: Records[LegTargetRecord], more: int
) -> tuple[Floats, int]:
    """Where feet stay, as `balance.support` has them; legs that brace and leg `more` do not."""
    leaves = np.zeros(creature.legs.shape[0], np.bool_)
    for i in range(len(leaves)):
        leaves[i] = i == more or (targets[i].task != 0 and targets[i].stage == BRACES)
    return support(creature, gravity, (0.0, 0.0, 0.0), leaves, 0.0)


@kernel
def safe_shift(
    creature: Creature,
    gravity: GravityRecord,
    targets: Records[LegTargetRecord],
    more: int,
    wished: Vec,
) -> tuple[Vec, float]:
    """A shift near to the one that is wished, for which the weight is over the feet that stay.

    Args:
        creature: as it is planned.
        gravity: the field.
        targets: (L,) legs that brace do not stay.
        more: a leg that does not stay either; -1: none.
        wished: [m, head].

    Returns:
        The shift, and how far the weight is inside then [m]; -inf on fewer than three feet.
    """
    points, count = feet_that_stay(creature, gravity, targets, more)
    x, y, z = wished
    for k in range(count):
        x += OVER / count * points[k, 0]
        y += OVER / count * points[k, 1]
    wanted = SAFE * creature.plan.reach
    off, nx, ny = margin(points, count, x, y)
    best, most = (x, y, z), off
    for k in range(FITTINGS):
        if count < 3 or off >= wanted:
            break
        step = (wanted - off) / (1.0 + 0.1 * k)
        x, y = x + step * nx, y + step * ny
        off, nx, ny = margin(points, count, x, y)
        if off > most:
            best, most = (x, y, z), off
    return best, most


@kernel
def margin_now(
    creature: Creature,
    gravity: GravityRecord,
    targets: Records[LegTargetRecord],
    pose: BodyPoseRecord,
) -> float:
    """How far the weight of a body as it is held is inside the feet that stay [m]."""
    points, count = feet_that_stay(creature, gravity, targets, -1)
    off, _, _ = margin(points, count, pose.shift[0], pose.shift[1])
    return off


@kernel
def lean_to(leg: LegRecord, body: BodyRecord, point: Vec) -> Vec:
    """Shift of a body towards what a leg does not reach with ease [m, segment], level."""
    seen = unrotate(quat(body.orientation), sub(point, vec(body.position)))
    x, y, z = sub(seen, vec(leg.mount))
    far = norm((x, y, z))
    more = clamp(far - leg.coxa - EASY * leg.arm, 0.0, LEANS * leg.reach)
    return (x / max(far, 1e-9) * more, y / max(far, 1e-9) * more, 0.0)


@kernel
def touches(creature: Creature, i: int, point: Vec, shift: Vec) -> bool:
    """Whether a leg reaches a point [m, world] from a body that is shifted [m, segment]."""
    leg, foot = creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    seen = sub(unrotate(orientation, sub(point, vec(body.position))), shift)
    far, stretch = reach_to(leg, seen)
    if far < FOLD * leg.min_reach or stretch > STRETCH:
        return False
    if swings(leg):
        return swing_to(leg, ankle_of(leg, seen), pole_in(leg, orientation, foot)) <= IN_CONE
    return True


@kernel
def can_shift(creature: Creature, shift: Vec) -> bool:
    """Whether standing legs reach their feet from a body that is shifted [m, segment]."""
    count = creature.trunk.shape[0]
    positions, orientations = np.empty((count, 3)), np.empty((count, 4))
    for s in range(count):
        body = creature.trunk[s]
        put_quat(orientations[s], quat(body.orientation))
        put(positions[s], add(vec(body.position), rotate(quat(body.orientation), shift)))
    return held_back(creature, positions, orientations, False) < 0


@kernel
def may_raise(
    creature: Creature,
    gravity: GravityRecord,
    targets: Records[LegTargetRecord],
    i: int,
    point: Vec,
) -> int:
    """Whether a leg may leave the ground and touch a point [m, world]: ACCEPTED, or why not."""
    foot, target = creature.feet[i], targets[i]
    if foot.phase == LOST and target.is_led != LED:
        return LEG_GONE
    leg = creature.legs[i]
    shift, safe = safe_shift(creature, gravity, targets, i, (0.0, 0.0, 0.0))
    if safe < LIFTS * creature.plan.reach or norm(shift) > SHIFTS * creature.plan.reach:
        return WOULD_FALL
    if not can_shift(creature, shift):
        return WOULD_FALL
    if touches(creature, i, point, shift):
        return ACCEPTED
    lean = lean_to(leg, creature.trunk[leg.segment], point)
    shift, safe = safe_shift(creature, gravity, targets, i, lean)
    is_safe = safe >= LIFTS * creature.plan.reach and can_shift(creature, shift)
    return ACCEPTED if is_safe and touches(creature, i, point, shift) else OUT_OF_REACH


@kernel
def brace(
    creature: Creature,
    gravity: GravityRecord,
    targets: Records[LegTargetRecord],
    pose: BodyPoseRecord,
    lean: Vec,
) -> None:
    """Ask for a body whose weight is over the feet that stay, and that leans as it is wished to.

    Args:
        creature: as it is planned.
        gravity: the field.
        targets: (L,).
        pose: what is asked of it is changed.
        lean: wished shift on top of what is asked already [m, head].
    """
    asked = add(vec(pose.asked_shift), lean)
    shift, _ = safe_shift(creature, gravity, targets, -1, asked)
    size, farthest = norm(shift), SHIFTS * creature.plan.reach
    put(pose.asked_shift, shift if size <= farthest else scale(shift, farthest / size))
