"""`creature-sim verify`, and what other commands say of a replay that is proven."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from creature_sim.cli.app import CUT, ELSEWHERE, MISMATCH, UNREADABLE, Json, app
from creature_sim.cli.progress import progress
from creature_sim.cli.replaying import opened
from creature_sim.cli.workers import MOST_JOBS, Cluster, by_workers, process_count
from creature_sim.errors import DefinitionError, ReplayError, TerrainError

if TYPE_CHECKING:
    from creature_sim.definitions import WorldDef
    from creature_sim.replay import Replay, Verification

MESSAGES = ("input", "event", "pose", "keyframe", "end")
"""Parts of a tick that are not state, but what the file says beside it."""
SEVERITY = (UNREADABLE, MISMATCH, CUT, ELSEWHERE, 0)
"""Exit codes of several files: the worst one counts."""
Files = Annotated[list[Path], typer.Argument(metavar="FILE", help="Replay files.")]
Verify = Annotated[
    bool,
    typer.Option(
        "--verify",
        help="Simulate the replay again first, and write into the result that it was proven; "
        "exit code 1, and nothing written, if it differs.",
    ),
]


@app.command()
def verify(
    files: Files,
    first: Annotated[
        int | None,
        typer.Option("--from", metavar="TICK", help="Begin at the last keyframe up to this tick."),
    ] = None,
    last: Annotated[
        int | None, typer.Option("--to", metavar="TICK", help="End with this tick.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_JOBS,
            metavar="N",
            help="Processes: one file each, or of a single file stretches between keyframes. "
            "Default: 1.",
        ),
    ] = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Simulate replays again and compare every digest, pose, event and keyframe.

    Exit code 0: all proven; 1: one differs; 2: one is unreadable; 3: one cannot be verified here;
    4: one is proven up to some tick and then cut off.
    """
    results, codes = [], {0}
    count = process_count(jobs, cluster, default=1)
    if cluster is None and (count == 1 or len(files) == 1):
        proofs = _one_by_one(files, first, last, count, as_json)
    else:
        proofs = _at_once(files, first, last, count, cluster, as_json)
    for proof in proofs:
        if isinstance(proof, str):
            print(f"error: {proof}", file=sys.stderr)
            codes.add(UNREADABLE)
            continue
        result, world = proof
        results.append(_verification(result))
        if not as_json:
            print_verification(result, world)
        codes.add(code_of(result))
    if as_json:
        print(json.dumps(results))
    raise typer.Exit(next(code for code in SEVERITY if code in codes))


def _one_by_one(
    files: list[Path], first: int | None, last: int | None, jobs: int, as_json: bool
) -> "Iterator[tuple[Verification, WorldDef] | str]":
    """What is said of each file, which processes verify in stretches; text: what is wrong."""
    from creature_sim.lab.files import check_range
    from creature_sim.replay import verify_in_parallel

    for path in files:
        try:
            with opened(path, quiet=True) as found:
                begin, end = check_range(found, first, last)
                with progress(f"verifying {path.name}", end - begin, quiet=as_json) as show:
                    result = verify_in_parallel(found, jobs, first=first, last=last, progress=show)
        except (ReplayError, DefinitionError, TerrainError) as error:
            yield str(error)
            continue
        yield result, found.world


def _at_once(
    files: list[Path],
    first: int | None,
    last: int | None,
    jobs: int,
    cluster: str | None,
    as_json: bool,
) -> "Iterator[tuple[Verification, WorldDef] | str]":
    """What is said of each file, in their order, by workers that take a file each."""
    from creature_sim.cli.references import no_replay
    from creature_sim.lab.files import tasks_of, verify_file

    refused = {path: why for path in files if (why := no_replay(path))}
    there = [path for path in files if path not in refused]
    tasks = tasks_of(there, first=first, last=last)
    found = by_workers("verifying", verify_file, tasks, len(there), jobs, cluster, quiet=as_json)
    for path in files:
        yield refused[path] if path in refused else next(found)


def code_of(result: "Verification") -> int:
    """The exit code of one file."""
    if result.is_cut:
        return CUT
    if result.ok is None:
        return ELSEWHERE
    return 0 if result.ok else MISMATCH


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
        "first": result.first,
        "digest": result.digest,
        "divergence": divergence,
        "is_cut": result.is_cut,
        "reason": result.reason,
    }


def print_verification(result: "Verification", world: "WorldDef") -> None:
    """Print the result of a verification."""
    since = f", from the keyframe of tick {result.first} on" if result.first else ""
    if result.ok:
        print(f"verified: {result.path}: {result.ticks} ticks{since}, every digest is equal")
    elif result.is_cut:
        print(f"cut off: {result.path}: {result.reason}")
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
        what = f"the {where.part} message" if where.part in MESSAGES else f"part {where.part!r}"
        print(f"differs: {result.path}: first at tick {where.tick}, {what}{whose}")


def proven(recording: "Replay") -> str:
    """Simulate a replay again; returns what a picture or a page may say about it.

    Where it is not proven, the command ends as `verify` does.
    """
    from creature_sim.replay import verify as verify_replay

    with progress(f"verifying {recording.path.name}", recording.ticks) as show:
        result = verify_replay(recording, progress=show)
    if result.ok is not True:
        print_verification(result, recording.world)
        raise typer.Exit(code_of(result))
    return f"verified: {result.ticks} ticks"
