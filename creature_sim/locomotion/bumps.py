"""How high an arc must be over the ground that was sampled below it."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import FootRecord, HitRecord, PlanRecord, Records
from creature_sim.locomotion.arcs import keep_holds, path_done, time_of
from creature_sim.locomotion.search import ARC_FIRST, arc_fraction
from creature_sim.locomotion.slots import ARC_RAYS
from creature_sim.locomotion.timing import arch
from creature_sim.maths import Vec, clamp, dot, mix, sub, vec
from creature_sim.maths.jit import kernel

CLEARANCE = 0.72
"""An arc passes over bumps between its ends by this fraction of the step height."""
NARROWLY = 0.7
"""One of a leg whose hip is a ball by this one: it soon is folded up as far as it may."""
NARROWEST = 0.55
"""Near its ends an arc counts as this fraction of its apex: no bump there raises it without end."""
WIDER = 1.1
"""A bump reaches nearer to the ends of the arc than the ray that met it, by this factor."""
HIGHEST = 0.4
"""An arc of who climbs rises by no more than this fraction of the reach: what its rays meet higher
is another wall, of which they see the edge."""


@kernel
def apex_over(
    plan: PlanRecord,
    foot: FootRecord,
    up: Vec,
    hits: Records[HitRecord],
    is_active: NDArray[np.int8],
    least: float,
    age: int,
) -> float:
    """Apex of an arc that clears what was sampled between where the foot is and its goal [m].

    Nearer to its ends than the first and the last sample the ground may be as high as there. What
    is high near to an end lets the foot rise first, or come down last.

    Args:
        plan: numbers of the body.
        foot: in the air.
        up: of its segment.
        hits: (A,) of the rays along its path.
        is_active: (A,) which of them were cast in this tick.
        least: by which it passes over what they met, as a fraction of the step height.
        age: of the gait [ticks].
    """
    early, late = ends_over(plan, foot, up, hits, is_active, least, age)
    keep_holds(plan, foot, early, late)
    early, late = ends_over(plan, foot, up, hits, is_active, least, age)
    return max(early, late)


@kernel
def ends_over(
    plan: PlanRecord,
    foot: FootRecord,
    up: Vec,
    hits: Records[HitRecord],
    is_active: NDArray[np.int8],
    least: float,
    age: int,
) -> tuple[float, float]:
    """The same for what is near to its first and near to its other end [m]."""
    done = path_done(foot)
    first, _, _ = arch(time_of(foot, done + (1.0 - done) * ARC_FIRST))
    rise = abs(dot(sub(vec(foot.goal), vec(foot.track)), up))
    early = late = plan.step_height + ARC_FIRST * rise / max(NARROWEST, first)
    for k in range(ARC_RAYS):
        if is_active[k] and hits[k].is_hit:
            fraction = arc_fraction(age, k)
            line = mix(vec(foot.track), vec(foot.goal), fraction)
            bump = dot(sub(vec(hits[k].point), line), up)
            if bump > 0.0:
                time = time_of(foot, done + (1.0 - done) * fraction)
                time = clamp(0.5 + WIDER * (time - 0.5), 0.0, 1.0)
                part, _, _ = arch(time)
                over = least * plan.step_height + bump / max(NARROWEST, part)
                if plan.climbs:
                    over = min(over, HIGHEST * plan.reach)
                if time < 0.5:
                    early = max(early, over)
                else:
                    late = max(late, over)
    return early, late
