"""The command `creature-sim`: wires everything, imports late so that --help is instant."""

import os
import sys

from creature_sim.cli import (
    benching,
    defining,
    doctor,
    drawing,
    editing,
    replaying,
    running,
    scoring,
    surveying,
    trying,
)
from creature_sim.cli.app import UNREADABLE, app
from creature_sim.errors import CreatureSimError

__all__ = [
    "app",
    "benching",
    "defining",
    "doctor",
    "drawing",
    "editing",
    "main",
    "replaying",
    "running",
    "scoring",
    "surveying",
    "trying",
]


def main() -> None:
    """Run the command; a user's mistake is one message on stderr and exit code 2."""
    try:
        app()
    except CreatureSimError as error:
        for line in str(error).splitlines():
            print(f"error: {line}", file=sys.stderr)
        sys.exit(UNREADABLE)
    except OSError as error:  # standard output is full or closed
        if sys.stderr is not None:
            print(f"error: expected to write the output, found: {error}", file=sys.stderr)
        os._exit(UNREADABLE)  # the interpreter would try to write it once more
