"""A part of a recording as other programs want it: skins, skeletons, keys, ground."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from creature_sim.definitions import PropDef, WorldDef
from creature_sim.export.animation.actors import TRUNK, Actor, actors_of, the_creature
from creature_sim.export.animation.keys import FINE, Mask, Track, tracks_of
from creature_sim.export.animation.loops import loop_of, orders_of
from creature_sim.export.animation.skin import Skin
from creature_sim.export.animation.skins import skin_of
from creature_sim.export.animation.takes import Take
from creature_sim.export.moments import MAX_FPS, checked_fps
from creature_sim.figures.ground import normals_of
from creature_sim.figures.ground_colours import ground_colours
from creature_sim.figures.patch import Patch, patch_along
from creature_sim.figures.subjects import subject_count, subject_scale
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.replay import Replay
from creature_sim.replay.playback import JUMP_SPEED
from creature_sim.terrain import build_terrain

FPS = 30.0
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
        is_loop: whether it is a cycle, whose way is carried by a root.
    """

    name: str
    times: Floats
    rate: int
    cast: list[Played]
    ground: GroundMesh | None
    extras: Mapping[str, Any] = field(default_factory=dict)
    is_loop: bool = False


def stage_of(
    world: WorldDef,
    take: Take,
    fps: float | None = None,
    creature: int | None = None,
) -> Stage:
    """The stage of a take.

    Args:
        world: of it.
        take: the states.
        fps: frames a second that keys are taken from; None: 30.
        creature: number of the only one that is wanted, without ground; None: all.

    Raises:
        DefinitionError: nobody makes films of so many frames.
    """
    shown = frames_of(take.times, FPS if fps is None else fps)
    only = None if creature is None else the_creature(world, take, creature)
    actors = [only] if only else actors_of(world, take)
    ground = _ground_along(world, take, actors) if creature is None else None
    low = 0.0 if ground is None else float(ground.vertices[:, 2].min())
    skins: dict[str, Skin] = {}
    cast = []
    for actor in actors:
        if actor.kind not in skins:
            skins[actor.kind] = skin_of(actor, max(0.5, float(actor.frames[0, -1, 2]) - low))
        tracks = tracks_of(actor, shown, _jumps(actor, take), FINE)
        cast.append(Played(actor, tracks, skins[actor.kind]))
    return Stage(world.name, take.times, take.rate, cast, ground)


def looped_stage(replay: Replay, take: Take, creature: int, fps: float | None) -> Stage:
    """The stage of one cycle of a creature's walk.

    Args:
        replay: the recording that the take is of.
        take: the states of all ticks of a part of it.
        creature: number of the creature.
        fps: frames a second that keys are taken from; None: every tick.

    Raises:
        DefinitionError: its walk does not repeat itself, or of `fps`.
    """
    orders = orders_of(replay, creature, take.ticks)
    loop = loop_of(the_creature(replay.world, take, creature), take.rate, orders)
    times = take.times[loop.first : loop.last + 1] - take.times[loop.first]
    shown = frames_of(times, min(take.rate, MAX_FPS) if fps is None else fps)
    tracks = tracks_of(loop.actor, shown, np.zeros(len(times) - 1, np.bool_), FINE)
    cast = [Played(loop.actor, tracks, skin_of(loop.actor))]
    return Stage("walk", times, take.rate, cast, None, loop.extras, is_loop=True)


def frames_of(times: Floats, fps: float) -> Mask:
    """Which ticks, at times (T,) [s], are frames: those nearest to the times of the frames."""
    checked_fps(fps)
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
    body = actor.frames[:, min(TRUNK, actor.frames.shape[1] - 1), :3]
    found: Mask = lengths(np.diff(body, axis=0)) > farthest
    found |= actor.is_there[1:] != actor.is_there[:-1]
    return found


def _ground_along(world: WorldDef, take: Take, actors: list[Actor]) -> GroundMesh:
    every = -(-len(take.ticks) // MAX_PATH)
    points = []
    for actor in actors:
        first = 0 if is_prop(actor) else TRUNK  # those before it stay on the origin
        points.append(actor.frames[::every, first:, :2].reshape(-1, 2))
    points = points or [np.zeros((1, 2))]
    scales = [subject_scale(world, subject) for subject in range(subject_count(world))]
    terrain = build_terrain(world.terrain, world.seed)
    return ground_mesh(
        patch_along(terrain, np.concatenate(points), max(scales, default=1.0), MARGIN)
    )


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
