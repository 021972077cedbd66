"""What a metric comes to."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["excellent", "pass", "fail", "n/a"]


@dataclass(frozen=True)
class Metric:
    """A number and what it means.

    Attributes:
        value: the number, in the unit that `reason` names; None: not measured.
        verdict: against the limits in `judge`'s caller.
        reason: what was measured, or why it does not apply.
    """

    value: float | None
    verdict: Verdict
    reason: str


def judge(value: float, passes: float, excels: float, reason: str) -> Metric:
    """The smaller the better: `excellent` up to one limit, `pass` up to the other."""
    verdict: Verdict = "fail"
    if value <= passes:
        verdict = "excellent" if value <= excels else "pass"
    return Metric(float(value), verdict, reason)


def not_applicable(reason: str) -> Metric:
    """A metric that says nothing about this run."""
    return Metric(None, "n/a", reason)
