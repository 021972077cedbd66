"""Which parameters the quick set takes."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet


def quick_of(values: Iterable[str], *quick: str) -> list[str | ParameterSet]:
    """All the values; those that are not named as quick are marked slow."""
    values = list(values)
    assert quick
    assert set(quick) <= set(values)
    return [
        value if value in quick else pytest.param(value, marks=pytest.mark.slow) for value in values
    ]
