"""Kinds of ground that other packages bring, by the entry point group `creature_sim.terrain`.

In a package's pyproject.toml, the name of an entry point is the kind that worlds write:

    [project.entry-points."creature_sim.terrain"]
    ripples = "my_package:RIPPLES"      # a TerrainKind
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, get_args

from creature_sim.definitions.base import Definition
from creature_sim.definitions.terrain import SmoothGround
from creature_sim.errors import DefinitionError

GROUP = "creature_sim.terrain"


@dataclass(frozen=True)
class TerrainKind:
    """A kind of ground: what users write, and one of two functions that make the ground.

    Attributes:
        model: of the definition, with a field `kind: Literal[...]` of the entry point's name;
            one that derives from `SmoothGround` can be endless.
        heights: for ground without edges: called with the definition, x (X,) and y (Y,) of nodes
            [m] and the seed, returns heights (X, Y) [m] that depend on nothing else. Such kinds
            can be layered.
        tiles: for ground with edges: called with the definition and the seed, returns the tiles
            of `creature_sim.terrain` that cover the whole ground.
    """

    model: type[Definition]
    heights: Callable[..., Any] | None = None
    tiles: Callable[..., Any] | None = None


def plugin_names() -> list[str]:
    """Kinds that installed packages bring, sorted; none is loaded."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def package_of(name: str) -> str:
    """Names and versions of the packages that bring a kind."""
    points = entry_points(group=GROUP, name=name)
    return ", ".join(sorted(_package(point) for point in points)) or "none"


def load_plugin(name: str) -> TerrainKind:
    """Load a kind of a package; DefinitionError says why it cannot be."""
    points = list(entry_points(group=GROUP, name=name))
    if len(points) != 1:
        packages = ", ".join(sorted(_package(point) for point in points)) or "none"
        raise DefinitionError(
            f"kind: expected one package with the kind {name!r}, found {packages}"
        )
    point = points[0]
    expected = f"kind: expected the plugin {name!r} of {_package(point)}"
    try:
        found = point.load()
    except Exception as error:  # whatever a package does when it is imported
        raise DefinitionError(
            f"{expected} to load, found {type(error).__name__}: {_first_line(error)}"
        ) from error
    if not isinstance(found, TerrainKind):
        raise DefinitionError(f"{expected} to be a TerrainKind, found {type(found).__name__}")
    is_model = isinstance(found.model, type) and issubclass(found.model, Definition)
    if not is_model or kind_of(found.model) != name:
        raise DefinitionError(f"{expected} to have a model of kind {name!r}, found {found.model!r}")
    if (found.heights is None) == (found.tiles is None):
        raise DefinitionError(f"{expected} to have either heights or tiles, found both or none")
    if found.tiles is not None and issubclass(found.model, SmoothGround):
        raise DefinitionError(f"{expected} to have heights, for it is a SmoothGround, found tiles")
    return found


def kind_of(model: type[Definition]) -> str:
    """The kind that a model's definitions are of, or nothing."""
    field = model.model_fields.get("kind")
    return next(iter(get_args(field.annotation)), "") if field else ""


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0]
