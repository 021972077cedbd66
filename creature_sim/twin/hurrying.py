"""How much faster goals of hinges go than a tick ago: what is heavy has to be pushed for that."""

from creature_sim.components import BY_WALK, UPRIGHT, Records, TwinRecord
from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel


@kernel
def note_pulls(
    bases: Records[TwinRecord], old: Floats, goals: Floats, paces: Floats, pulls: Floats, dt: float
) -> None:
    """Note how much faster the goals of N twins go than in the last tick.

    A foot that steps speeds up by several g: a spring alone would let it come down late, and hard.

    Args:
        bases: (N,) of the twins.
        old: (N, A) goals at the end of the last tick [rad].
        goals: (N, A) at the end of this one [rad].
        paces: (N, A) how fast they went; written [rad/s].
        pulls: (N, A) of those that walk; written [rad/s^2].
        dt: length of a tick [s].
    """
    for n in range(goals.shape[0]):
        walks = bases[n].stage == UPRIGHT and bases[n].led == BY_WALK
        for j in range(goals.shape[1]):
            pace = (goals[n, j] - old[n, j]) / dt
            pulls[n, j] = (pace - paces[n, j]) / dt if walks else 0.0
            paces[n, j] = pace
