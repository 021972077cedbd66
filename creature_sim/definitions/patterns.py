"""Named gaits: when each leg lifts in the cycle, and how long it stands.

Wave, ripple and tripod are those of insects (Wilson 1966); amble, trot, pace and bound those of
four legs (Hildebrand 1965); pronk and transverse gallop of those that run (Alexander 1984;
Hildebrand 1989). In the metachronal gait, waves run forward along many legs.

A new pattern is one more entry of PATTERNS. Creatures name it as `pattern`; the schemas that
editors use are written anew by `creature-sim schema creature` and `creature-sim schema world`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

LONGEST_WAVE = 6
"""Pairs of legs that one metachronal wave spans, at most."""


@dataclass(frozen=True)
class LegIndex:
    """Where a leg is among the others.

    Attributes:
        pair: its pair, counted from the front.
        pair_count: how many pairs there are.
        is_right: whether it is a right leg.
    """

    pair: int
    pair_count: int
    is_right: bool

    @property
    def behind(self) -> int:
        """How many pairs are behind it: waves run from the last leg forward."""
        return self.pair_count - 1 - self.pair


@dataclass(frozen=True)
class GaitPattern:
    """A named gait.

    Attributes:
        lift_off: phase of the cycle at which a leg lifts, in whole cycles.
        duty_factor: fraction of the cycle that a foot stands in (0, 1), for a number of pairs.
        leg_count: the only number of legs that can walk so; None: any.
    """

    lift_off: Callable[[LegIndex], float]
    duty_factor: Callable[[int], float]
    leg_count: int | None = None


PATTERNS = {
    "wave": GaitPattern(
        lambda leg: (leg.behind + leg.pair_count * leg.is_right) / (2.0 * leg.pair_count),
        lambda pairs: 1.0 - 0.5 / pairs,
    ),
    "ripple": GaitPattern(
        lambda leg: leg.behind / leg.pair_count + 0.5 * leg.is_right,
        lambda pairs: 1.0 - 1.0 / max(2, pairs),
    ),
    "tripod": GaitPattern(
        lambda leg: 0.5 * ((leg.pair + leg.is_right) % 2),
        lambda pairs: 0.5,
    ),
    "metachronal": GaitPattern(
        lambda leg: leg.behind / min(leg.pair_count, LONGEST_WAVE) + 0.5 * leg.is_right,
        lambda pairs: 1.0 - 1.0 / max(2, min(pairs, LONGEST_WAVE)),
    ),
    "amble": GaitPattern(
        lambda leg: 0.25 * leg.behind + 0.5 * leg.is_right,
        lambda pairs: 0.67,
        leg_count=4,
    ),
    "trot": GaitPattern(
        lambda leg: 0.5 * ((leg.pair + leg.is_right) % 2),
        lambda pairs: 0.6,
        leg_count=4,
    ),
    "pace": GaitPattern(
        lambda leg: 0.5 * leg.is_right,
        lambda pairs: 0.6,
        leg_count=4,
    ),
    "bound": GaitPattern(
        lambda leg: 0.5 * leg.pair,
        lambda pairs: 0.5,
        leg_count=4,
    ),
    "pronk": GaitPattern(
        lambda leg: 0.0,
        lambda pairs: 0.45,
        leg_count=4,
    ),
    "gallop": GaitPattern(
        lambda leg: 0.40 * (1 - leg.behind) + 0.12 * leg.is_right,
        lambda pairs: 0.3,
        leg_count=4,
    ),
}

if TYPE_CHECKING:
    PatternName = str  # mypy cannot read the keys of a table
else:
    PatternName = Literal[tuple(PATTERNS)]


def duty_factor(pattern: PatternName, pair_count: int) -> float:
    """Fraction of the cycle that a foot stands in the usual form of a gait."""
    return PATTERNS[pattern].duty_factor(pair_count)


def offsets(
    pattern: PatternName, legs: Sequence[tuple[int, bool]], duty: float
) -> tuple[float, ...]:
    """Offset in the cycle [0, 1) of each leg.

    A leg lifts when the cycle's phase plus its offset passes the duty factor.

    Args:
        pattern: the gait.
        legs: of each leg its pair, counted from the front, and whether it is a right leg.
        duty: the duty factor.
    """
    lift_off, pair_count = PATTERNS[pattern].lift_off, pairs_of(legs)
    return tuple(
        (duty - lift_off(LegIndex(pair, pair_count, is_right))) % 1.0 for pair, is_right in legs
    )


def pairs_of(legs: Iterable[tuple[int, bool]]) -> int:
    """How many pairs there are; single legs count as pairs of one."""
    return 1 + max(pair for pair, _ in legs)
