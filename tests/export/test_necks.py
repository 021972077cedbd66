"""Necks join heads to bodies that they do not touch, in whatever shows them."""

from pathlib import Path

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.definitions.body import HeadDef
from creature_sim.drivers import make_driver
from creature_sim.export.display_list import DisplayList
from creature_sim.export.entities import creature_entities
from creature_sim.export.frames import Z, turns_onto
from creature_sim.figures.creatures import Figures
from creature_sim.figures.necks import Neck
from creature_sim.figures.shapes import hull, is_in_hull
from creature_sim.figures.sizes import ball_radius
from creature_sim.library.loader import builtin_names, load_creature
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.replay import Replay, open_replay, record
from creature_sim.snapshots.poses import Pose, pose_of
from tests.export.test_animation import exported
from tests.scenes import scene

HIGH = HeadDef(mount=(0.3, 0.05, 0.5), size=(0.13, 0.17, 0.11))
NEAR = 1e-5


def heron() -> WorldDef:
    """A hexapod on hills with its head up high."""
    world = scene("hills", "hexapod")
    plan = world.species_of(world.creatures[0]).model_copy(update={"head": HIGH})
    return world.model_copy(update={"species": {**world.species, "hexapod": plan}})


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    """It walks a curve, so that it looks aside."""
    path = tmp_path_factory.mktemp("heron") / "walk.mcap"
    record(heron(), path, 90, driver=make_driver(heron(), "forward 1; left 1"))
    return open_replay(path)


@pytest.fixture(scope="module")
def poses(walk: Replay) -> list[Pose]:
    return [pose_of(state) for state in walk.rerun()]


def rear_of_head(pose: Pose) -> Floats:
    creature = pose.creature(0)
    turn = rotation_matrices(creature.orientations[-1])
    found: Floats = creature.positions[-1] - turn @ np.array([0.5 * HIGH.size[0], 0.0, 0.0])
    return found


def test_only_a_head_off_its_body_has_a_neck() -> None:
    for name in builtin_names("creature"):
        assert Neck.of(load_creature(name)) is None
    hexapod = load_creature("hexapod")
    assert Neck.of(hexapod.model_copy(update={"head": None})) is None
    half = 0.5 * np.array(hexapod.body.size)
    above = 0.5 * np.array([1.0, 0.0, 0.9]) * hexapod.body.size  # on its box, but bodies are round
    for mount in (
        tuple(above.tolist()),
        (0.3, 0.05, 0.5),
        (-0.9, 0.0, 0.0),
        (0.0, 0.3, 0.0),
        (0.1, 0.0, -0.4),
    ):
        head = HeadDef(mount=mount, size=(0.2, 0.4, 0.3))
        neck = Neck.of(hexapod.model_copy(update={"head": head}))
        assert neck is not None
        assert (np.abs(neck.base) + neck.radii[0] <= half + 1e-12).all()
        assert neck.end == pytest.approx(mount)
        assert ball_radius(hexapod.model_copy(update={"head": head})) > np.linalg.norm(neck.end)
        along = rotation_matrices(turns_onto(Z, neck.end - neck.base))[:, 2] * neck.length
        assert along == pytest.approx(neck.end - neck.base, abs=1e-12)


def test_a_hull_ends_where_it_is_drawn() -> None:
    surface = hull()[0][:, :3].astype(np.float64)
    assert all(is_in_hull(point) for point in 0.999 * surface)
    assert not any(is_in_hull(point) for point in 1.001 * surface)


def test_it_goes_from_the_body_to_the_head_wherever_that_looks(poses: list[Pose]) -> None:
    neck, figures, page = (
        Neck.of(heron().species["hexapod"]),
        Figures(heron()),
        DisplayList(heron()),
    )
    assert neck is not None
    first, last, *_ = page.parts["limbs"][-1]
    turned = []
    for pose in poses[::10]:
        creature = pose.creature(0)
        body = rotation_matrices(creature.orientations[0])
        base, end = creature.positions[0] + body @ neck.base, rear_of_head(pose)
        row = figures.solids(pose, np.zeros(1, np.int64))[0].limbs[-1]
        matrix = row[:12].reshape(3, 4)
        assert matrix[:, 3] == pytest.approx(base, abs=NEAR)
        assert matrix[:, 3] + matrix[:, 0] == pytest.approx(end, abs=NEAR)
        points = page.points(pose)
        assert points[first] == pytest.approx(base, abs=NEAR)
        assert points[last] == pytest.approx(end, abs=NEAR)
        low, high = figures.boxes(pose, np.ones(1, dtype=bool))
        assert (low[0] < end).all()
        assert (high[0] > end).all()
        turned.append(1.0 - float(body[:, 0] @ rotation_matrices(creature.orientations[-1])[:, 0]))
    assert max(turned) > 1e-3  # the head did look aside


def test_robotics_viewers_show_it() -> None:
    neck = Neck.of(heron().species["hexapod"])
    assert neck is not None
    body, *others = creature_entities(heron(), 0)
    (bar,) = body.cylinders
    pose = bar.pose
    q, p = pose.orientation, pose.position
    half = 0.5 * bar.size.z * rotation_matrices(np.array([q.x, q.y, q.z, q.w]))[:, 2]
    middle = np.array([p.x, p.y, p.z])
    assert middle - half == pytest.approx(neck.base, abs=1e-9)
    assert middle + half == pytest.approx(neck.end, abs=1e-9)
    assert sum(len(entity.cylinders) for entity in others) == 6 * 3


def test_animation_tools_show_it(walk: Replay, poses: list[Pose], tmp_path: Path) -> None:
    neck, file = Neck.of(heron().species["hexapod"]), exported(walk, tmp_path / "walk.glb")
    assert neck is not None
    for tick in (30, 90):
        creature = poses[tick].creature(0)
        turn = rotation_matrices(creature.orientations[0])
        points = file.skinned(file.names.index("0_hexapod_skin"), tick / 60) - creature.positions[0]
        for end, radius in zip((neck.base, neck.end), neck.radii, strict=True):
            gaps = np.linalg.norm(points - turn @ end, axis=1)
            assert (np.abs(gaps - radius) < NEAR).sum() > 20  # a half ball at either end
