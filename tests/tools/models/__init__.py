"""The models of the library, made from numbers: `python -m tests.tools.models`.

shapes    tubes as triangles with weights
limbs     rings about the bones of a limb
body      a skeleton and its skin, piece by piece
glb       both as a binary glTF file, the same bits every time
crawlers  animals with legs beside the body
standing  and with legs below it
"""

from collections.abc import Iterator
from pathlib import Path

from tests.tools.models.crawlers import beetle, centipede, crab, spider
from tests.tools.models.glb import glb_of
from tests.tools.models.standing import arm, bird, dog, humanoid

FOLDER = Path(__file__).parents[3] / "creature_sim" / "library" / "models"
MAKERS = (arm, beetle, bird, centipede, crab, dog, humanoid, spider)


def files() -> Iterator[tuple[str, bytes]]:
    """Name and bytes of every file."""
    for make in MAKERS:
        body = make()
        yield f"{body.name}.glb", glb_of(body)
