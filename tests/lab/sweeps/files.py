"""Sweeps for tests."""

import json
from pathlib import Path
from typing import Any

SMALL = """
creatures = ["hexapod", "spider4"]
worlds = ["meadow"]
seeds = 2
drives = ["forward 1"]
seconds = 0.5
replays = "all"
creature.gait.step_height = [0.05, 0.09]
"""
"""Eight runs of 30 ticks."""


def written(folder: Path, text: str = SMALL, name: str = "sweep.toml") -> Path:
    """A file of a sweep."""
    path = folder / name
    path.write_text(text)
    return path


def rows_of(folder: Path) -> dict[str, dict[str, Any]]:
    """The rows that a folder has, by key, without what the clock says."""
    found = {}
    for line in (folder / "rows.jsonl").read_text().splitlines():
        row = json.loads(line)
        del row["time"]
        found[row["key"]] = row
    return found
