"""`creature-sim doctor`."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from creature_sim.cli.app import Json, app

if TYPE_CHECKING:
    from creature_sim.cli.checkup import Check

MISSING = 1
"""Exit code: something that is needed is missing."""


@app.command()
def doctor(as_json: Json = False) -> None:
    """Check what this machine has for simulating and drawing, and say how to get the rest.

    Exit code 0: everything that is needed here works; 1: something is missing.
    """
    from creature_sim.cli.checkup import checkup

    checks = []
    for check in checkup():
        checks.append(check)
        if not as_json:
            _print(check)
    lacking = [check for check in checks if check.is_needed and not check.is_there]
    if as_json:
        print(json.dumps({"ok": not lacking, "checks": [asdict(check) for check in checks]}))
    elif lacking:
        names = ", ".join(check.name for check in lacking)
        print(f"missing: {names}")
        for remedy in dict.fromkeys(check.remedy for check in lacking if check.remedy):
            print(f"  {remedy}")
    else:
        print("everything that is needed is there")
    if lacking:
        raise typer.Exit(MISSING)


def _print(check: "Check") -> None:
    if check.is_there:
        mark, rest = "ok", ""
    else:
        mark = "MISSING" if check.is_needed else "-"
        rest = f"  ({check.remedy})" if check.remedy else ""
    print(f"{mark:8} {check.name:24} {check.found}{rest}")
