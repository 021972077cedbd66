"""The view makes the pictures it made, and the comparison would see if it did not."""

import numpy as np
import pytest

from creature_sim.errors import DisplayUnavailable
from creature_sim.figures.camera import Camera
from creature_sim.view.gl.display import open_offscreen
from creature_sim.view.offscreen import Picture
from tests.scenes import scene
from tests.tools.golden_images import MOST_SEEN, SHOTS, Shot, Stage, golden, seen_difference
from tests.view.studios import buried, moved

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def _drawing() -> None:
    try:
        open_offscreen().close()
    except DisplayUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(SHOTS["hexapod-hills"])


@pytest.mark.parametrize("name", SHOTS)
def test_pictures_are_those_in_the_repository(name: str) -> None:
    assert seen_difference(Stage(SHOTS[name]).picture(), golden(name)) < MOST_SEEN


def test_pictures_of_one_walk_are_equal_to_the_byte(stage: Stage) -> None:
    assert (Stage(stage.shot).picture() == stage.picture()).all()


def _is_refused(picture: Picture) -> bool:
    return seen_difference(picture, golden("hexapod-hills")) > MOST_SEEN


def test_a_missing_creature_is_refused(stage: Stage) -> None:
    assert _is_refused(stage.picture(buried(stage.pose)))


@pytest.mark.parametrize("part", ["body", "legs"])
def test_another_colour_is_refused(stage: Stage, part: str) -> None:
    name, plan = next(iter(stage.world.species.items()))
    colours = plan.colours.model_copy(update={part: "#2f6a9c"})
    plans = {**stage.world.species, name: plan.model_copy(update={"colours": colours})}
    assert _is_refused(stage.picture(world=stage.world.model_copy(update={"species": plans})))


@pytest.mark.parametrize("axis", [0, 1])
def test_a_picture_moved_by_twenty_pixels_is_refused(stage: Stage, axis: int) -> None:
    assert _is_refused(np.roll(stage.picture(), 20, axis))


def test_a_creature_moved_by_twenty_pixels_is_refused(stage: Stage) -> None:
    aside = np.array([0.0, 0.15, 0.0])  # 20 px at this distance
    assert _is_refused(stage.picture(moved(stage.pose, aside)))


def test_missing_shadows_are_refused(stage: Stage) -> None:
    assert _is_refused(stage.picture(has_shadows=False))


def test_a_ceiling_in_the_shade_is_not_dark() -> None:
    shot = Shot(lambda: scene("room", "hexapod"), 1, lambda: Camera(0.9, -1.1, 1.2))
    stage = Stage(shot)
    stage.pose = moved(stage.pose, np.array([0.0, 0.0, 1.5]))  # seen from the floor
    assert np.median(stage.picture()) > 100


def test_grain_and_a_shift_of_a_fraction_of_a_pixel_are_let_pass(stage: Stage) -> None:
    picture = stage.picture().astype(np.float64)
    grain = np.random.default_rng(1).normal(0.0, 4.0, picture.shape)
    assert not _is_refused(np.clip(picture + grain, 0, 255))
    assert not _is_refused(0.75 * picture + 0.25 * np.roll(picture, 1, 1))
