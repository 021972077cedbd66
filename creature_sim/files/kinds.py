"""What kind of file a path is."""

from pathlib import Path


def is_stream(path: Path) -> bool:
    """Whether a path is a pipe or a device: to read all of it may take for ever."""
    return path.exists() and not path.is_file() and not path.is_dir()


def what_is_there(path: Path) -> str:
    """What is found where a file was expected: "none", or what is none."""
    return "something that is no file" if path.exists() else "none"
