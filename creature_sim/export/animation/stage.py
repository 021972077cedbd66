"""A part of a recording as other programs want it: skins, skeletons, keys, ground."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from creature_sim.definitions import PropDef, WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.export.animation.actors import Actor, actors_of
from creature_sim.export.animation.keys import Fineness, Mask, Track, tracks_of
from creature_sim.export.animation.skins import Skin, skin_of
from creature_sim.export.animation.takes import Take
from creature_sim.figures.ground import normals_of
from creature_sim.figures.ground_colours import ground_colours
from creature_sim.figures.patch import Patch, patch_along
from creature_sim.figures.subjects import subject_count, subject_scale
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.replay.playback import JUMP_SPEED
from creature_sim.terrain import build_terrain

FPS = 30.0
MIN_FPS, MAX_FPS = 0.1, 1000.0
ROOTS = {False: 2, True: 0}
"""Nodes of an actor, and of a prop, that stay on the origin."""
MARGIN = 4.0
"""Ground is shown up to this distance from everything that moves, if that is of usual size [m]."""
MAX_PATH = 2000
"""Ticks whose positions say where ground is shown."""


@dataclass(frozen=True)
class Played:
    """An actor with its keys and its skin; those of a kind have the same skin object."""

    actor: Actor
    tracks: list[Track]
    skin: Skin


@dataclass(frozen=True)
class GroundMesh:
    """The ground around the walk.

    Attributes:
        vertices: (V, 3) [m, world].
        normals: (V, 3).
        triangles: (T, 3) counter-clockwise from outside.
        colours: (V, 3) of each vertex, as a screen shows them, 0 to 1.
    """

    vertices: Floats
    normals: Floats
    triangles: np.ndarray[tuple[int, int], np.dtype[np.int64]]
    colours: Floats


@dataclass(frozen=True)
class Stage:
    """All of it.

    Attributes:
        name: of the animation.
        times: of the ticks of the take, (T,) [s].
        rate: ticks per second.
        cast: all who are there.
        ground: around them; None where it is not wanted.
        extras: what the animation says of itself.
    """

    name: str
    times: Floats
    rate: int
    cast: list[Played]
    ground: GroundMesh | None
    extras: Mapping[str, Any] = field(default_factory=dict)


def stage_of(
    world: WorldDef,
    take: Take,
    fps: float | None,
    fineness: Fineness,
    progress: Callable[[int], None] = lambda done: None,
) -> Stage:
    """The stage of a take.

    Args:
        world: of it.
        take: the states.
        fps: frames a second that keys are taken from; None: 30.
        fineness: how far keys may be off between them.
        progress: called with the number of actors done.

    Raises:
        DefinitionError: nobody makes films of so many frames.
    """
    actors = actors_of(world, take)
    shown = frames_of(take, FPS if fps is None else fps)
    ground = _ground_along(world, take, actors)
    low = float(ground.vertices[:, 2].min())
    skins: dict[str, Skin] = {}
    cast = []
    for number, actor in enumerate(actors):
        if actor.kind not in skins:
            skins[actor.kind] = skin_of(actor, max(0.5, float(actor.frames[0, -1, 2]) - low + 0.5))
        tracks = tracks_of(actor, shown, _jumps(actor, take), fineness)
        cast.append(Played(actor, tracks, skins[actor.kind]))
        progress(number + 1)
    return Stage(world.name, take.times, take.rate, cast, ground)


def frames_of(take: Take, fps: float) -> Mask:
    """Which ticks (T,) are frames: those nearest to the times of the frames."""
    if not MIN_FPS <= fps <= MAX_FPS:
        raise DefinitionError(
            f"--fps: expected a number from {MIN_FPS:g} to {MAX_FPS:g}, found {fps:g}"
        )
    times = take.times
    wanted = np.arange(round(times[-1] * fps) + 1) / fps
    after = np.searchsorted(times, wanted).clip(0, len(times) - 1)
    before = (after - 1).clip(0)
    nearest = np.where(wanted - times[before] < times[after] - wanted - 1e-9, before, after)
    found = np.zeros(len(times), np.bool_)
    found[nearest] = True
    return found


def _jumps(actor: Actor, take: Take) -> Mask:
    """Where it comes, goes, or is put elsewhere by the next tick, (T - 1,)."""
    farthest = JUMP_SPEED * np.diff(take.ticks) / take.rate
    body = actor.frames[:, min(2, actor.frames.shape[1] - 1), :3]
    found: Mask = lengths(np.diff(body, axis=0)) > farthest
    return found | (np.diff(actor.is_there.astype(np.int8)) != 0)


def _ground_along(world: WorldDef, take: Take, actors: list[Actor]) -> GroundMesh:
    every = -(-len(take.ticks) // MAX_PATH)
    points = [np.zeros((0, 2))]
    for actor in actors:
        moving = actor.frames[::every, ROOTS[is_prop(actor)] :, :2]
        points.append(moving.reshape(-1, 2))
    scales = [subject_scale(world, subject) for subject in range(subject_count(world))]
    terrain = build_terrain(world.terrain, world.seed)
    return ground_mesh(patch_along(terrain, np.concatenate(points), max(scales, default=1.0), MARGIN))


def ground_mesh(patch: Patch) -> GroundMesh:
    """A patch of ground as a mesh."""
    return GroundMesh(
        patch.vertices,
        normals_of(patch.vertices, patch.triangles, patch.is_edged),
        patch.triangles.astype(np.int64),
        ground_colours(patch),
    )


def is_prop(actor: Actor) -> bool:
    """Whether it is one solid that nothing hangs on."""
    return isinstance(actor.plan, PropDef)
