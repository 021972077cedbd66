"""What is near to ground darkens it, whichever way that faces, in the sun or not."""

import re

import numpy as np
import pytest

from creature_sim.figures.creatures import Figures
from creature_sim.figures.nearness import MOST, REACH, Nearness
from creature_sim.library.loader import load_creature
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.view.glsl import source_of
from tests.climbers import CEILING, in_room
from tests.props.test_props import world_of
from tests.scenes import scene
from tests.view.studios import buried, looking, seen_from_above, studio_of


@pytest.mark.slow
@pytest.mark.parametrize("has_shadows", [True, False])
def test_the_ceiling_is_darker_near_who_hangs_from_it(has_shadows: bool) -> None:
    world = in_room(load_creature("spider8").climbing, up=CEILING)
    with Simulation(world) as simulation:
        pose, terrain = pose_of(simulation.snapshot), simulation.terrain
    with studio_of(world, terrain, (320, 200)) as studio:
        hung, bare = (
            studio.render(shown, seen_from_above(pose), has_shadows=has_shadows).astype(int)
            for shown in (pose, buried(pose))
        )
    ceiling = np.abs(hung - bare).max(axis=2) < 60  # not the creature itself
    darkened = ((hung - bare).max(axis=2) < -6) & ceiling  # no sun comes there
    assert 0.005 < darkened.mean() < 0.3


@pytest.mark.slow
def test_ceilings_are_parted_into_squares_as_floors_are() -> None:
    """Nothing on them showed that who hangs there moves."""
    world = in_room(load_creature("spider8").climbing, up=CEILING)
    with Simulation(world) as simulation:
        pose, terrain = pose_of(simulation.snapshot), simulation.terrain
    with studio_of(world, terrain, (320, 200)) as studio:
        bare = studio.render(buried(pose), seen_from_above(pose), has_shadows=False).astype(int)
    steps = np.abs(np.diff(bare[:80], axis=0)).max(axis=2)  # there is nothing but the ceiling
    assert 0.02 < (steps > 3).mean() < 0.2


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["box", "ball"])
def test_props_are_darker_near_who_stands_on_them(
    shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The creature stands on the ground, which a prop hides; nothing else is there to see."""
    size = {"size": [20.0, 20.0, 2.0]} if shape == "box" else {"radius": 50.0}
    middle = [0.0, 0.0, -0.995 if shape == "box" else -49.995]
    prop = {"shape": shape, "motion": "static", "position": middle, **size}
    world = world_of(prop, creature="crab")
    with Simulation(world) as simulation:
        pose, terrain = pose_of(simulation.snapshot), simulation.terrain
    with studio_of(world, terrain, (320, 200)) as studio:
        near = studio.render(pose, seen_from_above(pose)).astype(int)
        monkeypatch.setattr(Figures, "balls", lambda *_: np.empty((0, 4)))
        bare = studio.render(pose, seen_from_above(pose)).astype(int)
    assert (bare - near).min() >= 0  # nothing becomes brighter
    assert 0.01 < ((bare - near).max(axis=2) > 6).mean() < 0.3


@pytest.mark.slow
def test_a_wall_beside_a_foot_in_a_corner_is_not_black(monkeypatch: pytest.MonkeyPatch) -> None:
    world = scene("room", "hexapod")
    with Simulation(world) as simulation:
        pose, terrain = pose_of(simulation.snapshot), simulation.terrain
    monkeypatch.setattr(Figures, "balls", lambda *_: np.array([[4.47, 2.0, 1.2, 0.1]]))
    with studio_of(world, terrain, (320, 200)) as studio:
        picture = studio.render(pose, looking((3.5, 2.2, 1.4), (4.4, 2.0, 1.2)))
    brightness = picture.max(axis=2)
    assert 40 < brightness.min() < 0.8 * np.median(brightness)


def test_there_is_a_ball_over_every_foot_and_one_in_every_segment() -> None:
    world = scene("meadow", "centipede")
    with Simulation(world) as simulation:
        pose = pose_of(simulation.snapshot)
    (herd,) = pose.herds
    balls = Figures(world).balls(pose, np.array([True]))
    tips, middles = herd.joints[0, :, -1], herd.positions[0]
    assert balls.shape == (len(tips) + len(middles), 4)
    assert (balls[:, 3] > 0.0).all()
    feet, trunk = balls[: len(tips)], balls[len(tips) :]
    assert trunk[:, :3] == pytest.approx(middles)
    assert feet[:, :3] == pytest.approx(tips + feet[:, 3:] * herd.normals[0])
    assert not len(Figures(world).balls(pose, np.array([False])))


def test_the_shader_has_room_for_as_many_balls_and_they_reach_as_far() -> None:
    text = source_of("light.glsl")
    assert re.findall(r"MOST_BALLS = (\d+);", text) == [str(MOST)]
    assert re.findall(r"BALLS_REACH = ([\d.]+);", text) == [str(REACH)]


def test_of_many_balls_those_near_to_the_target_count_and_all_they_darken_is_told() -> None:
    generator = np.random.default_rng(1)
    balls = np.hstack((generator.uniform(-9.0, 9.0, (90, 3)), generator.uniform(0.1, 0.3, (90, 1))))
    found = Nearness.of(balls, np.array([1.0, 2.0, 0.0]))
    gaps = np.sqrt(((balls[:, :3] - (1.0, 2.0, 0.0)) ** 2).sum(axis=1))
    kept = np.sqrt(((found.balls[:, :3] - (1.0, 2.0, 0.0)) ** 2).sum(axis=1))
    assert kept == pytest.approx(np.sort(gaps)[:MOST])
    far = found.balls[:, :3] + REACH * found.balls[:, 3:] * np.array([0.0, 0.6, 0.8])
    assert (far >= found.corners.min(axis=0)).all()
    assert (far <= found.corners.max(axis=0)).all()
    assert (np.sqrt(((far - found.around[:3]) ** 2).sum(axis=1)) <= found.around[3] + 1e-9).all()
    assert not len(Nearness.of(np.empty((0, 4)), np.zeros(3)).corners)
