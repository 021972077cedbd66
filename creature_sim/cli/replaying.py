"""`creature-sim replay` and `info`."""

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from creature_sim.cli.app import Json, app
from creature_sim.cli.summary import counted, print_run
from creature_sim.errors import DefinitionError

if TYPE_CHECKING:
    from creature_sim.replay import Replay
    from creature_sim.replay.solving import Solving

File = Annotated[Path, typer.Argument(metavar="FILE", help="A replay file.")]


def opened(path: Path, *, quiet: bool = False) -> "Replay":
    """A replay; a notice on stderr says if it is cut off, or needs what is not installed."""
    from creature_sim.cli.references import refuse_definition
    from creature_sim.replay import open_replay

    refuse_definition(path)
    found = open_replay(path)
    if found.notice and not quiet:
        print(f"notice: {found.notice}", file=sys.stderr)
    return found


@app.command()
def replay(
    file: File,
    other: Annotated[
        Path | None,
        typer.Argument(metavar="OTHER", help="Another replay on the same ground, drawn over it."),
    ] = None,
    side_by_side: Annotated[
        bool, typer.Option("--side-by-side", help="Draw OTHER in the right half.")
    ] = False,
    headless: Annotated[
        bool, typer.Option("--headless", help="Print a summary instead of opening a window.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Play a replay in a window, with pause, speed and scrubbing."""
    found = opened(file)
    if other is not None and (headless or as_json):
        raise DefinitionError("OTHER: expected none with --headless or --json, found one")
    if side_by_side and other is None:
        raise DefinitionError("--side-by-side: expected two replays, found one")
    if not headless:
        from creature_sim.view.open import show_replay

        beside = None if other is None else opened(other)
        show_replay(found, beside, is_beside=side_by_side)
    summary = _replay_summary(found)
    if as_json:
        print(json.dumps(summary))
    elif headless:
        print_run(summary)


def _replay_summary(found: "Replay") -> dict[str, Any]:
    """The summary of the recorded poses."""
    from creature_sim.score.summary import Odometer, chain_summary

    begin = time.perf_counter()
    poses = iter(found.poses)
    pose = next(poses)
    odometer = Odometer(found.world, list(pose.positions))
    for pose in poses:
        odometer.add(list(pose.positions))
    elapsed = time.perf_counter() - begin
    return {
        "file": str(found.path),
        "world": found.world.name,
        "ticks": found.ticks,
        "seconds": found.ticks / found.tick_rate,
        "tick_rate": found.tick_rate,
        "poses": len(found.poses),
        "digest": found.digest or None,
        "ticks_per_second": round(found.ticks / max(elapsed, 1e-9), 1),
        "replay": None,  # nothing is recorded
        **odometer.summary(),
        **chain_summary(found.world, pose),
    }


@app.command()
def info(file: File, as_json: Json = False) -> None:
    """Show what is in a replay, and how its legs were solved in the first seconds."""
    from creature_sim.replay.solving import solving_of

    found = opened(file, quiet=as_json)
    world = found.world
    if as_json:
        print(json.dumps(_info(found, solving_of(found))))
        return
    names = counted(world.species_of(placement).name for placement in world.creatures)
    solving, keyframes = solving_of(found), len(found.keyframes)
    rows = {
        "file": f"{file} ({file.stat().st_size / 1024:.0f} kB)",
        "world": f"{world.name} ({_ground_of(found)}, seed {world.seed})",
        **({"creatures": names} if names else {}),
        **({"chains": ", ".join(rig.name for rig in world.rigs)} if world.rigs else {}),
        "length": f"{found.ticks} ticks at {world.tick_rate} Hz, "
        f"{found.ticks / world.tick_rate:.1f} s, {len(found.poses)} poses, "
        f"{keyframes} keyframe{'' if keyframes == 1 else 's'}",
        **({"begins": f"at tick {found.first}"} if found.first else {}),
        **({"legs": _solved(solving, world.tick_rate)} if solving else {}),
        **({"digest": found.digest} if found.digest else {}),
        **found.metadata,
    }
    for key, value in rows.items():
        print(f"{key + ':':14} {value}")


def _ground_of(found: "Replay") -> str:
    """The kind of ground of a recording, which may be missing here."""
    return str(json.loads(found.world_bytes)["terrain"]["kind"])


def _solved(solving: "Solving", tick_rate: int) -> str:
    """How legs were solved, in words."""
    return (
        f"{solving.passes:.2f} passes of FABRIK in a tick, {solving.most} at most, "
        f"{100 * solving.laid:.2f} % laid (first {solving.ticks / tick_rate:.3g} s)"
    )


def _info(found: "Replay", solving: "Solving | None") -> dict[str, object]:
    """The document of `info --json`."""
    world = found.world
    return {
        "file": str(found.path),
        "bytes": found.path.stat().st_size,
        "world": world.name,
        "terrain": _ground_of(found),
        "seed": world.seed,
        "creatures": [world.species_of(placement).name for placement in world.creatures],
        "chains": [rig.name for rig in world.rigs],
        "first": found.first,
        "ticks": found.ticks,
        "tick_rate": found.tick_rate,
        "seconds": found.ticks / found.tick_rate,
        "poses": len(found.poses),
        "keyframes": len(found.keyframes),
        "fabrik": None if solving is None else solving._asdict(),
        "digest": found.digest or None,
        "cut": found.cut or None,
        "missing": found.missing or None,
        "metadata": found.metadata,
    }
