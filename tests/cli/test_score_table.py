"""The tables of `creature-sim score`, however narrow the terminal is."""

import pytest

from creature_sim.cli.scoring import _print_both, _print_table
from creature_sim.score.metric import Metric

METRICS = {
    "M1": Metric(-1.234e-05, "excellent", "largest drift of a foot that stands"),
    "M10": Metric(None, "n/a", "feet of a reactive gait have no phase"),
    "M42": Metric(0.25, "fail", "what the eye sees first of all"),
}


@pytest.mark.parametrize("columns", [5, 20, 40, 64, 79, 80, 200])
def test_no_key_value_or_verdict_is_left_out(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    _print_table("hexapod, walk.mcap", METRICS)
    table = capsys.readouterr().out
    _print_both("hexapod", METRICS, METRICS)
    both = capsys.readouterr().out
    for key, metric in METRICS.items():
        value = "" if metric.value is None else f"{metric.value:.4g}"
        for text, count in ((table, 1), (both, 2)):
            (words,) = [line.split() for line in text.splitlines() if line.split()[:1] == [key]]
            assert words.count(metric.verdict) == count
            assert not value or words.count(value) == count
        for word in metric.reason.split():
            assert word in table
    assert "…" not in table + both
