"""The ground of a world: any one of all kinds, and those that are made of others."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    Field,
    SerializeAsAny,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)

from creature_sim.definitions.base import Definition, NotNegative, Positive, Vector2
from creature_sim.definitions.imports import DataDef, HeightsDef, MeshDef
from creature_sim.definitions.overhangs import OverhangDef, PillarDef, SphereDef, TunnelDef, WallDef
from creature_sim.definitions.plugins import kind_of, load_plugin, package_of, plugin_names
from creature_sim.definitions.relief import (
    CanyonDef,
    CratersDef,
    DunesDef,
    IslandsDef,
    PyramidDef,
    TerracesDef,
)
from creature_sim.definitions.terrain import (
    Boundless,
    FlatDef,
    GapDef,
    HillsDef,
    ObstaclesDef,
    PitDef,
    RailsDef,
    RoughDef,
    SlopeDef,
    SmoothGround,
    StairsDef,
    SteppingStonesDef,
    StepsDef,
    TiltedGridDef,
    WaveDef,
)
from creature_sim.errors import DefinitionError

DEEPEST = 4
"""Layers within layers, at most."""
GROUND_SIDE = 64.0
"""All patches lie within a square of this side [m]."""


class AddDef(Definition):
    """Heights are added to those so far, which begin at 0."""

    how: Literal["add"]
    ground: "SmoothDef"


class MultiplyDef(Definition):
    """Heights so far are multiplied by this ground's, taken as plain numbers."""

    how: Literal["multiply"]
    ground: "SmoothDef"


class MaskDef(Definition):
    """Heights so far stay where this ground lies above 0, and vanish where it lies below."""

    how: Literal["mask"]
    ground: "SmoothDef"
    ease: Positive = Field(1.0, description="from nothing to all over so much of its height [m]")


class BlendDef(Definition):
    """Heights so far near a place, this ground far from it, a mix between."""

    how: Literal["blend"]
    ground: "SmoothDef"
    near: NotNegative = Field(description="what was so far reaches this far, unmixed [m]")
    far: Positive = Field(description="this ground begins to be unmixed here [m]")
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
    def _is_shallow(cls, value: Any) -> Any:
        """Refuse layers within layers without end, before they are read."""
        if _is_deeper(value, DEEPEST):
            raise ValueError(
                f"layers: expected layers at most {DEEPEST} deep in each other, found more"
            )
        return value

    @model_validator(mode="after")
    def _has_layers(self) -> "LayersDef":
        if not self.layers:
            raise ValueError("layers: expected at least one, found none")
        return self

    @model_validator(mode="after")
    def _goes_on_if_endless(self) -> "LayersDef":
        found = list(imports_of(self)) if self.endless else []
        if found:
            key, kind = found[0][0], kind_of(type(found[0][1]))
            raise ValueError(
                f"{key}.kind: expected grounds that go on, as layers of endless ground, found "
                f"{kind!r}, {_ENDS[kind]}"
            )
        return self


class PatchesDef(Definition):
    """A grid of squares, each with a ground of its own, and level ground around them."""

    kind: Literal["patches"]
    size: Positive = Field(ge=1.0, le=GROUND_SIDE, description="side of a patch [m]")
    border: NotNegative = Field(
        2.0, le=32.0, description="width of the level ground between patches [m]"
    )
    columns: int = Field(strict=True, ge=1, le=64, description="patches in a row along X")
    fade: NotNegative = Field(
        2.0,
        le=32.0,
        description="kinds without edges sink to height 0 over this way inside a patch; others "
        "are cut off [m]",
    )
    patches: tuple["PatchDef", ...] = Field(
        max_length=256, description="row by row from the lowest x and y on"
    )

    @property
    def rows(self) -> int:
        """How many rows there are along Y."""
        return -(-len(self.patches) // self.columns)

    @model_validator(mode="after")
    def _patches_fit(self) -> "PatchesDef":
        """Refuse a grid that is larger than the ground."""
        if not self.patches:
            raise ValueError("patches: expected at least one, found none")
        most = max(min(self.columns, len(self.patches)), self.rows)
        side = most * self.size + (most - 1) * self.border
        if side > GROUND_SIDE:
            raise ValueError(
                f"size: expected at most {GROUND_SIDE:g} m for all patches and borders, found "
                f"{side:g} m: {most} patches of {self.size:g} m and borders of {self.border:g} m"
            )
        if 2.0 * self.fade > self.size:
            raise ValueError(
                f"fade: expected at most half of a patch, {0.5 * self.size:g} m, found "
                f"{self.fade:g}"
            )
        return self


def _is_deeper(value: Any, most: int) -> bool:
    """Whether layers lie deeper in each other than so many."""
    if not isinstance(value, Mapping) or value.get("kind") != "layers":
        return False
    layers = value.get("layers")
    return most == 0 or any(
        _is_deeper(layer.get("ground"), most - 1)
        for layer in (layers if isinstance(layers, list | tuple) else ())
        if isinstance(layer, Mapping)
    )


def _read(find: Callable[[str], type[Definition]], *, is_whole: bool = False) -> WrapValidator:
    """Read a ground with the model of its kind, which `find` knows or refuses.

    Only the whole ground of a world may be endless, and only if it is of a kind that goes on.
    """

    def read(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        kind = value.get("kind") if isinstance(value, Mapping) else getattr(value, "kind", None)
        if not isinstance(kind, str) or not isinstance(value, Mapping | Definition):
            return handler(value)  # whose message says what is missing
        try:
            model = find(kind)
        except DefinitionError as error:
            raise ValueError(str(error)) from None
        is_endless = (value if isinstance(value, Mapping) else vars(value)).get("endless", False)
        if is_endless and not issubclass(model, Boundless):
            kinds = ", ".join(name for name in _TERRAIN if issubclass(_TERRAIN[name], Boundless))
            raise ValueError(
                f"endless: expected a kind that goes on ({kinds}) or a plugin's SmoothGround, "
                f"found {kind!r}, {_ENDS.get(kind, 'a plugin made of tiles')}"
            )
        if is_endless and not is_whole:
            raise ValueError("endless: expected on the whole ground, found on a part of it")
        return model.model_validate(value)

    return WrapValidator(read)


def imports_of(ground: Any, key: str = "") -> Iterator[tuple[str, DataDef]]:
    """What of a ground comes from files, with the keys below it where that is written."""
    if isinstance(ground, DataDef):
        yield key, ground
    elif isinstance(ground, LayersDef):
        for index, layer in enumerate(ground.layers):
            yield from imports_of(layer.ground, f"{key and key + '.'}layers[{index}].ground")
    elif isinstance(ground, PatchesDef):
        for index, patch in enumerate(ground.patches):
            yield from imports_of(patch, f"{key and key + '.'}patches[{index}]")


def is_endless(definition: Any) -> bool:
    """Whether a ground goes on without a border."""
    return isinstance(definition, Boundless) and definition.endless


def _smooth_model(kind: str) -> type[Definition]:
    if kind in _SMOOTH:
        return _SMOOTH[kind]
    if kind in _PATCH or kind in _TERRAIN:
        raise DefinitionError(
            f"kind: expected a ground without edges ({', '.join(_SMOOTH)}), found {kind!r}, "
            "which has edges and cannot be layered"
        )
    plugin = load_plugin(_known(kind, _SMOOTH))
    if plugin.heights is None:
        raise DefinitionError(
            f"kind: expected a ground without edges, found {kind!r}, a plugin made of tiles that "
            "cannot be layered"
        )
    return plugin.model


def _patch_model(kind: str) -> type[Definition]:
    if kind in _TERRAIN and kind not in _PATCH:
        raise DefinitionError(
            "kind: expected a ground that is neither of patches nor a mesh, nor has undersides, "
            f"found {kind!r}"
        )
    return _terrain_model(kind)


def _terrain_model(kind: str) -> type[Definition]:
    return _TERRAIN.get(kind) or load_plugin(_known(kind, _TERRAIN)).model


def _known(kind: str, models: Mapping[str, type[Definition]]) -> str:
    """A kind that a package brings; DefinitionError names all there are."""
    plugins = plugin_names()
    if kind not in plugins:
        raise DefinitionError(
            f"kind: expected one of {', '.join([*models, *plugins])}, found {kind!r}"
        )
    return kind


_SmoothKinds = (
    FlatDef
    | HillsDef
    | SlopeDef
    | RoughDef
    | WaveDef
    | DunesDef
    | CanyonDef
    | CratersDef
    | TerracesDef
    | IslandsDef
    | LayersDef
    | HeightsDef
)
_EdgedKinds = (
    StairsDef
    | PyramidDef
    | StepsDef
    | ObstaclesDef
    | TiltedGridDef
    | SteppingStonesDef
    | GapDef
    | PitDef
    | RailsDef
    | WallDef
    | PillarDef
)
_HangingKinds = TunnelDef | OverhangDef | SphereDef

# SerializeAsAny: what a package brings is none of the models that are named here.
SmoothDef = Annotated[
    SerializeAsAny[Annotated[_SmoothKinds, Field(discriminator="kind")]],
    _read(_smooth_model),
]
"""Ground without edges: heights at nodes."""

PatchDef = Annotated[
    SerializeAsAny[Annotated[_SmoothKinds | _EdgedKinds, Field(discriminator="kind")]],
    _read(_patch_model),
]
"""Ground of a patch."""

TerrainDef = Annotated[
    SerializeAsAny[
        Annotated[
            _SmoothKinds | _EdgedKinds | _HangingKinds | PatchesDef | MeshDef,
            Field(discriminator="kind"),
        ]
    ],
    _read(_terrain_model, is_whole=True),
]
"""Ground of a world."""


def _models(union: Any) -> Iterator[tuple[str, type[Definition]]]:
    """The models in a union by their kinds, in order."""
    for model in get_args(union):
        yield kind_of(model), model


_SMOOTH = dict(_models(_SmoothKinds))
_PATCH = _SMOOTH | dict(_models(_EdgedKinds))
_TERRAIN: dict[str, type[Definition]] = (
    _PATCH | dict(_models(_HangingKinds)) | dict(_models(PatchesDef | MeshDef))
)

_ENDS = {
    "tunnel": "which is one thing at the origin",
    "overhang": "which is one thing at the origin",
    "sphere": "which is one thing at the origin",
    "patches": "which is a map with a rim",
    "heights": "which ends where its file does",
    "mesh": "which ends where its file does",
}
"""Why kinds cannot be endless."""

for _model in (AddDef, MultiplyDef, MaskDef, BlendDef, LayersDef, PatchesDef):
    _model.model_rebuild()


def kind_names() -> list[str]:
    """All kinds of ground: the built-in ones, then those that packages bring."""
    return [*_TERRAIN, *(name for name in plugin_names() if name not in _TERRAIN)]


def kind_summary(kind: str) -> str:
    """What a kind of ground is, in a line; a package is named, but not loaded."""
    if kind not in _TERRAIN:
        return f"from {package_of(kind)}"
    return (_TERRAIN[kind].__doc__ or "").splitlines()[0]
