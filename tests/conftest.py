import os
from collections.abc import Iterator
from contextlib import nullcontext

import pytest
from hypothesis import HealthCheck, settings

from creature_sim.maths.notice import notice
from tests import defects
from tests.grounds import shared_grounds, spoilt
from tests.kernels import compile_once
from tests.windows import Screen, own_screen

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci",
    max_examples=100,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
compile_once()
notice.is_told = True  # a cold cache is no news here
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of open defects are expected to fail."""
    defects.expect(items)


@pytest.fixture(autouse=True)
def _shared_grounds(request: pytest.FixtureRequest) -> Iterator[None]:
    """Quick tests share their ground; no test may spoil it for others."""
    with nullcontext() if request.node.get_closest_marker("slow") else shared_grounds():
        yield
    assert not spoilt()


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """An X server of our own."""
    with own_screen(tmp_path_factory.mktemp("screen")) as found:
        yield found
