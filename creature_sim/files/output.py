"""Files that are written whole or not at all, and never over others by accident."""

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import IO

from creature_sim.errors import OutputError, OutputExists


def check_output(path: Path, force: bool) -> None:
    """Refuse a file that exists (unless `force`), or that could not be written anyway."""
    try:
        is_folder, has_folder = path.is_dir(), path.parent.is_dir()
        exists, is_file = os.path.lexists(path), path.is_file() and not path.is_symlink()
    except OSError as error:
        raise OutputError(
            f"{path}: expected a file name, found an impossible one ({error.strerror})"
        ) from None
    if is_folder:
        raise OutputError(f"{path}: expected a file to write, found a folder")
    if exists and not force:
        found = f"{path}: expected no file there, found one"
        raise OutputExists(f"{found}; force=True replaces it", f"{found}; --force replaces it")
    if exists and not is_file:
        raise OutputError(f"{path}: expected a regular file to replace, found something else")
    if not has_folder:
        raise OutputError(f"{path}: expected a folder to write into, found none at {path.parent}")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise OutputError(
            f"{path}: expected a folder that can be written to, found another at {path.parent}"
        )


def check_name(option: str, path: Path, ends: Collection[str]) -> None:
    """Refuse a file of another kind: one whose name ends in none of `ends`, such as ".png"."""
    if path.suffix.lower() not in ends:
        raise OutputError(
            f"{option}: expected a name that ends in {', '.join(ends)}, found {path.name!r}"
        )


def check_apart(path: Path, files: Iterable[Path], what: str) -> None:
    """Refuse to write over a file that is read for it; `what` says what these files are."""
    for file in files if path.exists() else ():
        if file.exists() and file.samefile(path):
            raise OutputError(f"-o: expected another file than {what}, found {path}")


def open_folder(folder: Path) -> None:
    """Make a folder for replays, unless it exists; refuse one that cannot be written to."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"{folder}: expected a folder for replays, found none, and none can be made "
            f"({error.strerror})"
        ) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError(f"{folder}: expected a folder that can be written to, found another")


def part_of(path: Path) -> Path:
    """The path that this process writes to until the file is whole and gets its name."""
    return path.with_name(f"{path.name}.{os.getpid()}.part")


def open_part(path: Path) -> IO[bytes]:
    """Open the part of a file for writing; OutputError says why that cannot be."""
    try:
        return part_of(path).open("xb")
    except FileExistsError:
        raise OutputError(
            f"{path}: expected nothing else to be written there, found {part_of(path).name}"
        ) from None
    except OSError as error:
        raise OutputError(
            f"{path}: expected a path that can be written, found one that cannot ({error.strerror})"
        ) from None


def finish(path: Path, force: bool) -> None:
    """Give a part its name; OutputError if another file has taken it meanwhile."""
    part = part_of(path)
    if force:
        part.replace(path)
        return
    try:
        path.hardlink_to(part)
    except FileExistsError:
        raise OutputError(
            f"{path}: expected no file there, found one that appeared meanwhile; this one is {part}"
        ) from None
    except OSError:  # a file system without hard links
        part.replace(path)
        return
    part.unlink()


@contextmanager
def writing(path: Path, force: bool) -> Iterator[IO[bytes]]:
    """A stream whose bytes are a file when its block ends well; else nothing is left of them."""
    check_output(path, force)
    part = part_of(path)
    is_of_another = part.exists()
    try:
        with open_part(path) as stream:
            yield stream
    except BaseException as error:  # a Ctrl-C may come as soon as the file is there
        if not is_of_another:
            part.unlink(missing_ok=True)
        if not isinstance(error, OSError):
            raise
        raise OutputError(
            f"{path}: expected space on the disk, found none ({error.strerror})"
        ) from None
    finish(path, force)


def write_output(path: Path, data: bytes, force: bool) -> None:
    """Write a small file whole, or not at all."""
    with writing(path, force) as stream:
        stream.write(data)


@contextmanager
def temporary(what: str) -> Iterator[None]:
    """A block that writes a file which is soon removed; `what` says what it holds."""
    try:
        yield
    except OutputError:
        raise OutputError(
            f"{gettempdir()}: expected space for {what}, found too little; the variable TMPDIR "
            "names another folder"
        ) from None
