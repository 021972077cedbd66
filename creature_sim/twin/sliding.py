"""Feet that slide: motors of their legs hold them back."""

from math import inf

from creature_sim.maths import Vec, dot, reject, scale, sub, vec
from creature_sim.maths.jit import kernel
from creature_sim.twin.links import Feet, Gains, Links
from creature_sim.twin.motion import Motion, point_of, tip_of, velocity_at

HOLDS = 4.0
"""A foot that slides is damped so many times as hard as the hinge does it that does it least."""


@kernel
def held_back(links: Links, gains: Gains, motion: Motion, feet: Feet, p: int) -> Vec:
    """Force by which motors hold a point of a foot back that slides over the ground [N, world].

    Their springs know where a foot is against a body as it is planned. On one that tips or turns
    otherwise it is dragged along, most of all if it bears little. One that stays where it is feels
    nothing of this.

    Args:
        links: of the twin.
        gains: of it.
        motion: where it is.
        feet: of it.
        p: the point.
    """
    if feet.loads[p] == 0.0:
        return (0.0, 0.0, 0.0)
    k = links.foot[links.owner[p]]
    arm = sub(point_of(motion, links, p), vec(motion.position[k]))
    slides = reject(sub(velocity_at(motion, k, arm), vec(feet.drifts[p])), vec(feet.normals[p]))
    share = links.foot.shape[0] / links.owner.shape[0]
    return scale(slides, -HOLDS * share * damping_of(links, gains, motion, links.owner[p]))


@kernel
def damping_of(links: Links, gains: Gains, motion: Motion, leg: int) -> float:
    """How hard a tip is damped by the hinge of its leg that does it least [N s/m]."""
    tip, k, stop = tip_of(motion, links, leg), links.foot[leg], links.segment[links.carrier[leg]]
    least = inf
    while k != stop:
        arm = reject(sub(tip, vec(motion.position[k])), vec(motion.axis[k]))
        least = min(least, gains.damping[k - 1] / max(dot(arm, arm), 1e-6))
        k = links.parent[k]
    return least
