"""Colours of ground that is shown as plain triangles."""

import numpy as np

from creature_sim.figures.ground import normals_of
from creature_sim.figures.palette import EDGED, ROLLING
from creature_sim.figures.patch import Patch
from creature_sim.figures.solids import rgb
from creature_sim.maths import Floats

STEEP, LEVEL = 0.70, 0.94
"""Ground whose normal rises less than this has the colour of steep ground; more: of level."""


def ground_colours(patch: Patch) -> Floats:
    """Of each vertex, (V, 3), as `view/glsl/ground.glsl` mixes them."""
    colours = EDGED if patch.is_edged else ROLLING
    level, high, steep = (np.array(rgb(colour)) for colour in colours.values())
    z = patch.vertices[:, 2]
    height = ((z - z.min()) / max(float(np.ptp(z)), 1e-9))[:, None]
    rise = normals_of(patch.vertices, patch.triangles, patch.is_edged)[:, 2:]
    even = np.clip((rise - STEEP) / (LEVEL - STEEP), 0.0, 1.0)
    even = even * even * (3.0 - 2.0 * even)
    found: Floats = steep + (level + (high - level) * height - steep) * even
    return found
