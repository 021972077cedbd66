"""One piece of advice."""

from dataclasses import dataclass
from math import floor, log10

Value = float | str | list[float] | None


@dataclass(frozen=True)
class Advice:
    """A key whose value is legal and poor.

    Attributes:
        key: its path, as in errors: "leg_pairs[0].bones".
        found: its value; None where the file does not write it.
        better: a value that would be good; None where no single value is.
        reason: what is poor about it, with what was measured.
        other: another way out, as one that begins with a verb; empty where there is none.
    """

    key: str
    found: Value
    better: Value
    reason: str
    other: str = ""

    @property
    def remedy(self) -> str:
        """What to do, with the key: "lower body.ride_height from 0.46 to 0.36"; empty: nothing."""
        if self.better is None:
            return self.other
        if isinstance(self.found, float) and isinstance(self.better, float):
            verb = "lower" if self.better < self.found else "raise"
            text = f"{verb} {self.key} from {self.found:g} to {self.better:g}"
        else:
            text = f"change {self.key} from {_shown(self.found)} to {_shown(self.better)}"
        return f"{text}, or {self.other}" if self.other else text

    def __str__(self) -> str:
        """As one line."""
        return f"{self.reason}: {self.remedy}" if self.remedy else self.reason

    def document(self) -> dict[str, Value]:
        """As plain data."""
        return {
            "key": self.key,
            "found": self.found,
            "better": self.better,
            "reason": self.reason,
            "remedy": self.remedy,
        }


def rounded(value: float) -> float:
    """A value with two digits, as people write them."""
    return float(f"{value:.2g}")


def rounded_down(value: float) -> float:
    """A value with two digits that is no larger."""
    digit: float = 10.0 ** (floor(log10(value)) - 1)
    return rounded(digit * floor(value / digit))


def _shown(value: Value) -> str:
    """A value as a file would write it."""
    if isinstance(value, list):
        return f"[{', '.join(f'{number:g}' for number in value)}]"
    return f"{value:g}" if isinstance(value, float) else str(value)
