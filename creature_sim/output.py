"""Files that are written: never over something else by accident, never by half."""

from pathlib import Path
from typing import IO

from creature_sim.errors import OutputError


def check_output(path: Path, force: bool) -> None:
    """Refuse a file that exists (unless `force`), or that could not be written anyway."""
    try:
        is_folder, exists, has_folder = path.is_dir(), path.exists(), path.parent.is_dir()
    except OSError as error:
        raise OutputError(
            f"{path}: expected a file name, found an impossible one ({error.strerror})"
        ) from None
    if is_folder:
        raise OutputError(f"{path}: expected a file to write, found a folder")
    if exists and not force:
        raise OutputError(f"{path}: expected no file there, found one; --force replaces it")
    if not has_folder:
        raise OutputError(f"{path}: expected a folder to write into, found none at {path.parent}")


def part_of(path: Path) -> Path:
    """Where a file is written before it is whole and gets its name."""
    return path.with_name(path.name + ".part")


def open_output(path: Path) -> IO[bytes]:
    """Open a file for writing; OutputError says why that cannot be."""
    try:
        return path.open("wb")
    except OSError as error:
        raise OutputError(
            f"{path}: expected a place to write, found that it is not ({error.strerror})"
        ) from None
