"""The root of the command, and what its parts have in common."""

from typing import Annotated

import typer

app = typer.Typer(
    name="creature-sim",
    help="Make invented creatures walk: no animation data, verifiable replays.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

MISMATCH, UNREADABLE, ELSEWHERE, CUT = 1, 2, 3, 4
"""Exit codes: a replay that differs; bad input of any kind; a replay of other kernels, or one that
needs a plugin; a recording that is proven as far as it goes and then cut off."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]
