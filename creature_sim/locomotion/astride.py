"""Who stands on two things of which one may leave does not stay so."""

from math import sqrt

from creature_sim.components import GROUND, KINEMATIC, LOST, FootRecord, Records, SolidRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.maths import Vec, add, along, quat, unrotate, vec
from creature_sim.maths.jit import kernel


@kernel
def boarded(feet: Records[FootRecord], solids: Records[SolidRecord]) -> int:
    """The first thing with a path of its own on which a foot stands, or will; -1: there is none."""
    for i in range(feet.shape[0]):
        prop = feet[i].prop
        if feet[i].phase != LOST and prop != GROUND and solids[prop].motion == KINEMATIC:
            return int(prop)
    return GROUND


@kernel
def way_off(creature: Creature, leader: int, solids: Records[SolidRecord]) -> tuple[float, float]:
    """Where a creature goes that is told nothing while it stands astride, x and y [segment].

    Aboard if half of its feet are there, and off again if they are fewer; a trunk along itself.
    Both are 0 where all feet stand on one thing, or on nothing that has a path.

    Args:
        creature: that stands there.
        leader: the segment that is steered.
        solids: (P,) props.
    """
    feet, ferry = creature.feet, boarded(creature.feet, solids)
    on, off = 0, 0
    way: Vec = (0.0, 0.0, 0.0)
    if ferry == GROUND:
        return (0.0, 0.0)
    for i in range(feet.shape[0]):
        if feet[i].phase != LOST:
            on += feet[i].prop == ferry
            off += feet[i].prop != ferry
    if off == 0:
        return (0.0, 0.0)
    sign = 1.0 if on >= off else -1.0
    for i in range(feet.shape[0]):
        if feet[i].phase != LOST:
            share = sign / on if feet[i].prop == ferry else -sign / off
            way = add(way, along((0.0, 0.0, 0.0), vec(feet[i].goal), share))
    x, y, _ = unrotate(quat(creature.trunk[leader].orientation), way)
    if creature.trunk.shape[0] > 1:
        return (1.0 if x > 0.0 else -1.0, 0.0)
    size = max(sqrt(x * x + y * y), 1e-9)
    return (x / size, y / size)
