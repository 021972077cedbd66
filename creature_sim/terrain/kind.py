"""The record of a kind of ground: what users write, what makes the ground, what it is like.

Built-in kinds (one file each in `terrain/kinds/`) and those of other packages are the same
record; `terrain/registry.py` finds both.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar, get_args

from creature_sim.files.definition import Definition
from creature_sim.maths import Floats
from creature_sim.terrain.ground import Boundless, GroundDef, SmoothGround
from creature_sim.terrain.tiles.tiles import MeshTile, Point, Tile
from creature_sim.terrain.tiles.tiling import Blocks, Stretch

Model = TypeVar("Model", bound=Definition)


class Box(NamedTuple):
    """An upright box.

    Attributes:
        position: of its middle [m, world].
        size: along X, Y and Z [m].
    """

    position: Point
    size: Point


class Roof(NamedTuple):
    """A level roof over a part of the floor.

    Attributes:
        height: of its underside [m, world].
        x: what of the floor lies below it, along X [m].
        y: the same along Y.
        boxes: that it is made of.
    """

    height: float
    x: Stretch
    y: Stretch
    boxes: tuple[Box, ...]


class Planet(NamedTuple):
    """A ball that pulls everything to its centre.

    Attributes:
        centre: [m, world].
        radius: [m].
    """

    centre: Point
    radius: float


class Challenge(NamedTuple):
    """The demands of a trial on a kind of ground.

    Attributes:
        d: difficulty from 0 to 1.
        scale: lengths over those for legs that reach 0.5 m.
        clearing: the ground is level this far around the start [m].
        extent: the course is at least this long [m].
    """

    d: float
    scale: float
    clearing: float
    extent: float


@dataclass(frozen=True)
class Parts(Generic[Model]):
    """The grounds that a composed ground is made of.

    Attributes:
        of: the grounds of a definition, in order, with the key of each in its table.
        replaced: a definition with other grounds, in the same order.
        nodes: coordinates of the nodes of each part along an axis, (N,) [m], for those of the
            composed ground.
    """

    of: Callable[[Model], Sequence[tuple[str, GroundDef]]]
    replaced: Callable[[Model, Sequence[GroundDef]], Model]
    nodes: Callable[[Model, Floats], Floats]


@dataclass(frozen=True)
class Source(Generic[Model]):
    """How ground is read from a file; the model derives from `DataDef`.

    Attributes:
        read: the bytes that a definition, its file's path and the nodes (N,) [m] along an axis
            lead to; DefinitionError, whose text begins with a key, says why there are none.
        check: raises DefinitionError for data that cannot be such a ground.
    """

    read: Callable[[Model, Path, Floats], bytes]
    check: Callable[[Model, Floats], None]


@dataclass(frozen=True)
class TerrainKind(Generic[Model]):
    """A kind of ground. All but the model and one of heights, blocks and tiles is optional.

    Attributes:
        model: of the definition, with a field `kind: Literal[...]` of the kind's name; the first
            line of its docstring says what the ground is. One that derives from `SmoothGround`
            can be endless, and so can one that derives from `Boundless` if the kind has blocks,
            or tiles and between.
        heights: of ground without edges: called with the definition, x (X,) and y (Y,) of nodes
            [m] and the seed, returns heights (X, Y) [m] that depend on nothing else. Such kinds
            can be layered.
        blocks: of ground that is a grid of boxes: called with the definition, the seed and a
            stretch along X and one along Y [m], returns the boxes between.
        tiles: of any other ground with edges: called with the definition and the seed, returns
            the tiles that cover the whole ground.
        between: called with the same as blocks, returns as one mesh all that meets the two
            stretches, whole.
        ends: why such ground cannot be endless, for messages.
        in_patches: whether it can be a patch.
        roof: of a definition, what hangs over its floor.
        has_unknown_roofs: whether anything may hang over the floor, unknown before it is met.
        walls: of a definition with walls all around, their distances from the origin along X and
            along Y [m].
        planet: of a definition, the planet that it is.
        parts: the grounds that it is made of.
        source: how it is read from a file.
        example: lines of TOML for the table `[terrain]` of a new world, with comments.
        trial: the ground of a trial. The first line of its docstring says what the difficulty d
            changes.
    """

    model: type[Model]
    heights: Callable[[Model, Floats, Floats, int], Floats] | None = None
    blocks: Callable[[Model, int, Stretch, Stretch], Blocks] | None = None
    tiles: Callable[[Model, int], Iterable[Tile]] | None = None
    between: Callable[[Model, int, Stretch, Stretch], MeshTile] | None = None
    ends: str = "which has a border"
    in_patches: bool = True
    roof: Callable[[Model], Roof] | None = None
    has_unknown_roofs: bool = False
    walls: Callable[[Model], tuple[float, float]] | None = None
    planet: Callable[[Model], Planet] | None = None
    parts: Parts[Model] | None = None
    source: Source[Model] | None = None
    example: str = ""
    trial: Callable[[Challenge], GroundDef] | None = None

    @property
    def name(self) -> str:
        """What users write as `kind`; empty if the model does not say."""
        return name_of(self.model)

    @property
    def summary(self) -> str:
        """What the ground is, in a line."""
        return _first_line(self.model.__doc__)

    @property
    def difficulty(self) -> str:
        """What the difficulty d of a trial changes, in a line; empty without trials."""
        return _first_line(self.trial.__doc__) if self.trial else ""

    @property
    def problem(self) -> str:
        """What a kind needs and this one lacks, as "expected, found"; empty if it is whole."""
        makers = (self.heights, self.blocks, self.tiles)
        if len(makers) - makers.count(None) != 1:
            return "to have either heights or blocks or tiles, found several or none"
        if self.between is not None and self.tiles is None:
            return "to have tiles beside between, found none"
        if self.heights is None and issubclass(self.model, SmoothGround):
            found = "blocks" if self.blocks else "tiles"
            return f"to have heights, for it is a SmoothGround, found {found}"
        if self.tiles is not None and self.between is None and issubclass(self.model, Boundless):
            return "to have between beside tiles, for it is Boundless, found none"
        return ""


def name_of(model: type[Any]) -> str:
    """The kind that a model's definitions are of; empty if it does not say."""
    field = model.model_fields.get("kind")
    return next(iter(get_args(field.annotation)), "") if field else ""


def _first_line(text: str | None) -> str:
    return (text or "").strip().split("\n", maxsplit=1)[0]
