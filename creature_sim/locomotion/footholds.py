"""Where feet go next: of what was sensed, the ground to stand on, clear of edges and other feet."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Records
from creature_sim.locomotion.prediction import PRESSING, travel
from creature_sim.locomotion.reach import hip_of
from creature_sim.locomotion.slots import (
    AIM_UNTIL,
    RETREATS,
    RING,
    SEARCHING,
    SHIN,
    leans_out,
    ring_slot,
)
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    Quat,
    Vec,
    Z,
    add,
    along,
    clamp,
    distance,
    dot,
    norm,
    put,
    quat,
    rotate,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

LANDING_STRETCH = 0.93
"""A foothold lies within this share of the leg's reach at touchdown."""


EDGE = 0.04
"""Ground that lies higher or lower by this share of the reach, a step aside, is behind an edge."""


EVADE_SPEED = 1.6
"""How fast a search moves away from an edge [m/s]."""


RETURN_SPEED = 0.5
"""How fast it comes back where there is none [m/s]."""


APART = 0.12
"""Feet keep this share of the reach between each other's footholds: legs do not cross."""


EASY_STRETCH = 0.75
"""A foothold within this share of the leg's reach is as good as any."""


FARTHEST_NUDGE = 0.2
"""How far it goes, as a share of the reach."""


CHOOSY = 0.85
"""A foot in the air takes another goal where that scores no less than this share of its own..."""


STUBBORN = 0.2
"""...or lies farther from it than this share of the reach..."""


TOO_LATE = 0.3
"""...but from this progress on none that is higher or lower by more than a usual step."""


@kernel
def choose_footholds(
    plan: Records,
    legs: Records,
    bodies: Records,
    gaits: Records,
    feet: Records,
    ground: Records,
    is_active: NDArray[np.int64],
    dt: float,
) -> None:
    """Take each leg's probe as its foothold if it is ground and in reach at touchdown.

    A leg that finds none looks nearer to its hip in the next tick; one in the air keeps its goal.
    """
    leg_count, segment_count = legs.shape[0], bodies.shape[1]
    for n in range(bodies.shape[0]):
        for i in range(leg_count):
            leg, foot = legs[i], feet[n, i]
            if not is_active[n, segment_count + i]:
                foot.has_foothold = -1
                continue
            body = bodies[n, leg.segment]
            position, orientation = vec(body.position), quat(body.orientation)
            up = rotate(orientation, Z)
            hit = ground[n, segment_count + i]
            found, found_normal = vec(hit.point), vec(hit.normal)
            seconds = seconds_to_touchdown(plan[0], gaits[n], foot)
            x, y, _ = travel(body, leg, seconds)
            way = rotate(orientation, (x, y, body.climb * seconds))
            stretch = distance(add(hip_of(position, orientation, leg), way), found)
            is_ground = hit.is_hit == 1 and dot(found_normal, up) >= STEEPEST
            is_in_reach = leg.inner <= stretch <= LANDING_STRETCH * leg.reach
            foot.has_foothold = is_ground and is_in_reach
            score = 0.0
            if hit.is_hit:
                ring = ring_slot(segment_count, leg_count, i)
                around = ground[n, ring : ring + len(RING) + 1]
                clear = evade(legs, feet[n], i, found, found_normal, orientation, around, dt)
                level = (dot(found_normal, up) - STEEPEST) / (1.0 - STEEPEST)
                ease = (LANDING_STRETCH - stretch / leg.reach) / (LANDING_STRETCH - EASY_STRETCH)
                score = level * clear * clamp(ease, 0.0, 1.0)
            if not foot.is_swinging:
                foot.score = score if foot.has_foothold else 0.0
            if foot.has_foothold:
                put(foot.foothold, found)
                put(foot.foothold_normal, found_normal)
                foot.foothold_prop = hit.prop
                if not foot.is_swinging and foot.need < 1.0:
                    foot.retreat = 0  # there is time to look at the best place again
                rise = abs(dot(sub(found, vec(foot.goal)), up))
                if (
                    foot.is_swinging
                    and (rise <= plan[0].step_height or foot.progress < TOO_LATE)
                    and (
                        score > CHOOSY * foot.score
                        or distance(vec(foot.goal), found) > STUBBORN * leg.reach
                    )
                ):
                    put(foot.goal, found)
                    put(foot.normal, found_normal)
                    foot.prop = hit.prop
                    foot.score = score
            elif (  # a wall is evaded first, and retreated from where that does not help
                hit.is_hit == 0
                or not is_in_reach
                or (foot.is_swinging == 0 and not SEARCHING < foot.need < PRESSING)
            ):
                foot.retreat = (foot.retreat + 1) % len(RETREATS)
                put(foot.nudge, scale(vec(foot.nudge), 0.5))


@kernel
def evade(
    legs: Records,
    feet: Records,
    i: int,
    found: Vec,
    normal: Vec,
    orientation: Quat,
    ring: Records,
    dt: float,
) -> float:
    """Move a leg's search away from edges, and from where its neighbours stand.

    Edges are where rays of its ring find the ground elsewhere. What is moved now is sensed at its
    new place in the next tick. Where nothing is in the way, a standing foot's search comes back to
    where it wants to be.

    Args:
        legs: (L,) LEG.
        feet: (L,) FOOT.
        i: the leg.
        found: its foothold, as sensed [m, world].
        normal: of the ground there.
        orientation: of its segment.
        ring: (R + 1,) HIT around the foothold, and below the bone above it.
        dt: [s].

    Returns:
        How clear the place is, 1 down to 0.
    """
    leg, foot = legs[i], feet[i]
    if foot.is_swinging:
        if foot.progress > AIM_UNTIL:
            return 1.0
    elif foot.need <= SEARCHING:
        return 1.0
    nudge, clear = vec(foot.nudge), 1.0
    step = EVADE_SPEED * dt
    px = py = 0.0  # where edges push it
    across = 0  # edges in the way of X, less those in the way of Y
    for k in range(len(RING)):
        rise = dot(sub(vec(ring[k].point), found), normal)
        is_wall = dot(vec(ring[k].normal), normal) < STEEPEST
        if ring[k].is_hit == 0 or is_wall or abs(rise) > EDGE * leg.reach:
            x, y, _ = RING[k]
            px, py = px - x, py - y
            across += 1 if x != 0.0 else -1
            clear -= 1.0 / len(RING)
    if clear < 1.0 and px == 0.0 and py == 0.0:  # between two edges, it goes along them
        px, py = (1.0, 0.0) if across <= 0 else (0.0, 1.0)
    nudge = along(nudge, (px, py, 0.0), step)
    out = leans_out(leg)
    if out > 0.0 and ring[len(RING)].is_hit:
        rise = dot(sub(vec(ring[len(RING)].point), found), normal)
        if rise > SHIN * leg.shin[2] - 0.5 * EDGE * leg.reach:  # the bone would pass through it
            x, y = leg.shin[0] * SHIN / out, leg.shin[1] * SHIN / out
            nudge = along(nudge, (x, y, 0.0), -step)
            clear -= 1.0 / len(RING)
    for other in range(legs.shape[0]):
        if other != i and legs[other].side == leg.side and not feet[other].is_lost:
            gap = sub(found, vec(feet[other].goal))
            size = norm(gap)
            if size < APART * leg.reach:
                x, y, _ = unrotate(orientation, unit(gap, normal))
                nudge = along(nudge, (x, y, 0.0), step)
                clear *= size / (APART * leg.reach)
    size = norm(nudge)
    if clear == 1.0 and not foot.is_swinging:
        nudge = scale(nudge, max(0.0, 1.0 - RETURN_SPEED * dt / max(size, 1e-9)))
    elif size > FARTHEST_NUDGE * leg.reach:
        nudge = scale(nudge, FARTHEST_NUDGE * leg.reach / size)
    put(foot.nudge, nudge)
    return clear
