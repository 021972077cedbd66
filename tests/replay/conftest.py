"""Recordings of these tests are short: they have keyframes every second."""

from collections.abc import Iterator

import pytest

from creature_sim.replay import keyframes


@pytest.fixture(scope="module", autouse=True)
def _frequent_keyframes() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keyframes, "KEYFRAME_SECONDS", 1)
        yield
