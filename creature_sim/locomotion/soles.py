"""Soles that have rolled onto heels or toes: how they lie, and where their ankles are."""

from typing import NamedTuple

from creature_sim.components import FootRecord, LegRecord
from creature_sim.maths import Vec, add, along, reject, scale, sin_cos, sub, unit, vec
from creature_sim.maths.jit import kernel


class Sole(NamedTuple):
    """Where the middle of a sole is [m, world], and its normal [world]."""

    middle: Vec
    normal: Vec


@kernel
def toes_side(leg: LegRecord) -> float:
    """1 where toes point along the Z of the last bone, -1 where knees point back: against it."""
    return 1.0 if leg.pole[0] >= 0.0 else -1.0


@kernel
def level_toes(foot: FootRecord) -> Vec:
    """Where the toes of a sole would point if it lay flat [world]."""
    heading = vec(foot.heading)
    return unit(reject(heading, vec(foot.normal)), heading)


@kernel
def turned_up(foot: FootRecord) -> tuple[Vec, Vec]:
    """Where the toes of a sole point as it has rolled, and its normal [world]."""
    ahead, normal = level_toes(foot), vec(foot.normal)
    sine, cosine = sin_cos(foot.roll)
    toes = add(scale(ahead, cosine), scale(normal, sine))
    return toes, add(scale(normal, cosine), scale(ahead, -sine))


@kernel
def rolled(leg: LegRecord, foot: FootRecord) -> Sole:
    """How a sole lies that has rolled about its heel or its toe."""
    middle = vec(foot.position)
    if foot.roll == 0.0:
        return Sole(middle, vec(foot.normal))
    toes, normal = turned_up(foot)
    end = -leg.heel if foot.roll > 0.0 else leg.toe
    return Sole(along(along(middle, level_toes(foot), end), toes, -end), normal)


@kernel
def ankle_moved(leg: LegRecord, foot: FootRecord) -> Vec:
    """How far an ankle is from where it would be were its sole flat [m, world]."""
    sole, flat = rolled(leg, foot), along(vec(foot.position), vec(foot.normal), leg.ankle)
    return sub(along(sole.middle, sole.normal, leg.ankle), flat)
