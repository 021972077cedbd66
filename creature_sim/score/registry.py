"""Every metric: its key, its title, and the function that measures it.

A metric of your own is a function of a `Walk` that returns a `Metric`:

    from creature_sim.score import Metric, Walk, register

    @register("knee_height", "knee height", larger_is_better=True)
    def knee_height(walk: Walk) -> Metric:
        '''Height of the lowest knee over its hip, as a fraction of the reach L.'''
        hips, knees = walk.track.joints[:, :, 0, 2], walk.track.joints[:, :, 1, 2]
        lowest = float(((knees - hips) / walk.track.reach).min())
        return Metric(lowest, "pass" if lowest >= -0.2 else "fail", "lowest knee over its hip / L")

`Walk` has the run as arrays, heights over the ground and support margins. Once the module is
imported, `score_track` and `score_run` measure the metric beside the built-in ones. For
`creature-sim score` and its `--fail-under`, a package names the module in its pyproject.toml:

    [project.entry-points."creature_sim.metrics"]
    knees = "my_package.knees"
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from creature_sim.errors import DefinitionError
from creature_sim.score.metric import Metric

if TYPE_CHECKING:
    from creature_sim.score.walk import Walk

GROUP = "creature_sim.metrics"

Measure = Callable[["Walk"], Metric]


@dataclass(frozen=True)
class MetricSpec:
    """A registered metric.

    Attributes:
        key: as tables, JSON and files of limits write it, such as "M1".
        title: what it measures, in a few words.
        measure: the function that measures it.
        larger_is_better: whether a number as a limit is a minimum; else it is a maximum.
    """

    key: str
    title: str
    measure: Measure
    larger_is_better: bool


_METRICS: dict[str, MetricSpec] = {}


def register(
    key: str, title: str, *, larger_is_better: bool = False
) -> Callable[[Measure], Measure]:
    """Decorate a function that measures a metric; it is returned unchanged.

    Raises:
        ValueError: there is another metric with this key.
    """

    def add(measure: Measure) -> Measure:
        if key in _METRICS:
            raise ValueError(f"expected a key that no other metric has, found {key!r}")
        _METRICS[key] = MetricSpec(key, title, measure, larger_is_better)
        return measure

    return add


def metric_specs() -> dict[str, MetricSpec]:
    """All registered metrics by key; M2 comes before M10."""
    return {key: _METRICS[key] for key in sorted(_METRICS, key=_natural)}


def title_of(key: str) -> str:
    """What a metric measures, in a few words."""
    return _METRICS[key].title


def load_plugins() -> None:
    """Import the modules that installed packages name under `creature_sim.metrics`.

    Raises:
        DefinitionError: a module cannot be imported.
    """
    for point in entry_points(group=GROUP):
        try:
            point.load()
        except Exception as error:  # whatever a package does when it is imported
            raise DefinitionError(
                f"metrics: expected the plugin {point.name!r} ({point.value}) to load, "
                f"found {type(error).__name__}: {error}"
            ) from error


def _natural(key: str) -> list[tuple[str, int]]:
    """Sorts numbers inside keys by their value."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", key)]
