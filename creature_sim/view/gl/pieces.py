"""What creatures are drawn from, in all levels of detail, in few calls of OpenGL."""

from collections.abc import Sequence

import numpy as np

from creature_sim.figures.shapes import DISTANT, LEVELS, SMALL, hull, leg, limb, sphere, welded
from creature_sim.figures.solids import LEG_SLOTS, Solids
from creature_sim.view.gl.instances import Instances
from creature_sim.view.gl.shaders import Programs

HULL, SPHERE, LIMB = range(3)


class Pieces:
    """Hulls, spheres, limbs and distant legs, refilled in every frame."""

    def __init__(self) -> None:
        """Upload their shapes into the current context."""
        makers = (hull, sphere, limb)
        solids = [make(level) for level in range(DISTANT) for make in makers]
        self._meshes = Instances([welded(*solid) for solid in (*solids, hull(DISTANT))])
        self._legs = Instances([leg()], LEG_SLOTS)

    def fill(self, levels: Sequence[Solids]) -> None:
        """Upload one row for each solid to draw, of the finest level and those after it."""
        near, distant = levels[:DISTANT], levels[DISTANT:]
        rows = [rows for part in near for rows in (part.hulls, part.spheres, part.limbs)]
        self._meshes.fill([*rows, *(part.hulls for part in distant)])
        self._legs.fill([np.concatenate([part.legs for part in levels])])

    def draw(
        self, programs: Programs, *features: str, variant: str = "", levels: int = LEVELS
    ) -> None:
        """Draw all but the distant legs, in at most four draw calls.

        Args:
            programs: compiled as they are needed.
            features: that the programs are compiled with.
            variant: "": in their colours; "_depth": their depths only.
            levels: how many levels to draw, from the finest on.
        """
        first_small = min(DISTANT if features else SMALL, levels)
        lit = features if variant else (*features, "SMALL")  # only colours are lit at all
        for group, own in ((range(first_small), features), (range(first_small, levels), lit)):
            near = [level for level in group if level < DISTANT]  # others have hulls alone
            solids = [3 * level + HULL for level in group] + [3 * level + SPHERE for level in near]
            self._draw(programs, "solid" + variant, own, sorted(solids))
            self._draw(programs, "limb" + variant, own, [3 * level + LIMB for level in near])

    def draw_legs(self, programs: Programs, *features: str) -> None:
        """Draw distant legs, in one draw call; they may show either side."""
        if self._legs.has_rows([0]):
            programs.use("leg", *features)
            self._legs.draw()

    def _draw(
        self, programs: Programs, name: str, features: tuple[str, ...], solids: Sequence[int]
    ) -> None:
        """Draw some solids with one program, in one call."""
        if self._meshes.has_rows(solids):
            programs.use(name, *features)
            self._meshes.draw(solids)

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        self._meshes.delete()
        self._legs.delete()
