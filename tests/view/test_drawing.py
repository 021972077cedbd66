"""What decides how things are drawn: levels of detail, light, footprints and dust, shaders."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.definitions.crowds import crowd_of
from creature_sim.errors import DisplayUnavailable
from creature_sim.figures.camera import Camera
from creature_sim.figures.creatures import Figures
from creature_sim.figures.detail import MOST, levels_of, rectangle
from creature_sim.figures.ground import Ground
from creature_sim.figures.optics import Optics, look_at, perspective
from creature_sim.figures.palette import GREEN, ORANGE, PURPLE, SKY_BLUE, YELLOW
from creature_sim.figures.shapes import DISTANT, LEVELS
from creature_sim.figures.solids import rgb
from creature_sim.figures.sun import SUN, beam, reached
from creature_sim.figures.trail import (
    DUST_REACH,
    DUST_SECONDS,
    MAX_PRINTS,
    PRINT_SECONDS,
    PUFFS,
    Trail,
)
from creature_sim.library.loader import builtin_names, load_world
from creature_sim.maths import Floats
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Pose, pose_of
from creature_sim.terrain import build_terrain
from creature_sim.view.offscreen import Studio
from tests.export.test_necks import heron
from tests.scenes import scene
from tests.tools.golden_images import MOST_SEEN, seen_difference
from tests.view.studios import buried, looking, seen_from_above, studio_of

SIZE = (1280, 720)


def _view(eye: tuple[float, float, float]) -> Optics:
    to_eye = look_at(np.array(eye), np.zeros(3), np.array([0.0, 0.0, 1.0]))
    return Optics(perspective(16 / 9) @ to_eye, np.array(eye), SIZE)


def _on(matrix: Floats, points: Floats) -> Floats:
    clip = points @ matrix[:, :3].T + matrix[:, 3]
    found: Floats = clip[:, :3] / clip[:, 3:]
    return found


# --- levels of detail -------------------------------------------------------------------------


def test_detail_falls_with_distance_and_ends_where_nothing_is_seen() -> None:
    view = _view((-4.0, 0.0, 1.0))
    x = np.array([-3.9, 0.0, 5.0, 15.0, 60.0, -40.0])
    places = np.stack((x, np.zeros(6), np.zeros(6)), axis=1)
    assert levels_of(places, np.full(6, 0.8), view).tolist() == [0, 0, 1, 2, 3, LEVELS]


def test_of_a_crowd_only_those_that_look_largest_are_drawn_finely() -> None:
    view = _view((-4.0, 0.0, 1.0))
    x, y = (part.ravel() for part in np.meshgrid(np.arange(2.0, 42.0), np.linspace(-2.0, 2.0, 20)))
    places = np.stack((x, y, np.zeros(x.size)), axis=1)
    levels = levels_of(places, np.full(x.size, 0.8), view)
    alone = np.array([levels_of(place[None], np.full(1, 0.8), view)[0] for place in places])
    assert ((levels == 0) == (alone == 0)).all()
    for level, most in enumerate(MOST, 1):
        assert (alone <= level).sum() > 2 * most
        assert (levels <= level).sum() == max(most, (levels == 0).sum())
    shown = levels < LEVELS
    assert ((levels >= alone) | ~shown).all()
    away = np.hypot(x + 4.0, y)
    for level in (1, 2):
        assert away[levels == level].max() <= away[levels == level + 1].min() + 0.3


def test_nothing_that_shows_is_left_out() -> None:
    generator = np.random.default_rng(3)
    view = _view((-6.0, 2.0, 1.5))
    places = generator.uniform(-12.0, 12.0, (400, 3))
    radii = generator.uniform(0.1, 1.5, 400)
    levels = levels_of(places, radii, view)
    directions = generator.normal(size=(300, 3))
    directions /= np.sqrt((directions**2).sum(axis=1))[:, None]
    for place, radius, level in zip(places, radii, levels, strict=True):
        surface = place + radius * directions
        clip = view.clip(surface)
        shows = ((np.abs(clip[:, :3]) < clip[:, 3:]).all(axis=1)).any()
        assert not (shows and level == LEVELS)
    assert 100 < (levels == LEVELS).sum() < 390  # most are behind or beside, and not drawn


def test_all_creatures_of_a_herd_are_drawn_and_far_ones_of_fewer_parts() -> None:
    world = crowd_of(load_world("meadow"), 9)
    with Simulation(world) as simulation:
        pose = pose_of(simulation.snapshot)
    figures = Figures(world)
    levels = np.array([0, 0, 1, 1, 1, 2, 3, 3, LEVELS])
    solids = figures.solids(pose, levels)
    assert [len(part.hulls) for part in solids] == [4, 6, 2, 4]  # body and head
    assert len(solids[0].limbs) / 2 == len(solids[2].limbs) > len(solids[3].limbs) == 0
    assert len(solids[0].spheres) / 2 > len(solids[2].spheres) > len(solids[3].spheres) == 0
    assert [len(part.legs) for part in solids] == [0, 0, 0, 2 * 6]
    flat = figures.solids(pose, levels, first_flat=2)
    assert [len(part.hulls) for part in flat] == [4, 6, 2, 4]
    assert len(flat[2].limbs) == 0
    assert len(flat[2].spheres) == 2  # eyes
    assert sum(len(part.legs) for part in flat) == 3 * 6
    assert len(figures.radii) == 9


@pytest.mark.parametrize("name", builtin_names("creature"))
def test_distant_legs_have_all_bones_and_feet(name: str) -> None:
    world = scene("meadow", name)
    with Simulation(world) as simulation:
        pose = pose_of(simulation.snapshot)
    figures = Figures(world)
    near, distant = (figures.solids(pose, np.array([level]))[level] for level in (1, DISTANT))
    parts = near.limbs[:, :12].reshape(-1, 3, 4)
    bones = np.stack((parts[..., 3], parts[..., 3] + parts[..., 0]), axis=1)
    joints = distant.legs[:, :16].reshape(-1, 4, 4)
    drawn = np.stack((joints[:, :-1, :3], joints[:, 1:, :3]), axis=2).reshape(-1, 2, 3)
    drawn = drawn[np.ptp(drawn, axis=1).max(axis=1) > 0.0]
    assert len(drawn) == len(bones)
    gaps = np.abs(bones[:, None] - drawn).max(axis=(2, 3))
    assert gaps.min(axis=1).max() < 1e-5
    feet = distant.legs[distant.legs[:, 23] > 0.0]
    assert len(feet) == sum(leg.foot is None for leg in world.species[name].all_legs)
    assert len(distant.hulls) == len(near.hulls)


@pytest.mark.slow
@pytest.mark.parametrize("distance", [9.0, 14.0])
@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("world", [scene("meadow", "spider8"), heron()], ids=["spider8", "heron"])
def test_distant_creatures_look_like_nearer_ones(
    monkeypatch: pytest.MonkeyPatch, world: WorldDef, level: int, distance: float
) -> None:
    with (
        Simulation(world) as simulation,
        studio_of(world, simulation.terrain, (320, 200)) as studio,
    ):
        pose = pose_of(simulation.snapshot)
        pictures = []
        for chosen in (level, level - 1):
            radii = tuple(1e6 if finer < chosen else 0.0 for finer in range(LEVELS - 1))
            monkeypatch.setattr("creature_sim.figures.detail.RADII", radii)
            camera = Camera(distance=distance * Figures(world).scales[0])
            pictures.append(studio.render(pose, camera, has_shadows=False))
        without = studio.render(buried(pose), camera, has_shadows=False)
    assert (pictures[0] != pictures[1]).any()
    assert seen_difference(*pictures) < MOST_SEEN
    assert seen_difference(pictures[0], without) > 2.0 * seen_difference(*pictures)


@pytest.mark.slow
@pytest.mark.parametrize("name", builtin_names("creature"))
def test_a_creature_stays_within_its_radius(name: str) -> None:
    world = scene("steps", name)
    radius = Figures(world).radii[0]
    with Simulation(world) as simulation:
        for _ in range(90):
            simulation.step()
            creature = simulation.snapshot.creatures[0]
            away = np.sqrt(((creature.joints - creature.position) ** 2).sum(axis=-1))
            assert away.max() <= radius


# --- the sun ----------------------------------------------------------------------------------


def test_a_shadow_map_shows_all_casters_and_keeps_the_line_to_the_sun() -> None:
    generator = np.random.default_rng(5)
    low = generator.uniform(-4.0, 3.0, (20, 3))
    high = low + generator.uniform(0.1, 1.0, (20, 3))
    light = beam(low, high, 1024)
    for corners in (low, high):
        assert (np.abs(_on(light.to_clip, corners)) <= 1.0 + 1e-9).all()
    places = _on(light.to_map, low)
    later = _on(light.to_map, low - 0.3 * SUN)  # farther along the light
    assert later[:, :2] == pytest.approx(places[:, :2])
    assert (later[:, 2] > places[:, 2]).all()


def test_a_shadow_map_keeps_still_while_its_creature_walks() -> None:
    x = np.linspace(0.0, 1.0, 200)[:, None] * np.array([1.0, 0.7, 0.1])
    lights = [beam(place[None] - 0.4, place[None] + 0.4, 1024) for place in x]
    assert len({light.texel for light in lights}) == 1
    corner = np.array([_on(light.to_map, np.array([[0.3, 0.2, 0.0]]))[0, :2] for light in lights])
    steps = np.diff(corner, axis=0) * 1024  # by whole texels or not at all
    assert np.abs(steps - np.round(steps)).max() < 1e-6


@pytest.mark.slow
def test_shade_falls_within_what_is_drawn_with_shadows() -> None:
    world = load_world("steps")
    ground = Ground.of(build_terrain(world.terrain, world.seed))
    generator = np.random.default_rng(6)
    low, high = np.array([[1.0, 2.0, 0.1]]), np.array([[2.0, 2.5, 0.9]])
    hull = reached(low, high, ground)
    view = _view((-3.0, -2.0, 3.0))
    x, y, width, height = rectangle(hull, view)
    assert 0 < width * height < 0.25 * SIZE[0] * SIZE[1]  # and not all of the picture
    for point in generator.uniform(low[0], high[0], (200, 3)):
        z = float(ground.extent(point[:2] - 3.0, point[:2] + 3.0)[0])
        for share in (0.0, 0.5, 1.0):
            place = point - share * (point[2] - z) * SUN / SUN[2]
            px, py = view.pixels(place[None])[0]
            assert x - 1 <= px <= x + width + 1
            assert y - 1 <= py <= y + height + 1


@pytest.mark.slow
def test_ground_lies_between_the_heights_that_are_told() -> None:
    for name in ("hills", "stairs", "steps"):
        world = load_world(name)
        ground = Ground.of(build_terrain(world.terrain, world.seed))
        vertices = ground.vertices.astype(np.float64)
        for x, y in np.random.default_rng(7).uniform(-30.0, 28.0, (20, 2)):
            low, high = np.array([x, y]), np.array([x + 2.0, y + 1.0])
            inside = ((vertices[:, :2] >= low) & (vertices[:, :2] <= high)).all(axis=1)
            bottom, top = ground.extent(low, high)
            around = ((vertices[:, :2] >= low - 2.0) & (vertices[:, :2] <= high + 2.0)).all(axis=1)
            if name == "hills":  # whose vertices are everywhere
                assert inside.sum() > 10
                assert bottom >= vertices[around, 2].min() - 1e-6
                assert top <= vertices[around, 2].max() + 1e-6
            assert (vertices[inside, 2] >= bottom - 1e-6).all()
            assert (vertices[inside, 2] <= top + 1e-6).all()


# --- footprints and dust ----------------------------------------------------------------------


def _walk(ticks: int, every: int = 1) -> Iterator[Pose]:
    with Simulation(scene("meadow", "hexapod", driver="forward 60")) as simulation:
        for tick in range(ticks):
            if tick % every == 0:
                yield pose_of(simulation.snapshot)
            simulation.step()


def _optics(pose: Pose, distance: float, *, aside: float = 0.0) -> Optics:
    """A view of the first creature, or of what is beside it [m]."""
    target = pose.creatures[0].position + np.array([0.0, aside, 0.0])
    eye = target + distance * np.array([-0.8, 0.0, 0.6])
    to_eye = look_at(eye, target, np.array([0.0, 0.0, 1.0]))
    return Optics(perspective(16 / 9) @ to_eye, eye, SIZE)


GREY = (0.5, 0.5, 0.5)


@pytest.mark.slow
def test_every_touchdown_leaves_a_print_where_the_foot_stands_and_dust_that_settles() -> None:
    poses = list(_walk(200))
    trail = Trail(scene("meadow", "hexapod"))
    landed: list[Any] = []
    for before, pose in zip([poses[0], *poses], poses, strict=False):
        down = before.creatures[0].is_swinging & ~pose.creatures[0].is_swinging
        landed += pose.creatures[0].joints[down, -1].tolist()
        trail.add(pose)
    assert len(landed) > 15
    prints = trail.marks()[:, [3, 7, 11]]
    assert prints == pytest.approx(np.array(landed), abs=0.01)
    dust = trail.dust(_optics(poses[-1], 4.0), GREY)
    assert len(dust) % PUFFS == 0
    assert 0 < len(dust) < PUFFS * len(landed)
    assert ((dust[:, 15] >= 0.0) & (dust[:, 15] < 0.5)).all()
    rate = scene("meadow", "hexapod").tick_rate
    for seconds, count in ((DUST_SECONDS + 0.1, len(landed)), (PRINT_SECONDS, 0)):
        later = replace(poses[-1], tick=poses[-1].tick)
        for step in range(round(seconds / 0.5) + 1):  # stands still
            later = replace(poses[-1], tick=poses[-1].tick + 0.5 * rate * (step + 1))
            trail.add(later)
        assert len(trail.dust(_optics(later, 4.0), GREY)) == 0
        assert len(trail.marks()) == count
        poses[-1] = later


def test_trails_repeat_and_a_pose_seen_twice_changes_nothing() -> None:
    first, second = Trail(scene("meadow", "hexapod")), Trail(scene("meadow", "hexapod"))
    for pose in _walk(150, every=3):
        first.add(pose)
        second.add(pose)
        second.add(pose)
    optics = _optics(pose, 4.0)
    assert (first.marks() == second.marks()).all()
    assert (first.dust(optics, GREY) == second.dust(optics, GREY)).all()


def test_dust_is_darker_where_less_light_comes() -> None:
    """As bright as on floors it seemed to glow there."""
    poses, brightness = list(_walk(60)), []
    for faces in ((0.0, 0.0, 1.0), (-0.8, 0.0, 0.6), (-1.0, 0.0, 0.0), (0.0, 0.0, -1.0)):
        trail = Trail(scene("meadow", "hexapod"))
        for pose in poses:
            herds = tuple(
                replace(herd, normals=np.broadcast_to(faces, herd.normals.shape))
                for herd in pose.herds
            )
            trail.add(replace(pose, herds=herds))
        dust = trail.dust(_optics(pose, 2.0), GREY)
        assert len(dust)
        assert (dust[:, 12:15] == dust[0, 12]).all()
        brightness.append(dust[0, 12])
    assert brightness[0] == GREY[0]
    assert brightness == sorted(brightness, reverse=True)
    assert 0.2 < brightness[-1] < 0.6 * GREY[0]


def test_dust_and_prints_that_nobody_sees_are_not_drawn() -> None:
    trail = Trail(scene("meadow", "hexapod"))
    for pose in _walk(150, every=3):
        trail.add(pose)
    near, far, aside = (
        _optics(pose, distance, aside=step) for distance, step in ((4.0, 0), (40.0, 0), (4.0, 9.0))
    )
    assert (trail.marks(far) == trail.marks()).all()
    assert 0 < len(trail.marks(near)) < len(trail.marks())  # the first ones are behind the eye
    assert len(trail.marks(aside)) == 0
    assert len(trail.dust(near, GREY)) > 0
    assert len(trail.dust(far, GREY)) == len(trail.dust(aside, GREY)) == 0
    opacities = [trail.dust(_optics(pose, away), GREY)[:, 15].max() for away in (4.0, 17.0, 20.0)]
    assert opacities[0] > opacities[1] > opacities[2] > 0.0  # it fades before it is left out


def test_no_puff_reaches_farther_than_dust_is_taken_to() -> None:
    trail = Trail(scene("meadow", "hexapod"))
    for pose in _walk(150):
        trail.add(pose)
        dust = trail.dust(_optics(pose, 4.0), GREY).reshape(-1, PUFFS, 4, 4)
        if len(dust):
            sizes = np.sqrt((dust[..., :3, 0] ** 2).sum(axis=-1))
            gaps = dust[:, :, None, :3, 3] - trail.marks()[:, [3, 7, 11]]
            nearest = np.sqrt((gaps**2).sum(axis=-1)).min(axis=-1)
            assert (nearest + sizes).max() < DUST_REACH * trail.marks()[0, 0]


def test_going_back_in_time_cleans_the_ground() -> None:
    poses = list(_walk(150, every=3))
    trail = Trail(scene("meadow", "hexapod"))
    for pose in poses:
        trail.add(pose)
    assert len(trail.marks())
    trail.add(poses[10])
    assert len(trail.marks()) == 0


@pytest.mark.slow
def test_prints_are_bounded() -> None:
    world = crowd_of(load_world("meadow"), 400)
    trail = Trail(world)
    with Simulation(world) as simulation:
        pose = pose_of(simulation.snapshot)
    for tick in range(6):
        swinging = np.full((400, 6), tick % 2 == 0)
        herds = tuple(replace(herd, is_swinging=swinging) for herd in pose.herds)
        trail.add(replace(pose, tick=float(tick), herds=herds))
    assert len(trail.marks()) == MAX_PRINTS


# --- colours, shaders -------------------------------------------------------------------------


def test_colours_of_data_differ_in_lightness_or_hue_for_eyes_that_miss_one_kind_of_cone() -> None:
    # Vienot, Brettel and Mollon 1999: what a protanope and a deuteranope see of linear RGB.
    colours = np.array([rgb(colour) for colour in (ORANGE, SKY_BLUE, GREEN, YELLOW, PURPLE)]) ** 2.2
    protan = np.array([[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]])
    deutan = np.array([[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]])
    for seen_by in (np.eye(3), protan, deutan):
        seen = np.clip(colours @ seen_by.T, 0.0, 1.0) ** (1 / 2.2)
        for i in range(len(seen)):
            for j in range(i):
                assert np.abs(seen[i] - seen[j]).max() > 0.15


@pytest.mark.slow
def test_a_shader_that_the_driver_refuses_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    world = load_world("meadow")
    with Simulation(world) as simulation:
        pose, terrain = pose_of(simulation.snapshot), simulation.terrain
    try:
        with Studio(world, terrain, (64, 36)) as studio:
            studio.render(pose)
    except DisplayUnavailable as error:
        pytest.skip(str(error))
    from creature_sim.view.gl import shaders

    read = getattr(shaders, "source_of")  # noqa: B009 - it is imported there
    monkeypatch.setattr(shaders, "source_of", lambda name: read(name).replace("exp2(", "exp3("))
    with Studio(world, terrain, (64, 36)) as studio, pytest.raises(DisplayUnavailable) as found:
        studio.render(pose)
    assert "shader program" in str(found.value)
    assert "\n" not in str(found.value)


@pytest.mark.slow
def test_no_sun_shines_into_a_corner_of_a_room_behind_a_wall() -> None:
    """A bright sliver was below the ceiling: the wall, cut off there, was open at its top."""
    world = scene("room", "hexapod")
    with Simulation(world) as simulation:
        pose, terrain = buried(pose_of(simulation.snapshot)), simulation.terrain
    with studio_of(world, terrain, (800, 500)) as studio:
        picture = studio.render(pose, looking((-3.6, 2.6, 2.3), (-4.4, 3.0, 2.4))).astype(int)
    rows = picture[250:400].sum(axis=2)  # a wall in the sun, its corner in the shade, another wall
    bright, dark = rows[:, :50].mean(), rows[:, -50:].mean()
    assert bright > dark + 40.0
    is_lit = rows > 0.5 * (bright + dark) + 10.0
    is_shaded = np.cumsum(~is_lit, axis=1) > 20
    assert not (is_lit & is_shaded).any()


@pytest.mark.slow
def test_stripes_on_walls_are_as_wide_as_suits_the_size_of_creatures() -> None:
    """They were .2 m wide for all: none beside who is .06 m long, a blur beside giants."""
    world = scene("room", "hexapod")
    with Simulation(world) as simulation:
        pose, terrain = buried(pose_of(simulation.snapshot)), simulation.terrain
    counts = []
    with studio_of(world, terrain, (320, 200)) as studio:
        for scale in (1.0, 0.1):
            camera = looking((-4.0, 0.0, 1.0), (-4.4, 0.0, 1.0))
            camera.scale = scale
            column = studio.render(pose, camera)[:, 160].astype(int).sum(axis=1)
            counts.append(int((np.abs(np.diff(column)) > 15).sum()))
    usual, small = counts
    assert 1 <= usual <= 3
    assert 8 * usual <= small <= 12 * (usual + 1)


@pytest.mark.slow
def test_shadows_and_contact_darken_the_ground_under_a_creature() -> None:
    world = scene("meadow", "spider8")
    with Simulation(world) as simulation:
        pose, terrain = pose_of(simulation.snapshot), simulation.terrain
    with studio_of(world, terrain, (320, 200)) as studio:
        shadowed, plain, empty = (
            studio.render(shown, seen_from_above(pose), has_shadows=has_shadows).astype(int)
            for shown, has_shadows in ((pose, True), (pose, False), (buried(pose), False))
        )
    ground = np.abs(plain - empty).max(axis=2) < 60  # not the creature itself
    assert (shadowed - empty)[ground].min() < -25
    darkened = ((plain - empty).max(axis=2) < -6) & ground
    assert 0.003 < darkened.mean() < 0.2


@pytest.mark.slow
def test_far_ground_takes_fewer_triangles_and_looks_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = scene("hills", "hexapod")
    with Simulation(world) as simulation:
        pose, terrain = pose_of(simulation.snapshot), simulation.terrain
    studio = studio_of(world, terrain, (640, 360))
    from creature_sim.view.gl import mesh, plots  # which open a screen unless there is a context

    with studio:
        drawn: list[int] = []
        draw = mesh.Mesh.draw

        def counted(own: Any, firsts: Any, counts: Any) -> None:
            drawn.append(int(counts.sum()))
            draw(own, firsts, counts)

        monkeypatch.setattr(mesh.Mesh, "draw", counted)
        camera = Camera(0.9, 0.3, 6.0)
        camera.follow(pose.creatures[0].position, pose.creatures[0].orientation, 0.0)
        pictures, sums = [], []
        for most in (0.0, plots.MAX_ERROR):
            monkeypatch.setattr(plots, "MAX_ERROR", most)
            drawn.clear()
            pictures.append(studio.render(pose, camera, has_shadows=False).astype(int))
            sums.append(sum(drawn))
    assert sums[1] < 0.5 * sums[0]
    off = np.abs(pictures[1] - pictures[0]).max(axis=2)
    assert off.mean() < 0.5
    assert (off > 25).mean() < 0.002


@pytest.mark.slow
@pytest.mark.parametrize("size", [(0, 10), (10, 0), (100_000, 10), (100_000, 100_000)])
def test_a_picture_of_an_impossible_size_is_one_sentence(size: tuple[int, int]) -> None:
    world = load_world("meadow")
    terrain = build_terrain(world.terrain, world.seed)
    try:
        Studio(world, terrain, (8, 8)).close()
    except DisplayUnavailable as error:
        pytest.skip(str(error))
    with pytest.raises(DisplayUnavailable, match=f"found {size[0]} x {size[1]}$"):
        Studio(world, terrain, size)


PICTURE = """
from creature_sim.errors import DisplayUnavailable
from creature_sim.view.gl.display import open_offscreen
try:
    open_offscreen()
except DisplayUnavailable as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [{"__EGL_VENDOR_LIBRARY_DIRS": "/nowhere"}, {"MESA_GL_VERSION_OVERRIDE": "2.1"}],
    ids=["no EGL", "no OpenGL 3.3"],
)
def test_no_egl_and_an_old_opengl_are_one_sentence(changes: dict[str, str]) -> None:
    run = subprocess.run(
        [sys.executable, "-c", PICTURE],
        env={**os.environ, **changes},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert run.stderr == ""
    if not run.stdout:
        pytest.skip("this OpenGL cannot be hidden")
    assert len(run.stdout.splitlines()) == 1
    assert "OpenGL 3.3" in run.stdout
    assert "libegl1" in run.stdout
