"""How legs of who climbs seek footholds: by rays that bend round edges, then by feeling around."""

from creature_sim.components import STANDING, GravityRecord, HitRecord, Records, SegmentRecord
from creature_sim.locomotion.bends import bent_hits, goes_down, is_bent, is_buried
from creature_sim.locomotion.climbing import turned_then
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.groping import BACKS, FAN, GROPES, off_aim
from creature_sim.locomotion.judging import judge, score_of
from creature_sim.locomotion.search import OLD, Find
from creature_sim.locomotion.slots import foothold_slot
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.maths import Quat, put, scale, vec
from creature_sim.maths.jit import kernel

HARD = 0.1
"""How good a foothold is that a leg which feels around only just reaches: it would hold the body
back."""


@kernel
def look_about(
    creature: Creature,
    segments: Records[SegmentRecord],
    i: int,
    hits: Records[HitRecord],
    fan: Records[HitRecord],
    gravity: GravityRecord,
) -> Find:
    """What a leg of who climbs has found ahead, of (Q,) hits: where the ground goes on.

    Where that is no foothold it feels around, with the `fan`, from the next tick on.
    """
    slot, s = foothold_slot(creature.trunk.shape[0], i), creature.legs[i].segment
    if is_buried(creature, i, hits):
        foot = creature.feet[i]
        return Find(vec(foot.goal), vec(foot.goal_normal), 1.0, False, False, False, foot.prop)
    seconds = seconds_to_touchdown(creature.plan, creature.gait, creature.feet[i])
    then = turned_then(creature, gravity, segments, s, hits, seconds)
    first, second = bent_hits(creature, i, hits)
    if first < 0:
        first, second = (second, -1) if second >= 0 else (slot, -1)
    foothold, is_round = creature.footholds[i], first != slot or is_bent(creature, i)
    if is_round:  # it does not evade edges
        put(foothold.offset, scale(vec(foothold.offset), 0.8))
    if is_round or creature.feet[i].phase != STANDING:
        foothold.clear = 1.0  # it surveys no patch
    found = judge(creature, i, hits[first], then, gravity)
    if second >= 0 and not (found.is_ground and found.is_in_reach):
        found = judge(creature, i, hits[second], then, gravity)
    gropes = foothold.fallback == GROPES
    foothold.fallback = 0 if found.is_ground and found.is_in_reach else GROPES
    if gropes and foothold.fallback == GROPES:
        count = FAN if goes_down(creature, i, hits) else FAN - BACKS
        return feel(creature, i, fan[:count], then, gravity, found)
    return found


@kernel
def feel(
    creature: Creature,
    i: int,
    fan: Records[HitRecord],
    then: Quat,
    gravity: GravityRecord,
    found: Find,
) -> Find:
    """The best foothold that a fan found, or `found`: near to its aim, and easy to reach."""
    foot, most = creature.feet[i], 0.0
    for k in range(fan.shape[0]):
        felt = judge(creature, i, fan[k], then, gravity)
        if felt.is_ground and felt.is_in_reach:
            far = off_aim(creature, i, felt.point, felt.normal) / creature.legs[i].reach
            good = HARD + (1.0 - HARD) * score_of(creature, i, felt, 1.0)
            good *= (OLD if k == 0 and foot.phase != STANDING else 1.0) / (1.0 + far * far)
            if good > most:
                found, most = felt, good
    return found
