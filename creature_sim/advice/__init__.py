"""What is legal and poor, and what mends it: keys, with what was found and what would be good.

    for where, advice in file_advice("bug.toml"):
        print(f"{where}: {advice}")

`check` gives the advice of definitions, `score` that of failed metrics, `run` says why a creature
was slower than asked.
"""

from creature_sim.advice.advice import Advice
from creature_sim.advice.files import file_advice
from creature_sim.advice.footprints import crowd_advice
from creature_sim.advice.mends import mends_of, mends_text
from creature_sim.advice.pace import Pace
from creature_sim.advice.plans import plan_advice
from creature_sim.advice.slowness import Slowness

__all__ = [
    "Advice",
    "Pace",
    "Slowness",
    "crowd_advice",
    "file_advice",
    "mends_of",
    "mends_text",
    "plan_advice",
]
