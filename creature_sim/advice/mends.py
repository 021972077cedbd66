"""What usually mends a failed metric: the causes that the run and the plan show."""

from collections.abc import Callable, Iterator, Mapping

from creature_sim.advice.advice import Advice
from creature_sim.advice.causes import (
    awry,
    buried,
    coarse,
    crippled,
    frozen,
    hindered,
    irregular,
    lifeless,
    narrow,
    outsized,
    racing,
    scraping,
    sluggish,
    strained,
    swaying,
    tilted,
    toppling,
    whirling,
)
from creature_sim.advice.leg_causes import crossing, crowded, forbidden, hasty, kicking, thick
from creature_sim.score import Metric, Walk
from creature_sim.score.bodies import SOUND

Cause = Callable[[Walk], Iterator[Advice]]

CAUSES: dict[str, tuple[Cause, ...]] = {
    "M1": (crippled, strained, coarse),
    "M2": (crippled, strained, coarse),
    "M3": (coarse, strained, hindered),
    "M4": (coarse, strained, hindered),
    "M5": (buried, tilted, strained, hindered),
    "M6": (crippled, strained, hindered),
    "M7": (scraping, hindered),
    "M8": (strained, hindered),
    "M9": (crippled, coarse, awry, narrow, toppling, strained, sluggish, hindered, irregular),
    "M10": (crippled, coarse, awry, narrow, toppling, strained, sluggish, hindered, irregular),
    "M11": (crippled, awry, narrow, toppling, strained, sluggish, hindered),
    "M12": (swaying, tilted, strained),
    "M13": (whirling, tilted, coarse, hindered),
    "M14": (tilted, strained, hindered),
    "M15": (crippled, coarse, awry, narrow, toppling, strained, sluggish, hindered, irregular),
    "M18": (sluggish, strained, hindered),
    "M20": (racing,),
    "M21": (crippled, narrow, tilted, strained, hindered),
    "M22": (crossing, awry, thick, crowded, narrow, strained, hindered),
    "M24": (coarse, kicking, hindered, hasty),
    "M25": (coarse, kicking, hindered, hasty),
    "M26": (forbidden, awry, kicking, strained, hindered, hasty),
    "M27": (buried, thick, tilted, strained, hindered),
    "M28": (lifeless, swaying, strained, hindered),
    "M29": (lifeless, sluggish, strained, hindered),
    "M30": (frozen, strained, hindered),
    "M41": (strained, hindered),
    "M42": (crippled, awry, narrow, toppling, strained, hindered, irregular),
    "M43": (crippled, awry, narrow, toppling, strained, sluggish, hindered),
}
"""Causes of each metric, the most telling first."""
FALLS = {
    "below": ("M5", "M4"),
    "tipped": ("M14",),
    "beside": ("M11",),
    "stuck": ("M15",),
    **{f"{key} failed": (key,) for key in SOUND},
    **{f"{key}, ": (key,) for key in SOUND},
}
"""Metrics whose causes explain that M16 has failed, by words of its reason."""


def mends_text(mends: Mapping[str, list[Advice]]) -> list[str]:
    """Advice on failed metrics as lines, such as "M10, M15: ..."; what mends several comes once."""
    keys: dict[str, list[str]] = {}
    for key, found in mends.items():
        for advice in found:
            keys.setdefault(str(advice), []).append(key)
    return [f"{', '.join(metrics)}: {text}" for text, metrics in keys.items()]


def mends_of(walk: Walk, metrics: Mapping[str, Metric]) -> dict[str, list[Advice]]:
    """What usually mends each metric that has failed.

    Args:
        walk: the run of one creature.
        metrics: of the run.

    Returns:
        Advice by the metric's key, never none: where no key explains the metric, the advice has no
        key and says so.
    """
    return {
        key: _first(walk, _causes_of(key, metric.reason))
        for key, metric in metrics.items()
        if metric.verdict == "fail" and (key in CAUSES or key == "M16")
    }


def _causes_of(key: str, reason: str) -> tuple[Cause, ...]:
    if key != "M16":
        return CAUSES[key]
    near = [other for word, others in FALLS.items() if word in reason for other in others]
    return tuple(dict.fromkeys(cause for other in near for cause in CAUSES[other]))


def _first(walk: Walk, causes: tuple[Cause, ...]) -> list[Advice]:
    """The advice of the first cause that the run shows."""
    for cause in (outsized, *causes):
        found = list(cause(walk))
        if found:
            return found
    return [Advice("", None, None, "no key of creature or world explains it")]
