"""Reads TOML files; whatever is no TOML in them has its line."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from creature_sim.errors import DefinitionError
from creature_sim.files.kinds import is_stream, what_is_there
from creature_sim.files.problems import shown

_MOST_BYTES = 1 << 24
"""A definition takes kilobytes; what is larger is another file, and may fill the memory."""

_ENDLESS = re.compile("0[xob][0-9a-fA-F_]{1000}")
"""Python refuses endless decimal numbers by itself, and these as late as when they are shown."""

_DIGITS = "a number of thousands of digits"


def read_toml(path: Path) -> Mapping[str, Any]:
    """Parse a file; whatever is wrong with it as TOML becomes one message."""
    try:
        data = _bytes_of(path)
        text = data.decode()
        if text.startswith("\ufeff"):
            raise DefinitionError(
                f"{path}:1: expected TOML text in UTF-8 without a byte order mark, found one: "
                "save it as plain UTF-8"
            )
        if _ENDLESS.search(text):
            raise ValueError(_DIGITS)
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DefinitionError(_syntax(path, text, str(error))) from None
    except OSError as error:
        raise DefinitionError(
            f"{path}: expected a readable TOML file, found none ({error.strerror})"
        ) from None
    except UnicodeDecodeError as error:
        line = 1 + data[: error.start].count(b"\n")
        raise DefinitionError(
            f"{path}:{line}: expected TOML text in UTF-8, found other bytes at {error.start}"
        ) from None
    except RecursionError:
        raise DefinitionError(
            f"{path}: expected a TOML file, found brackets or keys thousands deep in each other"
        ) from None
    except ValueError as error:  # a zero in the path, endless digits
        found = _DIGITS if "digits" in str(error) else f"an error: {error}"
        raise DefinitionError(f"{path}: expected a TOML file, found {found}") from None


def _bytes_of(path: Path) -> bytes:
    """All of a file; a pipe could keep who reads it waiting, and a device never ends."""
    if is_stream(path):
        raise DefinitionError(f"{path}: expected a TOML file, found {what_is_there(path)}")
    size = path.stat().st_size
    if size > _MOST_BYTES:
        raise DefinitionError(
            f"{path}: expected a TOML file of at most {_MOST_BYTES} bytes, found {size}"
        )
    return path.read_bytes()


def _syntax(path: Path, text: str, error: str) -> str:
    """What is not TOML in a file, with its line; the reader says where at the end of its error."""
    place = re.fullmatch(
        r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", error, re.DOTALL
    )
    if place is None:
        return f"{path}: expected TOML, found an error: {error}"
    lines = text.splitlines() or [""]
    number = min(int(place[2] or len(lines)), len(lines))
    found = shown(lines[number - 1].strip())
    return f"{path}:{number}: expected TOML, found {found}: {place[1][0].lower()}{place[1][1:]}"
