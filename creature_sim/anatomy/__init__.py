"""Models as creatures: what limbs a skeleton has, and how a creature with them would walk.

skeleton    the bones of a model, and what of its skin follows each
names       what the names of bones say
frame       which way is up and ahead, and how large it is
limbs       what hangs on the trunk, in pairs
legs        bones, joints, feet and poles of a leg
creature    all of it as the tables of a creature's file
gaits       how so many legs walk
tuning      numbers that `check` would have otherwise
text        the file, with comments on what is not sure
tree        what was found, as text
plot        and as a picture
place       where the model's file is, and where the creature's expects it
"""

from creature_sim.anatomy.anatomy import Anatomy, anatomy_of
from creature_sim.anatomy.place import Beside
from creature_sim.anatomy.plot import plot
from creature_sim.anatomy.text import creature_text
from creature_sim.anatomy.tree import tree_of

__all__ = ["Anatomy", "Beside", "anatomy_of", "creature_text", "plot", "tree_of"]
