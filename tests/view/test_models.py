"""Pictures of creatures that look like a model."""

from pathlib import Path

import numpy as np
import pytest

from creature_sim.definitions import PlacementDef, WorldDef
from creature_sim.errors import DisplayUnavailable
from creature_sim.figures.camera import Camera
from creature_sim.library.variants import with_creature
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.view.offscreen import Picture, render
from tests.models.rigs import write_rig
from tests.scenes import scene

pytestmark = pytest.mark.slow


def picture(world: WorldDef, camera: Camera | None = None) -> Picture:
    with Simulation(world) as simulation:
        pose, terrain = pose_of(simulation.snapshot), simulation.terrain
    try:
        return render(world, pose, terrain, (320, 180), camera)
    except DisplayUnavailable as error:
        pytest.skip(str(error))


def yellow(found: Picture) -> int:
    """How many pixels have the colour of the light stripes of the tests' models."""
    red, green, blue = np.moveaxis(found.astype(int), -1, 0)
    return int(((red > 110) & (red > green + 15) & (green > 2 * blue)).sum())


def test_a_model_is_drawn_in_its_colours(tmp_path: Path) -> None:
    world = scene("meadow", "hexapod")
    plan = write_rig("hexapod", tmp_path / "model.glb")
    plain = picture(world)
    found = picture(with_creature(world, plan))
    assert yellow(found) > 100 + yellow(plain)
    assert (picture(with_creature(world, plan)) == found).all()
    lost = plan.model_validate(plan.model_dump())  # without its file
    assert (picture(with_creature(world, lost)) == plain).all()


def test_parts_without_a_skin_look_alike(tmp_path: Path) -> None:
    world = scene("meadow", "hexapod")
    plan = write_rig("hexapod", tmp_path / "model.glb", is_skinned=False)
    assert yellow(picture(with_creature(world, plan))) > 100


def test_more_creatures_than_one_call_takes_are_drawn(tmp_path: Path) -> None:
    plan = write_rig("hexapod", tmp_path / "model.glb", rings=4, sides=4)
    few = with_creature(scene("meadow", "hexapod"), plan)
    places = [(1.5 * (k % 10) - 7.0, 1.5 * (k // 10) - 7.0) for k in range(100)]
    many = few.model_copy(
        update={
            "creatures": tuple(PlacementDef(creature="hexapod", position=place) for place in places)
        }
    )
    camera = Camera(distance=9.0)
    counts = [yellow(picture(world, camera)) for world in (few, many)]
    assert counts[1] > 10 * counts[0] > 0
