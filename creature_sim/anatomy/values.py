"""Values as TOML."""

import re
from typing import Any

from creature_sim.maths import Floats

CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def shown(value: Any) -> str:  # noqa: ANN401 - a table holds any
    """A value as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {shown(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(shown, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", escaped) + '"'
    if isinstance(value, int):
        return str(value)
    return repr(float(value))


def numbers(values: Floats, digits: int = 4) -> list[float]:
    """Numbers for a file, without negative zeros."""
    return [round(float(value), digits) + 0.0 for value in values]
