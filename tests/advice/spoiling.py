"""Built-in creatures with a key spoilt, and advice followed."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from creature_sim.advice import Advice
from creature_sim.definitions import CreatureDef
from creature_sim.library.loader import builtin_folder

LONG_LEGS: dict[str, object] = {
    "body.size": [0.3, 0.2, 0.15],
    "body.ride_height": 2.0,
    "motion.speed": 0.4,
    "gait.stride_length": 1.0,
    "gait.step_height": 0.3,
    "leg_pairs[*].joints": [],
    "leg_pairs[*].bones": [0.2, 1.4, 1.6],
    "leg_pairs[0].mount": [0.12, 0.08, 0.0],
    "leg_pairs[0].home": [0.8, 0.8],
    "leg_pairs[1].mount": [0.0, 0.08, 0.0],
    "leg_pairs[1].home": [0.0, 1.1],
    "leg_pairs[2].mount": [-0.12, 0.08, 0.0],
    "leg_pairs[2].home": [-0.8, 0.8],
}
"""Of a hexapod whose legs are thicker than its hips are apart: it never takes a step."""


def table_of(name: str) -> dict[str, Any]:
    """The table of a built-in creature."""
    return tomllib.loads((builtin_folder("creature") / f"{name}.toml").read_text())


def put(table: dict[str, Any], key: str, value: object) -> None:
    """Write a value at a key path; "leg_pairs[*].home" means that of every pair."""
    if "[*]" in key:
        for index in range(len(table[key.partition("[")[0]])):
            put(table, key.replace("*", str(index), 1), value)
        return
    *path, last = (int(word) if word.isdigit() else word for word in re.findall(r"\w+", key))
    holder: Any = table
    for step in path:
        holder = holder[step]
    holder[last] = value


def spoilt(name: str, changes: Mapping[str, object]) -> CreatureDef:
    """A built-in creature with other values."""
    table = table_of(name)
    for key, value in changes.items():
        put(table, key, value)
    return CreatureDef.model_validate(table)


def followed(definition: CreatureDef, advice: Iterable[Advice]) -> CreatureDef:
    """A creature whose keys have the better values of some advice."""
    table = definition.model_dump(mode="json")
    for one in advice:
        put(table, one.key, one.better)
    return CreatureDef.model_validate(table)


def columns() -> CreatureDef:
    """A quadruped on upright legs, whose fore knees point back and whose hind knees forward."""
    table = table_of("biped")
    leg = {key: value for key, value in table["leg_pairs"][0].items() if key != "joints"}
    table["body"] |= {"size": [0.5, 0.22, 0.2]}
    table["motion"] = {
        "speed": 0.25, "turn_rate": 0.8, "acceleration": 1.0, "turn_acceleration": 3.0,
    }  # fmt: skip
    table["gait"] = {
        "kind": "phase", "pattern": "amble", "duty_factor": 0.75, "stride_length": 0.26,
        "step_height": 0.09,
    }  # fmt: skip
    table["leg_pairs"] = [
        leg | {"mount": [x, 0.1, -0.04], "home": [x, 0.13], "pole": [pole, 0.0, 0.0]}
        for x, pole in ((0.16, -1.0), (-0.16, 1.0))
    ]
    return CreatureDef.model_validate(table)
