"""The command `creature-sim`: wires everything, imports late so that --help is instant."""

import sys

from creature_sim.cli import defining, replaying, running, scoring
from creature_sim.cli.app import UNREADABLE, app
from creature_sim.errors import CreatureSimError

__all__ = ["app", "defining", "main", "replaying", "running", "scoring"]


def main() -> None:
    """Run the command; a user's mistake is one message on stderr and exit code 2."""
    try:
        app()
    except CreatureSimError as error:
        for line in str(error).splitlines():
            print(f"error: {line}", file=sys.stderr)
        sys.exit(UNREADABLE)
    except BrokenPipeError:  # the reader of our output has left
        sys.stderr.close()
        sys.exit(141)
