"""Grounds without edges, applied one to the next."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from creature_sim.files.definition import Definition, NotNegative, Positive, Vector2
from creature_sim.maths import Floats, random_bits
from creature_sim.terrain.build import heights_of
from creature_sim.terrain.files.imports import imports_of
from creature_sim.terrain.ground import GroundDef, SmoothGround
from creature_sim.terrain.kind import Challenge, Parts, TerrainKind
from creature_sim.terrain.kinds.flat import FlatDef
from creature_sim.terrain.reading import SmoothDef
from creature_sim.terrain.registry import kind_of

_STREAM = 1006
MAX_DEPTH = 4
"""Largest depth of layers within layers."""
EXAMPLE = """\
kind = "layers"               # grounds without edges, one applied to the next

[[terrain.layers]]
how = "add"                   # or "multiply"
ground = { kind = "hills", amplitude = 1.0, wavelength = 14.0, octaves = 4 }

[[terrain.layers]]
how = "mask"                  # hills stay where this lies above 0
ease = 0.4                    # and fade over this much of its height
ground = { kind = "hills", amplitude = 1.0, wavelength = 20.0, octaves = 1 }

[[terrain.layers]]
how = "blend"                 # that up to 8 m from the start, this from 16 m on
near = 8.0
far = 16.0
ground = { kind = "wave", amplitude = 0.3, wavelength = 4.0 }"""


class AddDef(Definition):
    """Heights are added to those so far, which begin at 0."""

    how: Literal["add"]
    ground: SmoothDef


class MultiplyDef(Definition):
    """Heights so far are multiplied by this ground's, taken as plain numbers."""

    how: Literal["multiply"]
    ground: SmoothDef


class MaskDef(Definition):
    """Heights so far stay where this ground lies above 0, and vanish where it lies below."""

    how: Literal["mask"]
    ground: SmoothDef
    ease: Positive = Field(
        1.0, description="height of this ground from where nothing stays to where all stays [m]"
    )


class BlendDef(Definition):
    """Heights so far near the centre, this ground far from it, a mix between."""

    how: Literal["blend"]
    ground: SmoothDef
    near: NotNegative = Field(description="heights so far stay unmixed up to this distance [m]")
    far: Positive = Field(description="this ground is unmixed from this distance on [m]")
    centre: Vector2 = Field((0.0, 0.0), description="x, y that distances are from [m]")

    @model_validator(mode="after")
    def _near_is_nearer(self) -> "BlendDef":
        if self.near >= self.far:
            raise ValueError(f"far: expected more than near, {self.near:g} m, found {self.far:g}")
        return self


LayerDef = Annotated[AddDef | MultiplyDef | MaskDef | BlendDef, Field(discriminator="how")]


class LayersDef(SmoothGround):
    """Grounds without edges, one applied to the next."""

    kind: Literal["layers"]
    layers: tuple[LayerDef, ...] = Field(max_length=16, description="in their order")

    @model_validator(mode="before")
    @classmethod
    def _is_shallow(cls, value: object) -> object:
        """Refuse layers within layers without end, before they are read."""
        if _is_deeper(value, MAX_DEPTH):
            raise ValueError(
                f"layers: expected layers at most {MAX_DEPTH} deep in each other, found more"
            )
        return value

    @model_validator(mode="after")
    def _has_layers(self) -> "LayersDef":
        if not self.layers:
            raise ValueError("layers: expected at least one, found none")
        return self

    @model_validator(mode="after")
    def _goes_on_if_endless(self) -> "LayersDef":
        for key, ground in imports_of(self) if self.endless else ():
            raise ValueError(
                f"{key}.kind: expected grounds that go on, as layers of endless ground, found "
                f"{ground.kind!r}, {kind_of(ground).ends}"
            )
        return self


def _is_deeper(value: object, depth: int) -> bool:
    """Whether layers lie more than `depth` deep in each other."""
    if not isinstance(value, Mapping) or value.get("kind") != "layers":
        return False
    layers = value.get("layers")
    return depth == 0 or any(
        _is_deeper(layer.get("ground"), depth - 1)
        for layer in (layers if isinstance(layers, list | tuple) else ())
        if isinstance(layer, Mapping)
    )


def heights(definition: LayersDef, x: Floats, y: Floats, seed: int) -> Floats:
    """The heights after the last layer."""
    total = np.zeros((len(x), len(y)))
    for index, layer in enumerate(definition.layers):
        found = heights_of(layer.ground, x, y, layer_seed(seed, index))
        total = apply_layer(layer, total, found, x, y)
    return total


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
    fraction = _eased((away - layer.near) / (layer.far - layer.near))
    return below * (1.0 - fraction) + heights * fraction


def _eased(fraction: Floats) -> Floats:
    """Smoothstep from 0 to 1, clamped beyond."""
    clamped = np.clip(fraction, 0.0, 1.0)
    return clamped * clamped * (3.0 - 2.0 * clamped)


def from_level(ground: GroundDef, challenge: Challenge) -> LayersDef:
    """Ground without edges that begins around a level clearing, for a trial."""
    near = 1.5 * challenge.clearing  # distances are round, clearings square
    level = AddDef(how="add", ground=FlatDef(kind="flat"))
    beyond = BlendDef(how="blend", ground=ground, near=near, far=near + challenge.scale)
    return LayersDef(kind="layers", layers=(level, beyond))


def _grounds(definition: LayersDef) -> list[tuple[str, GroundDef]]:
    return [
        (f"layers[{index}].ground", layer.ground) for index, layer in enumerate(definition.layers)
    ]


def _with_grounds(definition: LayersDef, grounds: Sequence[GroundDef]) -> LayersDef:
    layers = tuple(
        layer.model_copy(update={"ground": ground})
        for layer, ground in zip(definition.layers, grounds, strict=True)
    )
    return definition.model_copy(update={"layers": layers})


def _same_nodes(_definition: LayersDef, nodes: Floats) -> Floats:
    return nodes


KIND = TerrainKind(
    LayersDef, heights=heights, parts=Parts(_grounds, _with_grounds, _same_nodes), example=EXAMPLE
)
