"""`creature-sim export`."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from creature_sim.cli.app import Force, app
from creature_sim.cli.references import Climb
from creature_sim.cli.signals import Stopped
from creature_sim.cli.verifying import Verify
from creature_sim.errors import CreatureSimError, DefinitionError

if TYPE_CHECKING:
    from creature_sim.cli.exports import Job


@app.command()
def export(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A replay, a world or a creature: a file, or a built-in name."
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="An animation .glb, .bvh or .usda, a page .html, a scene .mcap, a table .csv "
            "or .parquet, or a robot .xml (MJCF) or .urdf",
        ),
    ],
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S", help="Run a world or a creature so long. Default of creatures: 20."
        ),
    ] = None,
    drive: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help='Who leads it: "forward 5; left 2.5", "wander", "goto X,Y" or "goto X,Y,Z". '
            "Default: the world's; creatures walk ahead.",
        ),
    ] = None,
    start: Annotated[
        float | None, typer.Option("--from", metavar="S", help="Start, in seconds.")
    ] = None,
    end: Annotated[float | None, typer.Option("--to", metavar="S", help="End, in seconds.")] = None,
    fps: Annotated[
        float | None,
        typer.Option(
            metavar="N", help="Frames per second. Default: 30; of loops and tables every tick."
        ),
    ] = None,
    loop: Annotated[
        bool,
        typer.Option("--loop", help="One cycle of a steady walk, which goes on in a circle."),
    ] = False,
    angles: Annotated[
        bool,
        typer.Option(
            "--angles",
            help="A table of the angles of a robot's joints, a row for every tick: .csv, .parquet.",
        ),
    ] = False,
    creature: Annotated[
        str | None,
        typer.Option(
            metavar="N|NAME|FILE",
            help="A number from 0: only this creature, no ground. Else: instead of the world's "
            "creatures.",
        ),
    ] = None,
    climb: Climb = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Write again whenever a file that it is of is saved.")
    ] = False,
    verify: Verify = False,
    force: Force = False,
) -> None:
    """Write a replay or a run for other programs: engines, Blender, browsers, spreadsheets.

    .glb, .bvh and .usda are skeletons that move, the first and the last with skins and ground;
    .html is a page that plays it, .mcap a scene for Foxglove and Lichtblick, .csv and .parquet
    tables of all joints, or with --angles of how a robot's motors turn; .xml and .urdf are a
    creature as a robot, which does not run. A world runs for --seconds; without them its ground is
    written as a mesh, .glb or .usda. A creature walks on level ground.
    """
    from creature_sim.cli.exports import Job, Run
    from creature_sim.export.formats import Choice

    is_number = creature is not None and re.fullmatch(r"[+-]?\d{1,9}", creature)
    choice = Choice(start, end, fps, int(creature or 0) if is_number else None, loop, angles)
    run = Run(seconds, drive, None if is_number else creature, climb)
    job = Job(source, output, choice, run, verify)
    if watch:
        _follow(job, force)
    else:
        job.write(force)


def _follow(job: "Job", force: bool) -> None:
    """Write a file, and again whenever one of those is saved that it is of, until a signal comes.

    A file that is broken then is told, and waited for.
    """
    from creature_sim.files.watched import Watched

    files = job.files()
    if not files:
        raise DefinitionError(f"--watch: expected a file to watch, found the built-in {job.source}")
    watched = Watched(files)
    job.write(force)
    print(f"watching {', '.join(str(path) for path in files)}; Ctrl-C ends it", flush=True)
    try:
        while True:
            watched.wait()
            try:
                watched.take(job.files())
                job.write(force=True)
            except CreatureSimError as error:
                for line in str(error).splitlines():
                    print(f"error: {line}", file=sys.stderr, flush=True)
    except Stopped as stop:
        stop.done = stop.done or f"watching; {job.output} is as it was written last"
        raise
