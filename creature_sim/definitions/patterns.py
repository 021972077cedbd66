"""Named gaits: when each leg lifts in the cycle, and how long it stands.

Wave, ripple and tripod are those of insects (Wilson 1966); amble, trot, pace and bound those of
four legs (Hildebrand 1965). The metachronal one lets waves run forward along many legs.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

Pattern = Literal["wave", "ripple", "tripod", "metachronal", "amble", "trot", "pace", "bound"]
PATTERNS: tuple[str, ...] = get_args(Pattern)
FOUR_LEGGED = ("amble", "trot", "pace", "bound")

LONGEST_WAVE = 6
"""Pairs of legs that one metachronal wave spans at most."""


def duty_factor(pattern: Pattern, pair_count: int) -> float:
    """Fraction of the cycle that a foot stands, as the gait is known for it."""
    return {
        "wave": 1.0 - 0.5 / pair_count,
        "ripple": 1.0 - 1.0 / max(2, pair_count),
        "tripod": 0.5,
        "metachronal": 1.0 - 1.0 / max(2, min(pair_count, LONGEST_WAVE)),
        "amble": 0.67,
        "trot": 0.6,
        "pace": 0.6,
        "bound": 0.5,
    }[pattern]


def offsets(pattern: Pattern, legs: Sequence[tuple[int, bool]], duty: float) -> tuple[float, ...]:
    """Offset in the cycle [0, 1) of each leg, given as its pair, from the front, and whether right.

    A leg lifts when the cycle's phase plus its offset passes the duty factor.
    """
    pair_count = pairs_of(legs)
    return tuple((duty - _lift(pattern, pair_count, pair, right)) % 1.0 for pair, right in legs)


def pairs_of(legs: Iterable[tuple[int, bool]]) -> int:
    """How many pairs there are; single legs count as pairs of one."""
    return 1 + max(pair for pair, _ in legs)


def _lift(pattern: Pattern, pair_count: int, pair: int, is_right: bool) -> float:
    """Phase of the cycle at which a leg lifts."""
    behind = pair_count - 1 - pair  # waves run from the last leg forward
    if pattern == "wave":
        return (behind + pair_count * is_right) / (2.0 * pair_count)
    if pattern == "ripple":
        return behind / pair_count + 0.5 * is_right
    if pattern == "metachronal":
        return behind / min(pair_count, LONGEST_WAVE) + 0.5 * is_right
    if pattern == "tripod":
        return 0.5 * ((pair + is_right) % 2)
    if pattern == "amble":
        return 0.25 * behind + 0.5 * is_right
    if pattern == "trot":
        return 0.5 * ((pair + is_right) % 2)
    if pattern == "pace":
        return 0.5 * is_right
    return 0.5 * pair
