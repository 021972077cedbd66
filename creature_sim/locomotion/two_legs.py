"""Two legs beside each other: which of them goes first, as neither can step through the other."""

from creature_sim.locomotion.balance import is_upright, stand_count
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.prediction import ground_velocity
from creature_sim.maths import norm, vec
from creature_sim.maths.jit import kernel


@kernel
def steps_inwards(creature: Creature, i: int) -> bool:
    """Whether a leg of a body that goes aside over two steps towards the other one."""
    if not is_upright(creature.legs, creature.gait):
        return False
    leg = creature.legs[i]
    x, y, _ = ground_velocity(creature.trunk[leg.segment], leg)
    return bool(abs(y) > abs(x) and y * leg.side < 0.0)


@kernel
def is_pushed_off(creature: Creature) -> bool:
    """Whether a body that is pushed has all its feet down: any of them may go first."""
    left = creature.legs.shape[0] - creature.gait.lost_count
    return bool(norm(vec(creature.gait.thrown)) > 0.0 and stand_count(creature) == left)
