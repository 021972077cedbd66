"""The support margin: how far the body is inside the polygon of its standing feet."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.geometry import hull_margin, tangents
from creature_sim.score.track import Track


def support_margin(track: Track) -> Floats:
    """Signed distance of the projected centre to the edge of the support polygon, (T,) [m].

    Negative outside (McGhee and Frank 1968). The projection is along gravity. With fewer than three
    feet on the ground, the margin is minus the distance to the point or line that they span.
    """
    margins = np.empty(len(track.position))
    axes = np.stack(tangents(track.ups_at(track.centre)), axis=-1)
    feet = np.einsum("tlk,tki->tli", track.tips - track.centre[:, None], axes)
    for tick, (points, swings) in enumerate(zip(feet, track.is_swinging, strict=True)):
        margins[tick] = hull_margin(points[~swings])
    return margins
