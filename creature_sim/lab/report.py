"""The result of a sweep: success by kind and difficulty of the ground (M16)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from creature_sim.lab.course import Course
from creature_sim.lab.run import Outcome
from creature_sim.score import Metric, not_applicable

EASY = 0.5
"""Up to this difficulty, a walk should nearly always succeed."""
WANTED = 0.95
"""The fraction of successes that passes there."""


@dataclass(frozen=True)
class Report:
    """The outcomes of a sweep, in the order in which its trials were planned.

    Attributes:
        creature: its name.
        course: that it had to cross.
        outcomes: of all trials; each kind was run at the same difficulties with the same seeds,
            unless somebody stopped the sweep.
    """

    creature: str
    course: Course
    outcomes: Sequence[Outcome]

    @property
    def kinds(self) -> list[str]:
        """The kinds of ground."""
        return list(dict.fromkeys(outcome.trial.kind for outcome in self.outcomes))

    @property
    def difficulties(self) -> list[float]:
        """The difficulties, from easy to hard."""
        return sorted({outcome.trial.difficulty for outcome in self.outcomes})

    def difficulties_of(self, kind: str) -> list[float]:
        """The difficulties at which a kind of ground was run, from easy to hard."""
        return sorted({outcome.trial.difficulty for outcome in self.of(kind)})

    def of(self, kind: str, difficulty: float | None = None) -> list[Outcome]:
        """The outcomes on a kind of ground, at one difficulty or at all."""
        return [
            outcome
            for outcome in self.outcomes
            if outcome.trial.kind == kind and difficulty in (None, outcome.trial.difficulty)
        ]

    def success_rate(self, kind: str, difficulty: float) -> float:
        """Fraction of successes on a kind of ground at a difficulty, [0, 1]."""
        return rate_of(self.of(kind, difficulty))

    def easy_success_rate(self, kind: str) -> float | None:
        """Fraction of successes up to EASY, [0, 1]; None where nothing so easy was run."""
        easy = [outcome for outcome in self.of(kind) if outcome.trial.difficulty <= EASY]
        return rate_of(easy) if easy else None

    def half(self, kind: str) -> tuple[float | None, str]:
        """Difficulty at which half of the runs succeed, interpolated, as a number and as text.

        It is the first at which the rate of success falls below a half; None if that lies outside
        of what was run.
        """
        before: tuple[float, float] | None = None
        for difficulty in self.difficulties_of(kind):
            rate = self.success_rate(kind, difficulty)
            if rate < 0.5:
                if before is None:
                    return None, f"< {difficulty:g}"
                easier, more = before
                found = easier + (difficulty - easier) * (more - 0.5) / (more - rate)
                return found, f"{found:.2f}"
            before = difficulty, rate
        return None, f"> {self.difficulties_of(kind)[-1]:g}"

    def success(self) -> Metric:
        """M16: the lowest rate of success of any kind up to EASY, [0, 1]."""
        rates = {kind: self.easy_success_rate(kind) for kind in self.kinds}
        known = {kind: rate for kind, rate in rates.items() if rate is not None}
        if not known:
            return not_applicable(f"nothing was run at a difficulty up to {EASY:g}")
        worst = min(known, key=lambda kind: known[kind])
        return Metric(
            known[worst],
            "pass" if known[worst] >= WANTED else "fail",
            f"lowest fraction of successes up to difficulty {EASY:g}: {worst}",
        )

    def document(self) -> dict[str, object]:
        """The report as plain data."""
        return {
            "creature": self.creature,
            "reach": self.course.reach,
            "course": {"length": self.course.length, "seconds": self.course.seconds},
            "kinds": {kind: self._kind(kind) for kind in self.kinds},
            "runs": [_run(outcome) for outcome in self.outcomes],
        }

    def _kind(self, kind: str) -> dict[str, object]:
        half, written = self.half(kind)
        return {
            "half": half,
            "half_text": written,
            "easy_success": self.easy_success_rate(kind),
            "difficulties": [
                {
                    "difficulty": difficulty,
                    "runs": len(self.of(kind, difficulty)),
                    **{
                        verdict: rate_of(self.of(kind, difficulty), verdict)
                        for verdict in ("success", "fall", "stuck")
                    },
                    "causes": dict(causes(self.of(kind, difficulty))),
                }
                for difficulty in self.difficulties_of(kind)
            ],
        }


def rate_of(outcomes: Sequence[Outcome], verdict: str = "success") -> float:
    """Fraction of the outcomes that have a verdict, [0, 1]."""
    return sum(outcome.verdict == verdict for outcome in outcomes) / len(outcomes)


def causes(outcomes: Sequence[Outcome]) -> list[tuple[str, int]]:
    """Causes of failures and their counts, the most frequent first."""
    return Counter(
        f"{outcome.verdict}: {outcome.cause}" for outcome in outcomes if outcome.cause
    ).most_common()


def _run(outcome: Outcome) -> dict[str, object]:
    """One run as plain data."""
    return {
        "kind": outcome.trial.kind,
        "difficulty": outcome.trial.difficulty,
        "seed": outcome.trial.seed,
        "verdict": outcome.verdict,
        "cause": outcome.cause,
        "way": outcome.distance,
        "seconds": outcome.seconds,
        "metrics": {number: metric.document() for number, metric in outcome.metrics.items()},
        "digest": outcome.digest,
        "replay": outcome.replay,
    }
