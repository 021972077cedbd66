"""Open defects: tests that fail for a reason that is known, and that must pass one day.

`defects.txt` has each test and why. It is expected to fail; one that passes fails the run, so that
the list stays true.
"""

from pathlib import Path

import pytest

_lines = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
OPEN = {test: why.strip() for test, why in zip(_lines[::2], _lines[1::2], strict=True)}
"""Why, by test."""


def expect(items: list[pytest.Item]) -> None:
    """Mark the tests on the list."""
    for item in items:
        if item.nodeid in OPEN:
            item.add_marker(pytest.mark.xfail(reason=OPEN[item.nodeid], strict=True))
