"""All kinds of ground by name: built-in ones, a file each in `kinds/`, and those of packages."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from creature_sim.errors import DefinitionError
from creature_sim.files.hints import hint
from creature_sim.files.problems import shown
from creature_sim.terrain import kinds
from creature_sim.terrain.ground import GroundDef
from creature_sim.terrain.kind import TerrainKind
from creature_sim.terrain.plugins import load_plugin, package_of, plugin_names


@cache
def built_in() -> dict[str, TerrainKind[Any]]:
    """The kinds of the folder `kinds/` by name, in alphabetical order."""
    return {
        name: import_module(f"{kinds.__name__}.{name}").KIND
        for name in sorted(module.name for module in iter_modules(kinds.__path__))
    }


def kind_names() -> list[str]:
    """All kinds: the built-in ones, then those that packages bring; no package is loaded."""
    return [*built_in(), *(name for name in plugin_names() if name not in built_in())]


def find_kind(name: str) -> TerrainKind[Any]:
    """The kind of a name; DefinitionError names all kinds, or says why a package has none."""
    if name in built_in():
        return built_in()[name]
    if name not in plugin_names():
        raise DefinitionError(
            f"kind: expected a known one, found {shown(name)}{hint(name, kind_names())}"
        )
    return load_plugin(name)


def kind_of(definition: GroundDef) -> TerrainKind[Any]:
    """The kind of a definition."""
    return find_kind(definition.kind)


def kind_summary(name: str) -> str:
    """What a kind is, in a line; a package is named, but not loaded."""
    return built_in()[name].summary if name in built_in() else f"from {package_of(name)}"
