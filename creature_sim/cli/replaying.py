"""`creature-sim verify`, `replay` and `info`."""

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from creature_sim.cli.app import ELSEWHERE, MISMATCH, UNREADABLE, Json, app
from creature_sim.cli.progress import progress
from creature_sim.cli.summary import print_run
from creature_sim.errors import DefinitionError, ReplayError, TerrainError

if TYPE_CHECKING:
    from creature_sim.definitions import WorldDef
    from creature_sim.replay import Replay, Verification

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Replay files.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="A replay file.")]


@app.command()
def verify(files: Files, as_json: Json = False) -> None:
    """Simulate replays again and compare every digest.

    Exit code 0: all proven; 1: one differs; 2: one is unreadable; 3: one cannot be verified here.
    """
    from creature_sim.replay import open_replay
    from creature_sim.replay import verify as verify_replay

    results, code = [], 0
    for path in files:
        try:
            opened = open_replay(path)
            with progress(f"verifying {path.name}", opened.ticks, quiet=as_json) as show:
                result = verify_replay(opened, progress=show)
        except (ReplayError, DefinitionError, TerrainError) as error:
            print(f"error: {error}", file=sys.stderr)
            code = UNREADABLE
            continue
        results.append(_verification(result))
        if not as_json:
            print_verification(result, opened.world)
        if result.ok is False and code != UNREADABLE:
            code = MISMATCH
        elif result.ok is None and code == 0:
            code = ELSEWHERE
    if as_json:
        print(json.dumps(results))
    raise typer.Exit(code)


def _verification(result: "Verification") -> dict[str, object]:
    """One element of `verify --json`."""
    where = result.divergence
    divergence: dict[str, object] | None = None
    if where:
        divergence = {"tick": where.tick, "part": where.part, "creature": where.creature}
        if where.chain is not None:
            divergence["chain"] = where.chain
        if where.prop is not None:
            divergence["prop"] = where.prop
    return {
        "file": str(result.path),
        "ok": result.ok,
        "ticks": result.ticks,
        "digest": result.digest,
        "divergence": divergence,
    }


def print_verification(result: "Verification", world: "WorldDef") -> None:
    """Print the result of a verification."""
    if result.ok:
        print(f"verified: {result.path}: {result.ticks} ticks, every digest is equal")
    elif result.ok is None:
        print(f"cannot be verified here: {result.path}: {result.reason}")
    else:
        where = result.divergence
        assert where
        whose = "" if where.creature is None else f" of creature {where.creature}"
        if where.chain is not None:
            whose = f" of chain {where.chain} ({world.rigs[where.chain].name})"
        if where.prop is not None:
            whose = f" of prop {where.prop} ({world.props[where.prop].shape})"
        print(f"differs: {result.path}: first at tick {where.tick}, part {where.part!r}{whose}")


@app.command()
def replay(
    file: File,
    other: Annotated[
        Path | None,
        typer.Argument(metavar="[OTHER]", help="Another replay on the same ground, drawn over it."),
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
    from creature_sim.replay import open_replay

    opened = open_replay(file)
    if other is not None and (headless or as_json):
        raise DefinitionError("OTHER: expected none with --headless or --json, found one")
    if side_by_side and other is None:
        raise DefinitionError("--side-by-side: expected two replays, found one")
    if not headless:
        from creature_sim.view.open import show_replay

        beside = None if other is None else open_replay(other)
        show_replay(opened, beside, is_beside=side_by_side)
    summary = _replay_summary(opened)
    if as_json:
        print(json.dumps(summary))
    elif headless:
        print_run(summary)


def _replay_summary(opened: "Replay") -> dict[str, Any]:
    """The summary of the recorded poses."""
    from creature_sim.score.summary import Odometer, chain_summary

    begin = time.perf_counter()
    poses = iter(opened.poses)
    pose = next(poses)
    odometer = Odometer(opened.world, list(pose.positions))
    for pose in poses:
        odometer.add(list(pose.positions))
    elapsed = time.perf_counter() - begin
    return {
        "file": str(opened.path),
        "world": opened.world.name,
        "ticks": opened.ticks,
        "seconds": opened.ticks / opened.tick_rate,
        "tick_rate": opened.tick_rate,
        "poses": len(opened.poses),
        "digest": opened.digest,
        "ticks_per_second": round(opened.ticks / max(elapsed, 1e-9), 1),
        "replay": str(opened.path),
        **odometer.summary(),
        **chain_summary(opened.world, pose),
    }


@app.command()
def info(file: File) -> None:
    """Show what is in a replay."""
    from creature_sim.replay import open_replay

    opened = open_replay(file)
    world = opened.world
    names = ", ".join(world.species_of(placement).name for placement in world.creatures)
    rows = {
        "file": f"{file} ({file.stat().st_size / 1024:.0f} kB)",
        "world": f"{world.name} ({world.terrain.kind}, seed {world.seed})",
        **({"creatures": names} if names else {}),
        **({"chains": ", ".join(rig.name for rig in world.rigs)} if world.rigs else {}),
        "length": f"{opened.ticks} ticks at {world.tick_rate} Hz, "
        f"{opened.ticks / world.tick_rate:.1f} s, {len(opened.poses)} poses",
        "digest": opened.digest,
        **opened.metadata,
    }
    for key, value in rows.items():
        print(f"{key + ':':14} {value}")
