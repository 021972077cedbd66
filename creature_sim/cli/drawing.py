"""`creature-sim render`."""

import re
from pathlib import Path
from typing import Annotated, Literal

import typer

from creature_sim.cli.app import Force, app
from creature_sim.cli.progress import progress
from creature_sim.cli.replaying import File, opened
from creature_sim.cli.signals import Stopped
from creature_sim.cli.verifying import Verify, proven
from creature_sim.errors import DefinitionError


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
    proof = proven(recording) if verify else ""
    try:
        with progress(f"drawing {output.name}", rendering.frame_count, unit="pictures") as show:
            rendering.write(show, proof)
    except Stopped as stop:
        stop.done += "; nothing was written"
        raise
    frames = "frame" if rendering.frame_count == 1 else "frames"
    kind = f"{rendering.frame_count} {frames}" if rendering.is_film else "a picture"
    print(f"wrote {output}: {kind}, {kilobytes(output)}")


def _pair(option: str, example: str, text: str) -> tuple[int, int]:
    """Two whole numbers with an x between them."""
    found = re.fullmatch(r"(\d{1,9})x(\d{1,9})", text)
    if not found or not int(found[1]) * int(found[2]):
        raise DefinitionError(
            f"{option}: expected two whole numbers above 0, like {example}, found {text!r}"
        )
    return int(found[1]), int(found[2])


def kilobytes(path: Path) -> str:
    """The size of a file."""
    return f"{path.stat().st_size / 1000:,.0f} kB"
