"""`creature-sim recover`, `diff`, `trim` and `concat`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from creature_sim.cli.app import MISMATCH, Force, Json, app
from creature_sim.cli.progress import progress
from creature_sim.cli.replaying import File, opened
from creature_sim.errors import DefinitionError

if TYPE_CHECKING:
    from creature_sim.replay import Difference, Replay

TIME = "M21"
"""The metric that measures time differs between runs of the same recording."""
Output = Annotated[
    Path, typer.Option("-o", "--output", metavar="OUT", help="The new replay (.mcap).")
]


def _check(files: list[Path], output: Path, force: bool) -> None:
    """Refuse a new replay that could not be written, is not named as one, or is of `files`."""
    from creature_sim.files.output import check_apart, check_name, check_output

    check_output(output, force)
    check_name("-o", output, [".mcap"])
    check_apart(output, files, "the recording")


@app.command()
def recover(file: File, output: Output, force: Force = False) -> None:
    """Save all that can be read of a recording that was cut off or damaged.

    Every unbroken run of ticks becomes a replay of its own: OUT, and OUT with -2, -3, ... before
    its end. Each later one begins at a keyframe.
    """
    from creature_sim.cli.references import refuse_definition
    from creature_sim.replay import recover as recover_replay

    _check([file], output, force)
    refuse_definition(file)
    found = recover_replay(file, output, force=force)
    print(f"damage: {found.damage or 'none'}")
    for gap in found.lost:
        print(f"lost: ticks {gap[0]} to {gap[1]}")
    for saved in found.files:
        print(f"saved: ticks {saved.first} to {saved.last} in {saved.path}")


@app.command()
def trim(
    file: File,
    output: Output,
    first: Annotated[
        int | None, typer.Option("--from", metavar="TICK", help="The tick to begin with.")
    ] = None,
    last: Annotated[
        int | None, typer.Option("--to", metavar="TICK", help="The tick to end with.")
    ] = None,
    force: Force = False,
) -> None:
    """Write some ticks of a replay into a file of their own, with the state they begin with."""
    from creature_sim.replay import trim as trim_replay

    _check([file], output, force)
    found = opened(file)
    begin = found.first if first is None else first
    end = found.last if last is None else last
    try:
        trim_replay(found, output, begin, end, force=force)
    except ValueError as error:
        raise DefinitionError(f"{file}: --from, --to: {error}") from None
    print(f"ticks {begin} to {end} are in {output}")


@app.command()
def concat(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Parts of a recording, in their order.")
    ],
    output: Output,
    force: Force = False,
) -> None:
    """Join replays of which each goes on where the one before it ends: what `trim` cut apart."""
    from creature_sim.replay import concat as concat_replays

    if len(files) < 2:
        raise DefinitionError("FILE: expected two files or more, found one")
    _check(files, output, force)
    replays = [opened(path) for path in files]
    concat_replays(replays, output, force=force)
    print(f"ticks {replays[0].first} to {replays[-1].last} are in {output}")


@app.command()
def diff(
    file: File,
    other: Annotated[Path, typer.Argument(metavar="OTHER", help="Another replay.")],
    as_json: Json = False,
) -> None:
    """Show where two replays part: in their worlds, inputs, states and scores.

    Exit code 0: they are the same run; 1: they are not.
    """
    from creature_sim.replay import diff as diff_replays

    with opened(file, quiet=as_json) as a, opened(other, quiet=as_json) as b:
        found = diff_replays(a, b)
        scores = None if found.is_equal or found.note else _scores(a, b, quiet=as_json)
    kinds = {"world": found.world, "inputs": found.inputs, "state": found.states}
    if as_json:
        document: dict[str, Any] = {"equal": found.is_equal}
        document |= {"first": list(found.first), "ticks": list(found.ticks)}
        document |= {kind: where and asdict(where) for kind, where in kinds.items()}
        document |= {"scores": scores, "note": found.note}
        print(json.dumps(document))
    else:
        if found.is_equal:
            print(f"equal: {a.ticks} ticks")
        for kind, where in kinds.items():
            print(f"{kind + ':':8} {_told(where)}")
        if found.first[0] != found.first[1]:
            print(f"begins:  tick {found.first[0]}, tick {found.first[1]}")
        if found.ticks[0] != found.ticks[1]:
            print(f"length:  {found.ticks[0]} ticks, {found.ticks[1]} ticks")
        for row in scores or ():
            one, two = ("n/a" if row[key] is None else row[key] for key in ("a", "b"))
            print(f"score:   creature {row['creature']} {row['metric']}: {one}, {two}")
        if found.note:
            print(f"note:    {found.note}")
    raise typer.Exit(0 if found.is_equal else MISMATCH)


def _told(where: "Difference | None") -> str:
    """A difference as a line."""
    if where is None:
        return "no difference"
    tick = "" if where.tick is None else f"tick {where.tick}, "
    owner = f"{where.owner}, " if where.owner else ""
    return f"{tick}{owner}{where.where}: {_short(where.a)}, {_short(where.b)}"


def _short(value: object) -> str:
    """A value that fits on a line."""
    text = json.dumps(value)
    return text if len(text) <= 200 else f"{text[:197]}..."


def _scores(a: "Replay", b: "Replay", *, quiet: bool) -> list[dict[str, object]]:
    """Metrics of creatures that both have, where they differ."""
    from creature_sim.score import score_run

    found = []
    for replay in (a, b):
        with (
            replay.simulation() as simulation,
            progress(f"scoring {replay.path.name}", replay.ticks, quiet=quiet) as show,
        ):
            found.append([metrics for _, metrics in score_run(simulation, replay.inputs, show)])
    rows: list[dict[str, object]] = []
    for number, (one, other) in enumerate(zip(*found, strict=False)):
        for key in one:
            x, y = one[key].value, other[key].value
            if x != y and key != TIME:
                rows.append({"creature": number, "metric": key, "a": x, "b": y})
    return rows
