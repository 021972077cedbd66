import gc
import os
from collections.abc import Iterator
from contextlib import nullcontext
from zlib import crc32

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
gc.disable()  # until all tests are found: what is made for them stays
notice.is_told = True  # a cold cache is no news here
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--part 0/3` runs the tests of one third of all files; `1/3` and `2/3` are the others."""
    parser.addoption("--part", type=part, default=(0, 1), help="a part of all files, as 0/3")


def part(text: str) -> tuple[int, int]:
    """Which part, counted from 0, of how many."""
    number, of = map(int, text.split("/"))
    if not 0 <= number < of:
        raise ValueError(text)
    return number, of


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of open defects are expected to fail; those of other parts are not run."""
    defects.expect(items)
    number, of = config.getoption("--part")
    parts: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        parts[crc32(item.path.name.encode()) % of == number].append(item)
    config.hook.pytest_deselected(items=parts[False])
    items[:] = parts[True]


def pytest_collection_finish() -> None:
    """The collector of garbage looks at what tests make, not again and again at the tests."""
    gc.freeze()
    gc.enable()


OWN_GROUND = ("test_determinism.py", "test_leaks.py", "test_simulation.py")
"""Tests of what becomes of ground that is a simulation's own, as that of users is."""


@pytest.fixture(autouse=True)
def _shared_grounds(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tests share their ground; none may spoil it for others."""
    is_own = request.path.name in OWN_GROUND and request.node.get_closest_marker("slow")
    with nullcontext() if is_own else shared_grounds():
        yield
    assert not spoilt()


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """An X server of our own."""
    with own_screen(tmp_path_factory.mktemp("screen")) as found:
        yield found
