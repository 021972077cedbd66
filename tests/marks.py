"""Which parameters the quick set takes, and which are left to the thorough one."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings

THOROUGH = (pytest.mark.slow, pytest.mark.thorough)
"""Marks of more cases of what a sample of them shows, which are not run unless asked for."""

few = settings(max_examples=50)
"""For properties of which an example takes long."""


def quick_of(values: Iterable[str], *quick: str) -> list[str | ParameterSet]:
    """All the values; those that are not named as quick are marked slow."""
    values = list(values)
    assert quick
    return sample_of(values, *quick, slow=tuple(values))


def sample_of(
    values: Iterable[str], *quick: str, slow: tuple[str, ...] = ()
) -> list[str | ParameterSet]:
    """All the values: those named as quick, those named as slow, and the others, for thorough runs.

    The first two are a sample that shows what the test is about.
    """
    values = list(values)
    assert quick or slow
    assert {*quick, *slow} <= set(values)
    return [
        value
        if value in quick
        else pytest.param(value, marks=pytest.mark.slow if value in slow else THOROUGH)
        for value in values
    ]
