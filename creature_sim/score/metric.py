"""The result of a metric: a number, a verdict, and what was measured."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["excellent", "pass", "fail", "n/a"]


@dataclass(frozen=True)
class Metric:
    """What a metric says of a walk.

    Attributes:
        value: the number, in the unit that `reason` names; None exactly where the metric does not
            apply.
        verdict: what the number means; "n/a" where the metric does not apply.
        reason: what was measured, or why it does not apply.

    Raises:
        ValueError: a verdict without a value, or a value without one.
    """

    value: float | None
    verdict: Verdict
    reason: str

    def __post_init__(self) -> None:
        """Refuse a verdict without a value."""
        if (self.value is None) != (self.verdict == "n/a"):
            raise ValueError(
                f"expected a value, or the verdict n/a and none; found {self.value}, {self.verdict}"
            )

    def document(self) -> dict[str, object]:
        """The metric as plain data."""
        return {"value": self.value, "verdict": self.verdict, "reason": self.reason}


def judge(value: float, passes: float, excels: float, reason: str) -> Metric:
    """A metric whose values are the better the smaller they are.

    Args:
        value: the number.
        passes: the largest value that passes.
        excels: the largest value that is excellent.
        reason: what was measured, with its unit.
    """
    verdict: Verdict = "fail"
    if value <= passes:
        verdict = "excellent" if value <= excels else "pass"
    return Metric(float(value), verdict, reason)


def not_applicable(reason: str) -> Metric:
    """A metric that says nothing about this run."""
    return Metric(None, "n/a", reason)
