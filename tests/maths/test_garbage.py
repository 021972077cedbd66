"""Python's garbage collector rests while somebody needs that."""

import gc
from collections.abc import Iterator
from threading import Thread

import numpy as np
import pybullet
import pytest

from creature_sim.ground.rays import Physics
from creature_sim.maths.garbage import no_garbage
from creature_sim.terrain import build_terrain, read_ground


@pytest.fixture(autouse=True)
def _mended() -> Iterator[None]:
    yield
    gc.enable()


def test_pauses_that_overlap_end_with_the_last() -> None:
    """One thread took the pause of another for the user's wish, and garbage stayed for ever."""
    no_garbage.__enter__()
    second = Thread(target=no_garbage.__enter__)
    second.start()
    second.join()
    no_garbage.__exit__()
    assert not gc.isenabled()
    no_garbage.__exit__()
    assert gc.isenabled()


def test_what_the_user_has_switched_off_stays_off() -> None:
    gc.disable()
    with no_garbage:
        pass
    assert not gc.isenabled()


def test_rays_rest_it(monkeypatch: pytest.MonkeyPatch) -> None:
    cast, was_enabled = pybullet.rayTestBatch, []

    def watched(*given: object, **named: object) -> object:
        was_enabled.append(gc.isenabled())
        return cast(*given, **named)

    monkeypatch.setattr(pybullet, "rayTestBatch", watched)
    with Physics(build_terrain(read_ground({"kind": "flat"}), 1)) as physics:
        physics.cast(np.ones((1, 3)), -np.ones((1, 3)))
    assert was_enabled == [False]
    assert gc.isenabled()
