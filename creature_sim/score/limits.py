"""`--fail-under`: what a walk has to reach, from a TOML file.

M1 = "excellent"    # a verdict: excellent, or pass
M7 = 0.04           # a number: at most, but at least for M7, M11 and M16
"""

from collections.abc import Mapping
from pathlib import Path

from creature_sim.errors import DefinitionError
from creature_sim.library.loader import read_toml
from creature_sim.score.metric import Metric
from creature_sim.score.report import TITLES

LARGER_IS_BETTER = ("M7", "M11", "M16")

Limits = Mapping[str, str | float]


def load_limits(path: Path) -> Limits:
    """Read limits; DefinitionError names what is wrong."""
    table = read_toml(path)
    found: dict[str, str | float] = {}
    for key, value in table.items():
        if key not in TITLES:
            raise DefinitionError(f"{path}: {key}: expected one of {', '.join(TITLES)}")
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number and value not in ("pass", "excellent"):
            raise DefinitionError(
                f'{path}: {key}: expected "pass", "excellent" or a number, found {value!r}'
            )
        found[key] = value
    return found


def shortfalls(metrics: Mapping[str, Metric], limits: Limits) -> list[str]:
    """Which limits a creature misses; what does not apply misses none."""
    found = []
    for key, limit in limits.items():
        metric = metrics[key]
        if metric.verdict == "n/a":
            continue
        if isinstance(limit, str):
            is_met = metric.verdict == "excellent" or metric.verdict == limit
        else:
            assert metric.value is not None
            is_met = metric.value >= limit if key in LARGER_IS_BETTER else metric.value <= limit
        if not is_met:
            found.append(
                f"{key} {TITLES[key]}: {metric.value:.4g} ({metric.verdict}), want {limit}"
            )
    return found
