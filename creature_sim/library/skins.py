"""Models of creatures, chains and trees from files beside theirs."""

from pathlib import Path
from typing import TypeVar

from creature_sim.definitions import ChainDef, CreatureDef, TreeDef
from creature_sim.errors import DefinitionError

Shown = TypeVar("Shown", CreatureDef, ChainDef, TreeDef)


def with_model(shown: Shown, folder: Path) -> Shown:
    """A creature, a chain or a tree with the file of its model, a path from a folder, bound to try.

    Raises:
        DefinitionError: whatever is wrong with it; every line begins with a key of it.
    """
    given = shown.model
    if given is None:
        return shown
    from creature_sim.models.binding import bind
    from creature_sim.models.model import open_model
    from creature_sim.models.packing import packed

    parts = Path(given.file).parts
    if Path(given.file).is_absolute() or ".." in parts or "\0" in given.file:
        raise DefinitionError(
            "model.file: expected a path below the folder of the file that names it, "
            f"found {given.file!r}"
        )
    path = folder / given.file
    try:
        if path.exists() and not path.resolve().is_relative_to(folder.resolve()):
            raise DefinitionError(
                f"{path}: expected a file below the folder of the file that names it, found one "
                "outside it"
            )
        data = packed(path)
        model = open_model(path, data)
    except DefinitionError as error:
        raise DefinitionError(f"model.file: {error}") from None
    loaded = given.with_data(data)
    if given.digest not in (None, loaded.digest):
        raise DefinitionError(
            f"model.digest: expected a file with the digest {given.digest}, found {loaded.digest}"
        )
    found = shown.model_copy(update={"model": loaded})
    bind(found, model)
    return found
