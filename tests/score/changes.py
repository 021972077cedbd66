"""Changes of a track, as no walk would make them."""

from collections.abc import Callable
from dataclasses import replace

from creature_sim.score import Track


def flagged(field: str, value: int, ticks: slice = slice(None)) -> Callable[[Track], Track]:
    """A change that gives a field one value in some ticks."""

    def change(track: Track) -> Track:
        flags = getattr(track, field).copy()
        flags[ticks] = value
        return replace(track, **{field: flags})

    return change
