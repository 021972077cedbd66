"""Where the file of a model is, and where the file of its creature expects it."""

from dataclasses import dataclass
from pathlib import Path

from creature_sim.errors import DefinitionError
from creature_sim.files.hints import hint
from creature_sim.library.loader import builtin_models
from creature_sim.robots.reading import is_robot


@dataclass(frozen=True)
class Beside:
    """A model's file, and its path from the folder that a creature is written in, this one.

    Attributes:
        source: the file.
        name: the path.
        is_copied: whether the file has to be copied there: it is of the library, or elsewhere.
    """

    source: Path
    name: str
    is_copied: bool

    @classmethod
    def of(cls, model: str) -> "Beside":
        """The place of a model, given by path or by the name of a built-in one."""
        path, known = Path(model), builtin_models()
        if is_robot(path) and path.is_file():
            return cls(path, "", False)
        if model in known:
            return cls(known[model], f"{model}.glb", True)
        if not path.suffix:
            raise DefinitionError(
                f"--from: expected a file or a built-in model, found {model!r}"
                f"{hint(model, list(known))}"
            )
        if not path.is_file():
            raise DefinitionError(
                f"--from: expected a .glb, .gltf, .urdf or .xml file, found no file {model}"
            )
        folder = Path.cwd()
        if path.resolve().is_relative_to(folder.resolve()) and ".." not in path.parts:
            name, is_copied = path.resolve().relative_to(folder.resolve()).as_posix(), False
        elif path.suffix.lower() == ".gltf":  # it names other files
            raise DefinitionError(
                f"--from: expected .gltf in this folder or below, beside what it names, found "
                f"{model}; copy them here, or export .glb"
            )
        else:
            name, is_copied = path.name, True
        try:
            name.encode()
        except UnicodeEncodeError:
            raise DefinitionError(
                f"--from: expected a name that a TOML file can hold, UTF-8, found {name!r}"
            ) from None
        return cls(path, name, is_copied)
