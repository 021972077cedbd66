"""Models as creatures: what limbs a skeleton has, and how a creature with them would walk.

body        boxes of the trunk: one, or several one after another
skeleton    the bones of a model, and what of its skin follows each
names       what the names of bones say
frame       which way is up and ahead, and how large it is
limbs       what hangs on the trunk, in pairs
legs        bones, feet and poles of a leg
joints      how those bones may turn
creature    all of it as the tables of a creature's file
gaits       how so many legs walk
tuning      numbers that `check` would have otherwise
text        the file, with comments on what is not sure
tails       the tails of a creature as chains, for its file
values      values as TOML
chains      a model without legs as a chain of a world
tree        what was found, as text
plot        and as a picture
place       where the model's file is, and where the creature's expects it
robots/     the same for robots, which say what their joints are and what they weigh
"""

from creature_sim.anatomy.anatomy import Anatomy, anatomy_of
from creature_sim.anatomy.chains import chain_of, chain_text
from creature_sim.anatomy.place import Beside
from creature_sim.anatomy.plot import plot
from creature_sim.anatomy.robots.open import robot_anatomy
from creature_sim.anatomy.text import creature_text
from creature_sim.anatomy.tree import tree_of

__all__ = [
    "Anatomy",
    "Beside",
    "anatomy_of",
    "chain_of",
    "chain_text",
    "creature_text",
    "plot",
    "robot_anatomy",
    "tree_of",
]
