"""Meshes of the three solids that creatures are drawn from, refilled in every frame."""

from collections.abc import Sequence

from creature_sim.figures.shapes import DISTANT, SMALL, hull, limb, sphere, welded
from creature_sim.figures.solids import Solids
from creature_sim.view.gl.mesh import Mesh
from creature_sim.view.gl.shaders import Programs


class Pieces:
    """Hulls, spheres and limbs in one level of detail.

    Attributes:
        level: which one.
        is_shown: whether there are any in this frame.
    """

    def __init__(self, level: int) -> None:
        """Upload their shapes into the current context."""
        self.level = level
        self.is_shown = False
        self.hull = Mesh(*welded(*hull(level)), is_instanced=True)
        self.sphere = Mesh(*welded(*sphere(level)), is_instanced=True)
        self.limb = Mesh(*welded(*limb(level)), is_instanced=True)

    def fill(self, solids: Solids) -> None:
        """Upload one row for each solid to draw."""
        self.is_shown = any(len(rows) for rows in (solids.hulls, solids.spheres, solids.limbs))
        self.hull.fill(solids.hulls)
        self.sphere.fill(solids.spheres)
        self.limb.fill(solids.limbs)

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        for mesh in (self.hull, self.sphere, self.limb):
            mesh.delete()


def draw_pieces(
    programs: Programs, levels: Sequence[Pieces], *features: str, variant: str = ""
) -> None:
    """Draw pieces of several levels: three draw calls a level.

    Args:
        programs: compiled as they are needed.
        levels: what to draw.
        features: that the programs are compiled with.
        variant: "": in their colours; "_depth": their depths only.
    """
    shown = [pieces for pieces in levels if pieces.is_shown]
    first_small = DISTANT if features else SMALL
    large = [pieces for pieces in shown if pieces.level < first_small]
    small = [pieces for pieces in shown if pieces.level >= first_small]
    lit = features if variant else (*features, "SMALL")  # only colours are lit at all
    for group, own in ((large, features), (small, lit)):
        if not group:
            continue
        programs.use("solid" + variant, *own)
        for pieces in group:
            pieces.hull.draw_instances()
            pieces.sphere.draw_instances()
        programs.use("limb" + variant, *own)
        for pieces in group:
            if pieces.level == DISTANT: programs.use("limb" + variant, *own, "RIBBON")
            pieces.limb.draw_instances()
