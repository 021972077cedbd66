"""All commands wired together; each imports late what it needs, so that --help is instant."""

import os
import sys
from typing import NoReturn

from creature_sim.cli import (
    benching,
    defining,
    doctor,
    drawing,
    editing,
    evolving,
    exporting,
    replaying,
    results,
    running,
    scoring,
    surveying,
    sweeping,
    trying,
    tuning,
    verifying,
)
from creature_sim.cli.app import ELSEWHERE, READER_GONE, UNREADABLE, app
from creature_sim.cli.terminal import guarded, one_line
from creature_sim.cli.usage import UsageError, mistake
from creature_sim.errors import CreatureSimError, OutputExists, PluginMissing

__all__ = [
    "app",
    "benching",
    "defining",
    "doctor",
    "drawing",
    "editing",
    "evolving",
    "exporting",
    "main",
    "replaying",
    "results",
    "running",
    "scoring",
    "surveying",
    "sweeping",
    "trying",
    "tuning",
    "verifying",
]


def main() -> None:
    """Run the command; a user's mistake is one message on stderr and exit code 2."""
    try:
        code = app(prog_name="creature-sim", standalone_mode=False)
    except PluginMissing as error:
        _fail(*_lines(error), code=ELSEWHERE)
    except CreatureSimError as error:
        _fail(*_lines(error))
    except UsageError as error:
        _fail(mistake(error), advice=error.ctx and error.ctx.command_path)
    except OSError as error:  # standard output is full or closed
        _say(f"error: expected to write the output, found: {error}")
        os._exit(UNREADABLE)  # the interpreter would try to write it once more
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # click leaves with 1: "it differs"
            sys.exit(READER_GONE)
        raise
    if code:
        sys.exit(code)


def _lines(error: CreatureSimError) -> list[str]:
    """What an error and its notes say, a line for each; a name with newlines has one line, too."""
    text = error.in_shell if isinstance(error, OutputExists) else str(error)
    for word in sys.argv[1:]:
        if "\n" in word:
            text = text.replace(word, one_line(word))
    return [*text.splitlines(), *getattr(error, "__notes__", ())]


def _fail(*lines: str, advice: str | None = None, code: int = UNREADABLE) -> NoReturn:
    """Leave with a message, and the name of the command whose help has more."""
    for line in lines:
        _say(f"error: {line}")
    if advice:
        _say(f"'{advice} --help' explains the command")
    sys.exit(code)


def _say(line: str) -> None:
    """Print a line on stderr, if there is one."""
    if sys.stderr is None:
        return
    try:
        with guarded():
            print(line, file=sys.stderr)
    except OSError:  # it is full or closed; nothing may be left to write to it at the end
        sys.stderr = None
