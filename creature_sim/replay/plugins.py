"""What a recording needs beside this package: systems and kinds of ground of other packages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import esper

from creature_sim.terrain.plugins import package_of
from creature_sim.terrain.registry import built_in_names, kind_names

FLAT = {"kind": "flat"}


def plugins_of(systems: Sequence[type[esper.Processor]], world: Mapping[str, Any]) -> str:
    """The packages that bring a recording's systems and kinds of ground, for its metadata.

    Args:
        systems: of its tick.
        world: as it is written into the file.

    Returns:
        "NAME: PACKAGE VERSION; ...", where NAME is a module or a kind of ground; mostly empty.
    """
    modules = {system.__module__.partition(".")[0] for system in systems} - {"creature_sim"}
    found = {name: _package_of_module(name) for name in sorted(modules)}
    for kind in sorted(set(_kinds(world.get("terrain"))) - set(built_in_names())):
        found[kind] = package_of(kind)
    return "; ".join(f"{name}: {package}" for name, package in found.items() if package)


def _package_of_module(name: str) -> str:
    """The distribution that a module comes from, and its version; empty where it is in none."""
    from importlib.metadata import packages_distributions, version

    names = packages_distributions().get(name, ())
    return ", ".join(sorted({f"{found} {version(found)}" for found in names}))


def missing_systems(metadata: Mapping[str, str], here: Sequence[str]) -> str:
    """Systems of a recording that are not among these, and their packages; empty if there are none.

    Args:
        metadata: of the recording.
        here: names of systems.
    """
    missing = [name for name in metadata.get("systems", "").split() if name not in here]
    return _listed("system", missing, metadata, {name: name.split(".")[0] for name in missing})


def without_missing_kinds(
    world: dict[str, Any], metadata: Mapping[str, str]
) -> tuple[dict[str, Any], str]:
    """A world as its file has it, with flat ground where no package here has its kind of ground.

    Returns:
        The world, and what is missing; empty where nothing is.
    """
    known = kind_names()
    missing = sorted({kind for kind in _kinds(world.get("terrain")) if kind not in known})
    if not missing:
        return world, ""
    text = _listed("kind of ground", missing, metadata, {name: name for name in missing})
    return {**world, "terrain": FLAT}, text


def _listed(
    what: str, names: Sequence[str], metadata: Mapping[str, str], keys: Mapping[str, str]
) -> str:
    """A text that names what is missing, with the packages that a recording says it comes from."""
    if not names:
        return ""
    pairs = (text.partition(": ") for text in metadata.get("plugins", "").split("; "))
    packages = {name: package for name, _, package in pairs if package}
    texts = [
        f"{name} (of the package {packages[keys[name]]})" if keys[name] in packages else name
        for name in names
    ]
    return f"the {what}{'s' * (len(texts) > 1)} {', '.join(texts)}"


def _kinds(ground: object) -> Iterator[str]:
    """The kinds of a ground, and of all grounds in it."""
    if isinstance(ground, dict):
        kind = ground.get("kind")
        if isinstance(kind, str):
            yield kind
        for value in ground.values():
            yield from _kinds(value)
    elif isinstance(ground, list):
        for value in ground:
            yield from _kinds(value)
