"""Evolution: bodies and gaits from random ones to walkers."""

from creature_sim.lab.evolution.genome import Genome, child_of, drawn
from creature_sim.lab.evolution.strategy import Evolved, Member, evolve
from creature_sim.lab.evolution.writing import text_of

__all__ = ["Evolved", "Genome", "Member", "child_of", "drawn", "evolve", "text_of"]
