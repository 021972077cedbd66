"""Kinds of ground that other packages bring, by the entry point group `creature_sim.terrain`.

In a package's pyproject.toml, the name of an entry point is the kind that worlds write:

    [project.entry-points."creature_sim.terrain"]
    ripples = "my_package:RIPPLES"      # a TerrainKind
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

import numpy as np

from creature_sim.errors import DefinitionError, TerrainError
from creature_sim.files.definition import Definition
from creature_sim.maths import Floats
from creature_sim.terrain.kind import TerrainKind, name_of
from creature_sim.terrain.tiles.tiles import HeightTile, MeshTile, Tile
from creature_sim.terrain.tiles.tiling import Blocks, Stretch

Result = TypeVar("Result")

GROUP = "creature_sim.terrain"


@cache
def plugin_names() -> tuple[str, ...]:
    """Kinds that installed packages bring, sorted; none is loaded."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def package_of(name: str) -> str:
    """Names and versions of the packages that bring a kind."""
    points = entry_points(group=GROUP, name=name)
    return ", ".join(sorted(_package(point) for point in points)) or "none"


@cache
def load_plugin(name: str) -> TerrainKind[Any]:
    """Load a kind of a package; DefinitionError says why it cannot be."""
    points = list(entry_points(group=GROUP, name=name))
    if len(points) != 1:
        raise DefinitionError(
            f"kind: expected one package with the kind {name!r}, found {package_of(name)}"
        )
    point = points[0]
    expected = f"kind: expected the plugin {name!r} of {_package(point)}"
    try:
        found = point.load()
    except Exception as error:  # whatever a package does when it is imported
        first_line = (str(error).splitlines() or [""])[0]
        raise DefinitionError(
            f"{expected} to load, found {type(error).__name__}: {first_line}"
        ) from error
    if not isinstance(found, TerrainKind):
        raise DefinitionError(f"{expected} to be a TerrainKind, found {type(found).__name__}")
    is_model = isinstance(found.model, type) and issubclass(found.model, Definition)
    if not is_model or name_of(found.model) != name:
        raise DefinitionError(f"{expected} to have a model of kind {name!r}, found {found.model!r}")
    if found.problem:
        raise DefinitionError(f"{expected} {found.problem}")
    return _guarded(found)


def _guarded(kind: TerrainKind[Any]) -> TerrainKind[Any]:
    """The kind, whose functions raise TerrainError where they fail or answer with nonsense."""
    expected = f"terrain.kind: expected the plugin {kind.name!r} to make"

    def answer(what: str, function: Callable[..., Result] | None, *arguments: object) -> Result:
        assert function is not None
        try:
            return function(*arguments)
        except Exception as error:  # whatever a package does
            raise TerrainError(
                f"{expected} {what}, found {type(error).__name__}: {error}"
            ) from error

    def heights(definition: Definition, x: Floats, y: Floats, seed: int) -> Floats:
        made = answer("heights", kind.heights, definition, x, y, seed)
        found = answer("heights", np.asarray, made, np.float64)
        is_shaped = found.shape == (len(x), len(y))
        if not is_shaped or not np.isfinite(found).all():
            bad = "numbers that are not finite" if is_shaped else found.shape
            raise TerrainError(f"{expected} heights of shape {(len(x), len(y))}, found {bad}")
        return found

    def blocks(definition: Definition, seed: int, x: Stretch, y: Stretch) -> Blocks:
        return answer("blocks", kind.blocks, definition, seed, x, y)

    def tiles(definition: Definition, seed: int) -> list[Tile]:
        make = kind.tiles
        assert make is not None
        found = answer("tiles", lambda: list(make(definition, seed)))
        if not found or not all(isinstance(tile, HeightTile | MeshTile) for tile in found):
            kinds = sorted({type(tile).__name__ for tile in found}) or "none"
            raise TerrainError(f"{expected} tiles, found {kinds}")
        return found

    def between(definition: Definition, seed: int, x: Stretch, y: Stretch) -> MeshTile:
        return answer("a mesh", kind.between, definition, seed, x, y)

    return replace(
        kind,
        heights=kind.heights and heights,
        blocks=kind.blocks and blocks,
        tiles=kind.tiles and tiles,
        between=kind.between and between,
    )


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value
