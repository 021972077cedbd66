"""The command's root, and what its parts share."""

from typing import Annotated

import typer

app = typer.Typer(
    name="creature-sim",
    help="Make invented creatures walk: no animation data, verifiable replays.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

MISMATCH, UNREADABLE, ELSEWHERE = 1, 2, 3
"""Exit codes: a replay that differs; bad input of any kind; a replay of other kernels."""

Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout, nothing else.")]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]
