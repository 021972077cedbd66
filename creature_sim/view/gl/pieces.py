"""The three solids that creatures are drawn from, in all levels of detail, in few calls of OpenGL."""

from collections.abc import Sequence

from creature_sim.figures.shapes import DISTANT, LEVELS, SMALL, hull, limb, sphere, welded
from creature_sim.figures.solids import Solids
from creature_sim.view.gl.instances import Instances
from creature_sim.view.gl.shaders import Programs

HULL, SPHERE, LIMB = range(3)


class Pieces:
    """Hulls, spheres and limbs, refilled in every frame."""

    def __init__(self) -> None:
        """Upload their shapes into the current context."""
        makers = (hull, sphere, limb)
        self._meshes = Instances(
            [welded(*make(level)) for level in range(LEVELS) for make in makers]
        )

    def fill(self, levels: Sequence[Solids]) -> None:
        """Upload one row for each solid to draw, of the finest level and those after it."""
        self._meshes.fill(
            [rows for solids in levels for rows in (solids.hulls, solids.spheres, solids.limbs)]
        )

    def draw(
        self, programs: Programs, *features: str, variant: str = "", levels: int = LEVELS
    ) -> None:
        """Draw them, in at most five draw calls.

        Args:
            programs: compiled as they are needed.
            features: that the programs are compiled with.
            variant: "": in their colours; "_depth": their depths only.
            levels: how many levels to draw, from the finest on.
        """
        first_small = min(DISTANT if features else SMALL, levels)
        lit = features if variant else (*features, "SMALL")  # only colours are lit at all
        for group, own in ((range(first_small), features), (range(first_small, levels), lit)):
            self._draw(programs, "solid" + variant, own, group, (HULL, SPHERE))
            bars = [level for level in group if level != DISTANT]
            self._draw(programs, "limb" + variant, own, bars, (LIMB,))
            ribbons = [level for level in group if level == DISTANT]
            self._draw(programs, "limb" + variant, (*own, "RIBBON"), ribbons, (LIMB,))

    def _draw(
        self,
        programs: Programs,
        name: str,
        features: tuple[str, ...],
        levels: Sequence[int],
        kinds: Sequence[int],
    ) -> None:
        """Draw some of them with one program, in one call."""
        chosen = self._meshes.filled([3 * level + kind for level in levels for kind in kinds])
        if chosen:
            programs.use(name, *features)
            self._meshes.draw(chosen)

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        self._meshes.delete()
