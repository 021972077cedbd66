"""What tells creatures of one plan from each other: herds do not march in step."""

from creature_sim.components import GaitRecord
from creature_sim.maths import random_unit
from creature_sim.maths.jit import kernel

TEMPI = 0.1
"""No creature's strokes are shorter than those of another by more than this fraction."""


@kernel
def tempo_of(seed: int) -> float:
    """Strokes of a creature as a fraction of its plan's, by its seed; of seed 0 it is 1."""
    return float(1.0 - TEMPI * ((random_unit(seed, 9, 0) - random_unit(0, 9, 0)) % 1.0))


@kernel
def own_of(gait: GaitRecord) -> float:
    """A number of each creature's own, from 0, that of seed 0, to less than 1."""
    return float((1.0 - gait.tempo) / TEMPI)
