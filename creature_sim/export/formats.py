"""What `creature-sim export` writes: the end of a file's name says which."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from creature_sim.errors import DefinitionError, OutputError
from creature_sim.replay import Replay

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Order:
    """How a file shall be written.

    Attributes:
        about: what it says of the recording, where it has metadata.
        proof: what a page may say of a recording that was verified; empty where it was not.
        force: whether another file may be replaced.
        progress: called with the number of ticks done.
    """

    about: Mapping[str, str]
    proof: str
    force: bool
    progress: Progress


Write = Callable[[Replay, Path, Order], str]
"""Writes a file; returns what a user should know about it."""


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Attributes:
        write: writes it.
        hint: what to do with it.
        extra: the extra that brings its modules; "": it needs none.
        modules: that it needs.
    """

    write: Write
    hint: str
    extra: str = ""
    modules: tuple[str, ...] = ()


def _page(replay: Replay, path: Path, order: Order) -> str:
    from creature_sim.export.page import write_page

    write_page(replay, path, replay.path.stem, proof=order.proof, force=order.force)
    order.progress(replay.ticks)
    return ""


def _scene(replay: Replay, path: Path, order: Order) -> str:
    from creature_sim.export.scene import write_scene

    write_scene(replay, path, order.about, force=order.force, progress=order.progress)
    return ""


def _table(replay: Replay, path: Path, order: Order) -> str:
    from creature_sim.export.tables import write_table

    return write_table(replay, path, order.about, force=order.force, progress=order.progress)


PAGE = Format(_page, "open it in a browser")
FORMATS = {
    ".html": PAGE,
    ".htm": PAGE,
    ".mcap": Format(
        _scene,
        "open it in Foxglove or Lichtblick",
        "scene",
        ("foxglove_schemas_protobuf", "mcap_protobuf"),
    ),
    ".csv": Format(_table, "one row per joint and tick"),
    ".parquet": Format(_table, "one row per joint and tick", "tables", ("pyarrow",)),
}


def format_of(path: Path) -> Format:
    """The format of a file by its name's end.

    Raises:
        DefinitionError: no format has this end.
        OutputError: a module that it needs is not installed.
    """
    found = FORMATS.get(path.suffix.lower())
    if found is None:
        raise DefinitionError(
            f"-o: expected a name that ends in {', '.join(FORMATS)}, found {path.name!r}"
        )
    for name in found.modules:
        try:
            import_module(name)
        except ImportError:
            raise OutputError(
                f"{path}: expected the module {name} to write it with, found none; "
                f"pip install 'creature-sim[{found.extra}]'"
            ) from None
    return found


def write_export(
    replay: Replay, path: Path, *, proof: str = "", force: bool, progress: Progress
) -> str:
    """Write a replay in the format of a file's name.

    Args:
        replay: what is written.
        path: of the file.
        proof: what it may say of a recording that was verified; empty where it was not.
        force: whether another file may be replaced.
        progress: called with the number of ticks done.

    Returns:
        What a user should know about the file; mostly nothing.

    Raises:
        DefinitionError: no format has this end, or the file is the recording itself.
        OutputError: the file exists, cannot be written, or needs what is not installed.
    """
    wanted = format_of(path)
    if path.exists() and path.samefile(replay.path):
        raise DefinitionError(f"-o: expected another file than the recording, found {path}")
    about = {"recording": replay.path.name, "world": replay.world.name, "digest": replay.digest}
    if replay.notice:
        about["notice"] = replay.notice
    if proof:
        about["proof"] = proof
    return wanted.write(replay, path, Order(about, proof, force, progress))
