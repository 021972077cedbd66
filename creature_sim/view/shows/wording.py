"""What the numbers in a creature's file are called on sliders."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from creature_sim.definitions import CreatureDef

Keys = Sequence[str | int]
"""Where a number is in the creature's table."""

PARTS = {
    "size": ("length", "width", "height"),
    "mount": ("hip forward", "hip to the left", "hip up"),
    "home": ("foot at rest, forward", "foot at rest, to the left"),
    "axis": ("axis along the bone before", "axis across it", "axis to the knee's side"),
    "cone": ("swing in the plane of the leg", "swing out of it"),
    "twist": ("least twist", "greatest twist"),
    "pole": ("knee points forward", "knee points left", "knee points up"),
}
"""Names of the numbers of a list."""
NAMES = {
    "strafe_speed": "speed sideways",
    "heading": "where forward is",
    "turn_rate": "turning speed",
    "turn_acceleration": "turning acceleration",
    "acceleration": "acceleration",
    "lean": "lean into curves",
    "bob": "rise and fall",
    "weight": "weight that shows",
    "frequency": "oscillations in a second",
    "comfort": "soft reach limit",
    "duty_factor": "fraction on the ground",
    "stride_length": "stride",
    "froude": "from Froude number",
    "trigger_distance": "steps beyond",
    "step_duration": "time of a step",
    "count": "how many",
    "lo": "least angle",
    "hi": "greatest angle",
    "rest": "angle at rest",
}
"""Names that say more than the key does."""
SECTIONS = {
    "leg_pairs": "Leg pair",
    "legs": "Single leg",
    "segments": "Segment",
    "joints": "Joint",
    "faster": "Faster",
}


def section_of(keys: Keys) -> str:
    """The heading under which a number stands: "Body", "Leg pair 2"."""
    found = []
    for place, key in enumerate(keys[:-1]):
        following = keys[place + 1]
        if isinstance(key, str) and key in SECTIONS and isinstance(following, int):
            found.append(f"{SECTIONS[key]} {following + 1}")
        elif isinstance(key, str) and not isinstance(following, int):
            found.append(key.replace("_", " ").capitalize())
    return ", ".join(found) or "Creature"


def name_of(keys: Keys, note: str = "", count: int = 1) -> str:
    """What a number is, with its unit: "ride height [m]", "bone 2, femur [m]".

    Args:
        keys: where it is.
        note: what the file says beside it.
        count: how many numbers its list has.
    """
    key = next(str(key) for key in reversed(keys) if isinstance(key, str))
    unit = f" [{_units()[key]}]" if key in _units() else ""
    index = keys[-1]
    if not isinstance(index, int):
        return NAMES.get(key, key.replace("_", " ")) + unit
    if key in PARTS and index < len(PARTS[key]):
        return PARTS[key][index] + unit
    said = [part.strip() for part in re.sub(r"\[.*?\]", "", note).split(",")]
    own = said[index] if len(said) == count > 1 else ""
    if key == "bones":
        return f"bone {index + 1}{own and ', '}{own}{unit}"
    if key == "offsets":
        return f"phase of {own or f'leg {index + 1}'}"
    return f"{NAMES.get(key, key.replace('_', ' '))} {own or index + 1}{unit}"


def meaning_of(keys: Keys) -> str:
    """What the schema says about a number's key; "" where it says nothing."""
    key = next(str(key) for key in reversed(keys) if isinstance(key, str))
    return _descriptions().get(key, "")


@cache
def _descriptions() -> dict[str, str]:
    """What the schema of creatures says about each key."""
    schema = CreatureDef.model_json_schema()
    tables: list[dict[str, Any]] = [schema, *schema["$defs"].values()]
    return {
        key: field["description"]
        for table in tables
        for key, field in table.get("properties", {}).items()
        if "description" in field
    }


@cache
def _units() -> dict[str, str]:
    """Units of keys that have one."""
    found = {key: re.search(r"\[([^\]\d]+)\]$", text) for key, text in _descriptions().items()}
    units = {key: match[1].split(",")[0] for key, match in found.items() if match}
    return {key: unit for key, unit in units.items() if unit != "body"}
