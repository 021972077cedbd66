"""Numbers that `check` would have otherwise: a new file takes its advice."""

import re
from typing import Any

from creature_sim.advice.plans import plan_advice
from creature_sim.definitions import CreatureDef

ROUNDS = 6
KEY = re.compile(r"([a-z_]+)(?:\[(\d+)\])?")


def tuned(table: dict[str, Any]) -> dict[str, Any]:
    """A creature's table with the numbers that advice on it names, as far as it names any."""
    for _ in range(ROUNDS):
        changes = [
            one
            for one in plan_advice(CreatureDef.model_validate(table))
            if isinstance(one.better, int | float) and not one.key.endswith("comfort")
        ]
        if not changes:
            break
        for one in changes:
            _put(table, one.key, float(one.better))  # type: ignore[arg-type]
    return table


def _put(table: dict[str, Any], key: str, value: float) -> None:
    """Set what stands at a key, as `gait.faster[0].stride_length`."""
    *way, last = [part for found in KEY.findall(key) for part in found if part]
    place: Any = table
    for part in way:
        place = place[int(part)] if part.isdigit() else place[part]
    place[int(last) if last.isdigit() else last] = value
