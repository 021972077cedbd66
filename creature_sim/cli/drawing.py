"""`creature-sim render` and `export`."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from creature_sim.cli.app import Force, app
from creature_sim.cli.progress import progress
from creature_sim.cli.references import world_of
from creature_sim.cli.replaying import File, code_of, opened, print_verification
from creature_sim.cli.signals import Stopped
from creature_sim.errors import DefinitionError
from creature_sim.files.output import check_output

if TYPE_CHECKING:
    from creature_sim.replay import Replay

Verify = Annotated[
    bool,
    typer.Option(
        "--verify",
        help="Simulate the replay again first, and write into the result that it was proven; "
        "exit code 1, and nothing written, if it differs.",
    ),
]


@app.command()
def render(
    file: File,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="OUT", help=".png, .webp, .gif, .apng or .mp4"),
    ],
    camera: Annotated[
        Literal["chase", "orbit", "side", "top"], typer.Option(help="How the camera moves.")
    ] = "chase",
    size: Annotated[
        str, typer.Option(metavar="WxH", help="Size of the picture, 16 to 4096 pixels a side.")
    ] = "1280x720",
    fps: Annotated[
        float | None, typer.Option(metavar="N", help="Frames per second. Default: 30.")
    ] = None,
    start: Annotated[
        float | None, typer.Option("--from", metavar="S", help="Start, in seconds.")
    ] = None,
    end: Annotated[float | None, typer.Option("--to", metavar="S", help="End, in seconds.")] = None,
    at: Annotated[
        float | None, typer.Option(metavar="S", help="Draw one picture, at this second.")
    ] = None,
    sheet: Annotated[
        str | None, typer.Option(metavar="CxR", help="A contact sheet of C columns and R rows.")
    ] = None,
    overlay: Annotated[
        bool, typer.Option("--overlay", help="Draw footholds, homes and the support polygon.")
    ] = False,
    verify: Verify = False,
    force: Force = False,
) -> None:
    """Draw a replay as a picture, an animation, a video or a contact sheet; needs no screen."""
    from creature_sim.export.render import Rendering, Shot

    shot = Shot(
        camera,
        _pair("--size", "1280x720", size),
        fps,
        start,
        end,
        at,
        None if sheet is None else _pair("--sheet", "4x3", sheet),
        overlay,
    )
    recording = opened(file)
    rendering = Rendering(recording, output, shot, force=force)
    proof = _proven(recording) if verify else ""
    try:
        with progress(f"drawing {output.name}", rendering.frame_count, unit="pictures") as show:
            rendering.write(show, proof)
    except Stopped as stop:
        stop.done += "; nothing was written"
        raise
    kind = f"{rendering.frame_count} frames" if rendering.is_film else "a picture"
    print(f"wrote {output}: {kind}, {_kilobytes(output)}")


@app.command()
def export(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A replay file; or a world, for its ground.")
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="An animation .glb, .bvh or .usda, a page .html, a scene .mcap, or a table .csv "
            "or .parquet",
        ),
    ],
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
    creature: Annotated[
        int | None,
        typer.Option(metavar="N", help="Only this creature, by its number from 0; no ground."),
    ] = None,
    verify: Verify = False,
    force: Force = False,
) -> None:
    """Write a replay for other programs: game engines, Blender, browsers, spreadsheets.

    .glb, .bvh and .usda are skeletons that move, the first and the last with skins and ground;
    .html is a page that plays it, .mcap a scene for Foxglove and Lichtblick, .csv and .parquet
    tables of all joints. A world instead of a replay gives its ground as a mesh: .glb or .usda.
    """
    from creature_sim.export.formats import Choice, format_of, ground_writer, write_export

    choice = Choice(start, end, fps, creature, loop)
    if file.suffix.lower() == ".toml" or not (file.suffix or file.exists()):
        if choice.options or verify:
            option = next(iter((*choice.options, "--verify")))
            raise DefinitionError(f"{option}: expected a replay, found the world {file}")
        write = ground_writer(output)
        check_output(output, force)
        write(world_of(str(file)), output, force)
        print(f"wrote {output}: {_kilobytes(output)}; its ground")
        return
    hint = format_of(output, choice).hint
    check_output(output, force)
    recording = opened(file)
    proof = _proven(recording) if verify else ""
    try:
        with progress(f"writing {output.name}", recording.ticks) as show:
            notice = write_export(
                recording, output, proof=proof, force=force, progress=show, choice=choice
            )
    except Stopped as stop:
        stop.done = f"while writing {output.name}; nothing was written"
        raise
    if notice:
        print(f"notice: {notice}", file=sys.stderr)
    print(f"wrote {output}: {_kilobytes(output)}; {hint}")


def _proven(recording: "Replay") -> str:
    """Simulate a replay again; returns what a picture or a page may say about it.

    Where it is not proven, the command ends as `verify` does.
    """
    from creature_sim.replay import verify

    with progress(f"verifying {recording.path.name}", recording.ticks) as show:
        result = verify(recording, progress=show)
    if result.ok is not True:
        print_verification(result, recording.world)
        raise typer.Exit(code_of(result))
    return f"verified: {result.ticks} ticks"


def _pair(option: str, example: str, text: str) -> tuple[int, int]:
    """Two whole numbers with an x between them."""
    found = re.fullmatch(r"(\d{1,9})x(\d{1,9})", text)
    if not found or not int(found[1]) * int(found[2]):
        raise DefinitionError(
            f"{option}: expected two whole numbers above 0, like {example}, found {text!r}"
        )
    return int(found[1]), int(found[2])


def _kilobytes(path: Path) -> str:
    return f"{path.stat().st_size / 1000:,.0f} kB"
