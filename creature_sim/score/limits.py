"""`--fail-under`: what a walk must reach, from a TOML file.

M1 = "excellent"    # a verdict: excellent or pass
M2 = 0.01           # a number: a maximum ...
M7 = 0.04           # ... or a minimum where larger is better (M7, M11, M16)
"""

from collections.abc import Mapping
from math import isfinite
from pathlib import Path

from creature_sim.errors import DefinitionError
from creature_sim.files.problems import shown
from creature_sim.files.toml import read_toml
from creature_sim.score.metric import Metric
from creature_sim.score.registry import metric_specs

Limits = Mapping[str, str | float]


def load_limits(path: Path) -> Limits:
    """Read limits; DefinitionError names all that is wrong."""
    found, known = read_toml(path), metric_specs()
    problems = []
    for key, value in found.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        is_number = is_number and isfinite(value)
        if key not in known:
            problems.append(f"{path}: {key}: expected one of {', '.join(known)}")
        elif not is_number and value not in ("pass", "excellent"):
            problems.append(
                f'{path}: {key}: expected "pass", "excellent" or a number, found {shown(value)}'
            )
    if problems:
        raise DefinitionError("\n".join(problems))
    if not found:  # whatever walked, it would pass
        raise DefinitionError(f'{path}: expected limits, such as M1 = "pass", found none')
    return found


def shortfalls(metrics: Mapping[str, Metric], limits: Limits) -> list[str]:
    """One line for each limit that a creature misses; a metric that does not apply misses none."""
    specs, found = metric_specs(), []
    for key, limit in limits.items():
        metric = metrics[key]
        if metric.verdict == "n/a":
            continue
        if isinstance(limit, str):
            is_met = metric.verdict == "excellent" or metric.verdict == limit
        else:
            assert metric.value is not None
            larger_is_better = specs[key].larger_is_better
            is_met = metric.value >= limit if larger_is_better else metric.value <= limit
        if not is_met:
            title = specs[key].title
            found.append(f"{key} {title}: {metric.value:.4g} ({metric.verdict}), expected {limit}")
    return found
