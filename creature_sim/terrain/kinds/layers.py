"""Grounds without edges, applied one to the next."""

import numpy as np

from creature_sim.definitions import AddDef, BlendDef, MaskDef, MultiplyDef
from creature_sim.maths import Floats, random_bits

_STREAM = 1006  # see boxes.py for the others


def layer_seed(seed: int, index: int) -> int:
    """Seed of a layer: the ground's own for the first, so that layers of one are that ground."""
    return int(random_bits(seed, _STREAM, index) >> np.uint64(1)) if index else seed


def apply_layer(
    layer: AddDef | MultiplyDef | MaskDef | BlendDef,
    below: Floats,
    heights: Floats,
    x: Floats,
    y: Floats,
) -> Floats:
    """Heights after a layer, (X, Y) [m].

    Args:
        layer: how to apply it.
        below: (X, Y) heights before it [m].
        heights: (X, Y) of the layer's ground [m].
        x: (X,) of the nodes [m].
        y: (Y,) of the nodes [m].
    """
    if isinstance(layer, AddDef):
        return below + heights
    if isinstance(layer, MultiplyDef):
        return below * heights
    if isinstance(layer, MaskDef):
        return below * _eased(heights / layer.ease)
    dx, dy = x - layer.centre[0], y - layer.centre[1]
    away = np.sqrt((dx * dx)[:, None] + dy * dy)
    share = _eased((away - layer.near) / (layer.far - layer.near))
    return below * (1.0 - share) + heights * share


def _eased(share: Floats) -> Floats:
    """Smoothstep from 0 to 1, clamped beyond."""
    clamped = np.clip(share, 0.0, 1.0)
    return clamped * clamped * (3.0 - 2.0 * clamped)
