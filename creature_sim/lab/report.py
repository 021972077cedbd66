"""What a sweep says: M16, success by kind and difficulty of the ground."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from creature_sim.lab.course import Course
from creature_sim.lab.run import Outcome
from creature_sim.score import Metric, not_applicable

EASY = 0.5
"""Up to this difficulty a walk should succeed nearly always."""
WANTED = 0.95
"""So often."""


@dataclass(frozen=True)
class Report:
    """The outcomes of a sweep, in the order in which its trials were planned.

    Attributes:
        creature: its name.
        course: that it went.
        outcomes: of all trials; every kind was run at the same difficulties with the same seeds.
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

    def of(self, kind: str, difficulty: float | None = None) -> list[Outcome]:
        """The outcomes on a kind of ground, at one difficulty or at all."""
        return [
            outcome
            for outcome in self.outcomes
            if outcome.trial.kind == kind and difficulty in (None, outcome.trial.difficulty)
        ]

    def share(self, kind: str, difficulty: float) -> float:
        """Share of successes."""
        return share_of(self.of(kind, difficulty))

    def easy_share(self, kind: str) -> float | None:
        """Share of successes up to EASY; None where nothing so easy was run."""
        easy = [outcome for outcome in self.of(kind) if outcome.trial.difficulty <= EASY]
        return share_of(easy) if easy else None

    def half(self, kind: str) -> tuple[float | None, str]:
        """Difficulty at which half of the runs succeed, interpolated, and how to write it.

        It is the first at which the share falls below a half; None beyond what was run.
        """
        before: tuple[float, float] | None = None
        for difficulty in self.difficulties:
            share = self.share(kind, difficulty)
            if share < 0.5:
                if before is None:
                    return None, f"< {difficulty:g}"
                easier, more = before
                found = easier + (difficulty - easier) * (more - 0.5) / (more - share)
                return found, f"{found:.2f}"
            before = difficulty, share
        return None, f"> {self.difficulties[-1]:g}"

    def success(self) -> Metric:
        """M16: the lowest share of successes that any kind has up to EASY."""
        shares = {kind: self.easy_share(kind) for kind in self.kinds}
        known = {kind: share for kind, share in shares.items() if share is not None}
        if not known:
            return not_applicable(f"nothing was run at a difficulty up to {EASY:g}")
        worst = min(known, key=lambda kind: known[kind])
        return Metric(
            known[worst],
            "pass" if known[worst] >= WANTED else "fail",
            f"share of successes up to difficulty {EASY:g}, the lowest of any kind: {worst}",
        )

    def document(self) -> dict[str, object]:
        """All of it as JSON."""
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
            "easy_success": self.easy_share(kind),
            "difficulties": [
                {
                    "difficulty": difficulty,
                    "runs": len(self.of(kind, difficulty)),
                    **{
                        verdict: share_of(self.of(kind, difficulty), verdict)
                        for verdict in ("success", "fall", "stuck")
                    },
                    "causes": dict(causes(self.of(kind, difficulty))),
                }
                for difficulty in self.difficulties
            ],
        }


def share_of(outcomes: Sequence[Outcome], verdict: str = "success") -> float:
    """Share of the outcomes with a verdict."""
    return sum(outcome.verdict == verdict for outcome in outcomes) / len(outcomes)


def causes(outcomes: Sequence[Outcome]) -> list[tuple[str, int]]:
    """Why runs failed and how often, the most frequent first."""
    return Counter(
        f"{outcome.verdict}: {outcome.cause}" for outcome in outcomes if outcome.cause
    ).most_common()


def _run(outcome: Outcome) -> dict[str, object]:
    """One run as JSON."""
    return {
        "kind": outcome.trial.kind,
        "difficulty": outcome.trial.difficulty,
        "seed": outcome.trial.seed,
        "verdict": outcome.verdict,
        "cause": outcome.cause,
        "way": outcome.way,
        "seconds": outcome.seconds,
        "metrics": {
            number: {"value": metric.value, "verdict": metric.verdict, "reason": metric.reason}
            for number, metric in outcome.metrics.items()
        },
        "digest": outcome.digest,
        "replay": outcome.replay,
    }
