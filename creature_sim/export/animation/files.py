"""Runs as animations in files, `.glb`, `.bvh`, `.usda`, and grounds as meshes in some of them."""

from collections.abc import Mapping
from pathlib import Path

from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError, OutputError
from creature_sim.export.animation.ground import ground_of
from creature_sim.export.animation.stage import looped_stage, stage_of
from creature_sim.export.animation.takes import Take, take_of
from creature_sim.export.formats import Choice, Progress
from creature_sim.export.moments import checked_fps
from creature_sim.files.output import check_output, write_output
from creature_sim.replay import Replay


def write_animation(
    replay: Replay,
    path: Path,
    about: Mapping[str, str],
    choice: Choice,
    force: bool,
    progress: Progress,
) -> str:
    """Write a part of a run in the format of a file's name.

    Args:
        replay: the run; it is simulated again, or else its poses are taken.
        path: of the file.
        about: what the file says of the recording.
        choice: which part of it.
        force: whether another file may be replaced.
        progress: called with the number of ticks done.

    Returns:
        Why the states are not exact; nothing if they are.

    Raises:
        DefinitionError: the recording has nothing of what was chosen.
        OutputError: the file exists or cannot be written.
    """
    check_output(path, force)
    if choice.fps is not None:
        checked_fps(choice.fps)
    count = len(replay.world.creatures)
    if choice.creature is not None and not 0 <= choice.creature < count:
        raise DefinitionError(
            f"--creature: expected the number of a creature, 0 to {count - 1}, "
            f"found {choice.creature}"
            if count
            else f"--creature: expected none, for there are no creatures, found {choice.creature}"
        )
    take = take_of(replay, choice.start, choice.end, progress)
    data, beside = _bytes_of(replay, take, path, about, choice)
    for name in beside:
        check_output(path.with_name(name), force)
    for name, picture in beside.items():
        write_output(path.with_name(name), picture, force)
    write_output(path, data, force)
    return take.notice


def _bytes_of(
    replay: Replay, take: Take, path: Path, about: Mapping[str, str], choice: Choice
) -> tuple[bytes, dict[str, bytes]]:
    """A file, and those that lie beside it, by their names."""
    kind = path.suffix.lower()
    if kind == ".bvh" and not choice.is_loop:
        from creature_sim.export.animation.bvh import bvh_of

        return bvh_of(replay.world, take, choice.creature, choice.fps), {}
    if choice.is_loop:
        if take.notice:
            raise DefinitionError(
                f"--loop: expected the states of all ticks, found that {take.notice}"
            )
        stage = looped_stage(replay, take, _the_only(take, choice.creature), choice.fps)
    else:
        stage = stage_of(replay.world, take, choice.fps, creature=choice.creature)
    if kind == ".bvh":
        from creature_sim.export.animation.bvh import loop_bvh

        return loop_bvh(stage.cast[0].actor, take.rate, choice.fps), {}
    if kind == ".usda":
        from creature_sim.export.animation.usd import usda_of

        return usda_of(stage, about, path.stem)
    from creature_sim.export.animation.gltf import glb_of

    try:
        return glb_of(stage, about), {}
    except ValueError as error:
        raise OutputError(
            f"{path}: expected an animation of less than 4 GB, found {error}: take a shorter range "
            "(--from, --to)"
        ) from None


def _the_only(take: Take, creature: int | None) -> int:
    """The number of the creature that was chosen, or of the only one; there must be one."""
    if creature is None and len(take.creatures) == 1:
        (creature,) = take.creatures
    if creature is None or creature not in take.creatures:
        found = len(take.creatures) if creature is None else "that it is not there"
        raise DefinitionError(
            f"--creature: expected the number of one creature, whose cycle is wanted, found {found}"
        )
    return creature


def write_ground(world: WorldDef, path: Path, force: bool) -> None:
    """Write the ground of a world as a mesh.

    Raises:
        OutputError: the file exists or cannot be written.
    """
    check_output(path, force)
    ground, about = ground_of(world), {"world": world.name}
    if path.suffix.lower() == ".usda":
        from creature_sim.export.animation.usd import ground_usda

        write_output(path, ground_usda(ground, about), force)
        return
    from creature_sim.export.animation.gltf import ground_glb

    write_output(path, ground_glb(ground, about), force)
