"""The root of the command, and what its parts have in common."""

from typing import Annotated

import typer

from creature_sim.cli.command import App

app = App(name="creature-sim", add_completion=True)

MISMATCH, UNREADABLE, ELSEWHERE, CUT = 1, 2, 3, 4
"""Exit codes: something differs, failed or is missing; bad input of any kind; a replay of other
kernels, or one that needs a plugin; a recording that is proven as far as it goes and then cut off.
"""
READER_GONE = 141
"""Who reads standard output has gone: as where SIGPIPE ends a program."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]


def _print_version(is_asked: bool) -> None:
    if is_asked:
        from creature_sim import __version__

        print(f"creature-sim {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Make invented creatures walk: no animation data, verifiable replays."""
