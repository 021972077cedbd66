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
def built_in_names() -> tuple[str, ...]:
    """Names of the files of the folder `kinds/`, in alphabetical order."""
    return tuple(sorted(module.name for module in iter_modules(kinds.__path__)))


def built_in() -> dict[str, TerrainKind[Any]]:
    """The kinds of the folder `kinds/` by name, in alphabetical order."""
    return {name: _load(name) for name in built_in_names()}


def _load(name: str) -> TerrainKind[Any]:
    """A built-in kind; the files of the others are not read."""
    found: TerrainKind[Any] = import_module(f"{kinds.__name__}.{name}").KIND
    return found


def kind_names() -> list[str]:
    """All kinds: the built-in ones, then those that packages bring; no package is loaded."""
    names = built_in_names()
    return [*names, *(name for name in plugin_names() if name not in names)]


def is_kind(name: str) -> bool:
    """Whether there is a kind of that name."""
    return name in built_in_names() or name in plugin_names()


def find_kind(name: str) -> TerrainKind[Any]:
    """The kind of a name; DefinitionError names all kinds, or says why a package has none."""
    if name in built_in_names():
        return _load(name)
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
    return _load(name).summary if name in built_in_names() else f"from {package_of(name)}"
