"""How every command runs: what it prints is guarded, and a signal ends it with one line."""

import sys
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from creature_sim.cli.signals import Stopped, stoppable
from creature_sim.cli.terminal import guarded
from creature_sim.cli.usage import UsageError, refuse_empty_paths

Context = Any
"""That of click, or of typer's own copy of click: it depends on the version."""
ORDER = (
    *("run", "demo", "new", "list", "check"),
    *("replay", "verify", "info", "score", "trial", "sweep", "results", "tune", "evolve"),
    *("diff", "recover", "trim", "concat"),
    *("render", "export", "world", "bench", "schema", "doctor"),
)
"""Commands in the order in which a new user needs them; others follow."""


class Command(TyperCommand):
    """A command."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the words after the name; an error knows whose they are."""
        try:
            words, _, order = self.make_parser(ctx).parse_args(list(args))
            refuse_empty_paths(words, order)
            return super().parse_args(ctx, args)
        except UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def invoke(self, ctx: Context) -> Any:  # noqa: ANN401 - whatever the function returns
        """Run the command.

        Raises:
            Exit: a signal ended it: its number and 128.
        """
        with guarded():
            try:
                with stoppable():
                    return super().invoke(ctx)
            except Stopped as stop:
                if sys.stderr is not None:
                    begin = "\n" if sys.stderr.isatty() else ""  # a terminal has just shown ^C
                    print(begin, end="", file=sys.stderr)
                    print(f"stopped {stop.done}".rstrip(), file=sys.stderr)
                raise typer.Exit(stop.code) from None


class Group(TyperGroup):
    """Commands below a name; the name alone lists them."""

    def list_commands(self, ctx: Context) -> list[str]:
        """Names of the commands, those that come first in `ORDER` first."""
        names = super().list_commands(ctx)
        return sorted(names, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the words after the name."""
        return super().parse_args(ctx, args or ["--help"])


class App(typer.Typer):
    """An application, or a group of commands, whose commands are all of the kind above."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - typer's own options
        """Make an empty one."""
        super().__init__(cls=Group, pretty_exceptions_enable=False, **options)

    def command(self, name: str | None = None) -> Callable[[Any], Any]:  # type: ignore[override]
        """Make a command of a function."""
        return super().command(name, cls=Command)
