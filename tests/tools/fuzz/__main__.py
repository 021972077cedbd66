"""Tries hostile files for some minutes: `python -m tests.tools.fuzz --minutes 10`."""

import argparse
import faulthandler
import resource
import sys
import tempfile
import time
from pathlib import Path
from random import SystemRandom

from tests.tools.fuzz.run import KINDS, Finding, run

MEMORY = 8 << 30
"""Address space that a case may fill [bytes]: more is a finding, and not the end of the machine."""
STUCK = 900.0
"""After so long in one case the whole run ends and says where: it waits for something [s]."""


def main() -> int:
    """Try cases until the time is over; 1 if something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="for each kind of file")
    parser.add_argument("--only", choices=[*KINDS], help="one kind of file")
    parser.add_argument("--first", type=int, help="number of the first case; otherwise any")
    parser.add_argument("--case", type=int, help="try this case only, and keep its file here")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    kinds = [given.only] if given.only else [*KINDS]
    findings: list[Finding] = []
    for kind in kinds:
        if given.case is not None:
            findings += run(kind, given.case, 1, Path.cwd())[1]
            continue
        number = SystemRandom().randrange(10**9) if given.first is None else given.first
        end, first = time.monotonic() + 60.0 * given.minutes, number
        counts: dict[str, int] = {}
        with tempfile.TemporaryDirectory() as folder:
            while time.monotonic() < end:
                faulthandler.dump_traceback_later(STUCK, exit=True)
                sys.stderr.write(f"\r{kind} {number} ")
                outcomes, found = run(kind, number, 1, Path(folder))
                for outcome in outcomes:
                    counts[outcome] = counts.get(outcome, 0) + 1
                findings += found
                for finding in found:
                    print(f"\n{finding}", flush=True)
                number += 1
        faulthandler.cancel_dump_traceback_later()
        print(f"\n{kind}: {number - first} cases from {first} on: {counts}", flush=True)
    print(f"{len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
