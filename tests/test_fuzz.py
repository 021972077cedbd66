"""Some hostile files of each kind; `python -m tests.tools.fuzz --minutes 10` tries thousands."""

from pathlib import Path

import pytest

from tests.tools.fuzz.run import run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "first", "count", "both"),
    [
        ("definitions", 0, 40, {"refused", "simulated"}),
        ("replays", 0, 60, {"refused", "refuted", "verified"}),
    ],
)
def test_no_hostile_file_ends_in_a_traceback_hangs_or_lies(
    kind: str, first: int, count: int, both: set[str], tmp_path: Path
) -> None:
    outcomes, findings = run(kind, first, count, tmp_path)
    assert not findings, "\n\n".join(map(str, findings))
    assert both <= set(outcomes), "the cases are too tame or too wild to say anything"
