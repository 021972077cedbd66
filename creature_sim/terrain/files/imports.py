"""Ground from files: which parts of a ground have one, and the data that loading reads."""

from collections.abc import Callable, Iterator
from pathlib import Path

from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats
from creature_sim.terrain.files.data import DataDef
from creature_sim.terrain.ground import GroundDef
from creature_sim.terrain.kind import Source
from creature_sim.terrain.registry import kind_of
from creature_sim.terrain.tiles.tiling import height_nodes

MAX_BYTES = 8 << 20
"""Largest data of all imports of a ground together, before compression [bytes]."""


def imports_of(ground: GroundDef, key: str = "") -> Iterator[tuple[str, DataDef]]:
    """The parts of a ground that come from files, each with its key below `key`."""
    if isinstance(ground, DataDef):
        yield key, ground
        return
    parts = kind_of(ground).parts
    for name, part in parts.of(ground) if parts else ():
        yield from imports_of(part, f"{key}.{name}" if key else name)


def with_imports(terrain: GroundDef, fill: Callable[[DataDef, Floats], DataDef]) -> GroundDef:
    """A ground with other imports.

    Args:
        terrain: any ground.
        fill: makes an import with data of an import and the nodes (N,) [m] along each axis, from
            its own origin, that the ground has there.

    Raises:
        DefinitionError: of `fill`, or all data are too large; the text begins with the import's
            key.
    """
    total = 0

    def filled(ground: GroundDef, nodes: Floats, key: str) -> GroundDef:
        nonlocal total
        parts = kind_of(ground).parts
        if parts is not None:
            nodes = parts.nodes(ground, nodes)
            grounds = [filled(part, nodes, f"{key}.{name}") for name, part in parts.of(ground)]
            replaced: GroundDef = parts.replaced(ground, grounds)
            return replaced
        if not isinstance(ground, DataDef):
            return ground
        try:
            made = fill(ground, nodes)
        except DefinitionError as error:
            raise DefinitionError(f"{key}.{error}") from None
        total += len(made.data)
        if total > MAX_BYTES:  # at once, so that memory is bounded too
            raise DefinitionError(
                f"{key}.file: {ground.file}: expected ground of at most {MAX_BYTES} bytes from "
                f"all files, which a replay can carry, found {total} with this one"
            )
        return made

    return filled(terrain, height_nodes(), "terrain")


def with_data(definition: DataDef, nodes: Floats, folder: Path) -> DataDef:
    """A definition with the data that its file, a path from the folder, leads to.

    Args:
        definition: of an import.
        nodes: (N,) coordinates of the ground's nodes along each axis [m].
        folder: of the file of the world.

    Raises:
        DefinitionError: whatever is wrong with the file; the text begins with a key.
    """
    read = _source_of(definition).read
    return definition.with_data(read(definition, folder / definition.file, nodes))


def check_data(definition: DataDef, nodes: Floats) -> DataDef:
    """The definition itself; DefinitionError if its data cannot be such a ground."""
    _source_of(definition).check(definition, nodes)
    return definition


def _source_of(definition: DataDef) -> Source[DataDef]:
    source = kind_of(definition).source
    assert source is not None
    return source
