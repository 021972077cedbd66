"""A skeleton and its run as Biovision Hierarchy, `.bvh`: Y up, metres, degrees.

The format has one root, and no turn at rest: bones point where they point in the rest pose, with
all turns 0. The root moves and turns, all others turn. Every joint has the name of its node; what
ends in nothing has an `End Site` a little beyond it, since readers drop bones without a length.
"""

from collections.abc import Iterator

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.export.animation.actors import TRUNK, Actor, actors_of, the_creature
from creature_sim.export.animation.gltf import upright, upright_turns
from creature_sim.export.animation.loops import ROOT
from creature_sim.export.animation.skeletons import Skeleton
from creature_sim.export.animation.stage import FPS, is_prop
from creature_sim.export.animation.takes import Take
from creature_sim.export.animation.turns import inverse, multiplied
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices

MOVES = "Xposition Yposition Zposition"
TURNS = "Zrotation Xrotation Yrotation"
BEYOND = 0.1
"""An end lies beyond its joint by this part of the way there from the joint before."""


def bvh_of(world: WorldDef, take: Take, creature: int | None, fps: float | None) -> bytes:
    """The run of one creature, chain or tree.

    Args:
        world: of the take.
        take: the states.
        creature: number of the creature; None: the only creature, chain or tree there is.
        fps: frames a second, which divide the ticks a second; None: 30, or all ticks.

    Raises:
        DefinitionError: there are several, or frames lie between ticks.
    """
    if creature is None:
        actors = [actor for actor in actors_of(world, take) if not is_prop(actor)]
    else:
        actors = [the_creature(world, take, creature)]
    if len(actors) != 1:
        raise DefinitionError(
            "--creature: expected the number of one creature, for a .bvh holds one skeleton, "
            f"found {len(actors)} creatures, chains and trees"
        )
    (actor,) = actors
    every = _ticks_per_frame(take, fps)
    there = np.flatnonzero(actor.is_there)
    first = int(there[0])
    gone = np.flatnonzero(~actor.is_there[first:])
    last = first + int(gone[0]) if len(gone) else len(actor.frames)
    chosen = [int(found) for found in _frame_indices(take, first, last, every)]
    return _text(actor, TRUNK if actor.skeleton.feet else 1, chosen, every / take.rate).encode()


def loop_bvh(actor: Actor, rate: int, fps: float | None) -> bytes:
    """One cycle: the way is that of the root, the body moves against it.

    Args:
        actor: all ticks of the cycle; the last one is the first one again.
        rate: ticks a second.
        fps: frames a second, which divide these, and the cycle; None: all ticks.

    Raises:
        DefinitionError: frames lie between ticks, or none on the last one.
    """
    every, last = _whole_ticks(rate, fps or rate, 1), len(actor.frames) - 1
    if last % every:
        raise DefinitionError(
            f"--fps: expected frames that end with the cycle of {last} ticks, of which there are "
            f"{rate} a second, found {fps:g}"
        )
    return _text(actor, ROOT, list(range(0, last + 1, every)), every / rate).encode()


def _ticks_per_frame(take: Take, fps: float | None) -> int:
    """Frames of the format have one length, so they lie on ticks."""
    spacing = int(np.diff(take.ticks).min(initial=take.rate))  # of recorded poses it is 2 and more
    if fps is None:
        every = round(take.rate / FPS)
        return every if every * FPS == take.rate and every % spacing == 0 else spacing
    return _whole_ticks(take.rate, fps, spacing)


def _whole_ticks(rate: int, fps: float, spacing: int) -> int:
    """Ticks of a frame, a multiple of the spacing of those that are there."""
    every = round(rate / fps) if fps > 0.0 else 0
    if every < 1 or abs(every * fps - rate) > 1e-9 * rate or every % spacing:
        raise DefinitionError(
            f"--fps: expected {rate // spacing} divided by a whole number, so that the frames "
            f"of a .bvh lie on recorded ticks, found {fps:g}"
        )
    return every


def _frame_indices(take: Take, first: int, last: int, every: int) -> Iterator[int]:
    """Indices of the ticks that are frames, from `first` on and before `last`."""
    known = {int(tick): index for index, tick in enumerate(take.ticks)}
    for tick in range(int(take.ticks[first]), int(take.ticks[last - 1]) + 1, every):
        if tick not in known:
            raise DefinitionError(f"--fps: expected a recorded pose at tick {tick}, found none")
        yield known[tick]


def _text(actor: Actor, root: int, chosen: list[int], seconds: float) -> str:
    """A file.

    Args:
        actor: whose bones are written.
        root: index of the one that all others hang on.
        chosen: indices of the ticks that are frames.
        seconds: between them.
    """
    skeleton = actor.skeleton
    children: list[list[int]] = [[] for _ in skeleton.names]
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0:
            children[parent].append(bone)
    rest = upright(actor.rest[:, :3])
    lines, order = ["HIERARCHY"], []

    def add(bone: int, depth: int) -> None:
        tab, parent = "\t" * depth, skeleton.parents[bone]
        offset = np.zeros(3) if bone == root else rest[bone] - rest[parent]
        kind = "ROOT" if bone == root else "JOINT"
        is_moving = bone in _moving(skeleton, root)
        channels = f"6 {MOVES} {TURNS}" if is_moving else f"3 {TURNS}"
        lines.extend(
            (
                f"{tab}{kind} {skeleton.names[bone]}",
                f"{tab}{{",
                f"{tab}\tOFFSET {_numbers(offset)}",
                f"{tab}\tCHANNELS {channels}",
            )
        )
        order.append(bone)
        for child in children[bone]:
            add(child, depth + 1)
        if not children[bone]:
            end = BEYOND * (rest[bone] - rest[parent])
            lines.extend((f"{tab}\tEnd Site", f"{tab}\t{{", f"{tab}\t\tOFFSET {_numbers(end)}"))
            lines.append(f"{tab}\t}}")
        lines.append(f"{tab}}}")

    add(root, 0)
    columns = list(_columns(actor, root, order, chosen))
    lines += ["MOTION", f"Frames: {len(chosen)}", f"Frame Time: {seconds:.9f}"]
    lines += [_numbers(row) for row in np.hstack(columns)]
    return "\n".join(lines) + "\n"


def _moving(skeleton: Skeleton, root: int) -> tuple[int, ...]:
    """The bones that move against what they hang on: the root, and the body on that of a loop."""
    return (root, TRUNK) if skeleton.feet and root == ROOT else (root,)


def _columns(actor: Actor, root: int, order: list[int], chosen: list[int]) -> Iterator[Floats]:
    """The channels of each bone, in their order, (F, 3) or (F, 6)."""
    frames = actor.frames[chosen]
    since = multiplied(frames[..., 3:], inverse(actor.rest[:, 3:]))  # turns since the rest pose
    for bone in order:
        parent = actor.skeleton.parents[bone]
        turns, moved = since[:, bone], frames[:, bone, :3]
        if bone != root:
            turns = multiplied(inverse(since[:, parent]), turns)
            back = rotation_matrices(inverse(since[:, parent]))
            moved = np.einsum("fij,fj->fi", back, moved - frames[:, parent, :3])
        if bone in _moving(actor.skeleton, root):
            yield upright(moved)
        yield _angles(upright_turns(turns))


def _angles(turns: Floats) -> Floats:
    """Angles (F, 3) about Z, then the new X, then the new Y, without jumps [degrees]."""
    m = rotation_matrices(turns)
    x = np.arcsin(np.clip(m[:, 2, 1], -1.0, 1.0))
    z = np.arctan2(-m[:, 0, 1], m[:, 1, 1])
    y = np.arctan2(-m[:, 2, 0], m[:, 2, 2])
    is_locked = np.abs(m[:, 2, 1]) > 1.0 - 1e-12  # only z and y together are known
    z = np.where(is_locked, np.arctan2(m[:, 1, 0], m[:, 0, 0]), z)
    y = np.where(is_locked, 0.0, y)
    found: Floats = np.degrees(np.unwrap(np.stack((z, x, y), axis=-1), axis=0))
    return found


def _numbers(values: Floats) -> str:
    return " ".join(f"{value:.7f}" for value in (np.asarray(values) + 0.0).tolist())
