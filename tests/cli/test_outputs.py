"""Every JSON document has the keys that docs/outputs.md lists, and no others."""

import json
import re
from collections.abc import Callable, Iterator
from fnmatch import translate
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from creature_sim.lab.sweeps import open_results, read_plan, row, run_sweep
from creature_sim.library.loader import builtin_folder
from tests.commands import sim
from tests.docs.pages import page
from tests.replay.messages import with_field
from tests.replay.test_replay import rewritten
from tests.workers.inline import Inline

CASES: dict[str, list[list[str]]] = {
    "run` and `replay --headless": [
        ["run", "--headless", "--ticks", "3"],
        ["run", "arm", "--headless", "--ticks", "3"],
        ["run", "--creature", "poor.toml", "--headless", "--ticks", "120", "--drive", "forward 2"],
        ["replay", "walk.mcap", "--headless"],
    ],
    "verify": [
        ["verify", "walk.mcap", *(f"other-{name}.mcap" for name in ("walk", "arm", "ferry"))]
    ],
    "info": [["info", "walk.mcap"], ["info", "arm.mcap"]],
    "diff": [["diff", "walk.mcap", "walk.mcap"], ["diff", "walk.mcap", "turn.mcap"]],
    "score": [["score", "walk.mcap"], ["score", "poor.mcap"]],
    "trial": [
        ["trial", "hexapod", "--terrain", "slope,gap", "--difficulty", "1", "--seeds", "1",
         "--jobs", "1"],
    ],
    "sweep": [["sweep", "sweep.toml", "-o", "results", "--jobs", "1", "--force"]],
    "results": [["results", "results", "--by", "seed"]],
    "tune": [
        ["tune", "hexapod", "-o", "better.toml", "--over", "gait.step_height", "--worlds", "meadow",
         "--objective", "objective.toml", "--budget", "2", "--jobs", "1", "--force"],
        ["tune", "poor.toml", "-o", "rich.toml", "--over", "gait.step_height=0.01:0.02", "--worlds",
         "meadow", "--objective", "objective.toml", "--budget", "1", "--jobs", "1", "--force"],
    ],
    "tune --archive": [
        ["tune", "hexapod", "-o", kind, "--archive", kind, "--over", "gait.step_height",
         "--worlds", "meadow", "--objective", "objective.toml", "--budget", "1", "--jobs", "1",
         "--force"]
        for kind in ("legs", "gaits")
    ],
    "evolve": [
        ["evolve", "-o", "bug-2.toml", "--worlds", "meadow", "--objective", "objective.toml",
         "--budget", "1", "--jobs", "1", "--force", "--seed", "2"],
    ],
    "check": [["check", f"{name}.toml"] for name in ("bug", "bad", "poor", "place")],
    "list": [["list"]],
    "world info": [["world", "info", "hills"], ["world", "info", "arm"]],
    "bench view": [["bench", "view"]],
    "bench tick": [["bench", "tick"]],
    "doctor": [["doctor"]],
}  # fmt: skip
SLOW = (
    *("trial", "sweep", "tune", "tune --archive", "evolve", "bench view", "bench tick", "doctor"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Replays that differ in every way, and files."""
    found = tmp_path_factory.mktemp("outputs")

    def change(key: str) -> Callable[[dict[str, Any]], None]:
        def apply(message: dict[str, Any]) -> None:
            parts = message[key][0]
            part = next(iter(parts))
            parts.update({part: "ff" if parts[part] == "00" else "00"})

        return apply

    for name, world, key in (
        ("walk", "meadow", "creatures"),
        ("arm", "arm", "chains"),
        ("ferry", "platforms", "props"),
    ):
        words = ("run", world, "--headless", "--ticks", "8", "--record", f"{name}.mcap")
        assert sim(*words, cwd=found).returncode == 0
        target = found / f"other-{name}.mcap"
        rewritten(found / f"{name}.mcap", target, with_field("/digest", 3, change(key)))
    words = ("run", "meadow", "--headless", "--ticks", "8", "--drive", "left 5")
    assert sim(*words, "--record", "turn.mcap", cwd=found).returncode == 0
    assert sim("new", "creature", "bug", cwd=found).returncode == 0
    assert sim("new", "world", "place", cwd=found).returncode == 0
    (found / "bad.toml").write_text("name = 3\n")
    text = (builtin_folder("creature") / "spider4.toml").read_text()
    text = text.replace("step_height = 0.10", "step_height = 0.01")
    (found / "poor.toml").write_text(text.replace("\nspeed = 0.6", "\nspeed = 0.9"))
    words = ("run", "--creature", "poor.toml", "--headless", "--ticks", "120", "--drive")
    assert sim(*words, "forward 2", "--record", "poor.mcap", cwd=found).returncode == 0
    (found / "sweep.toml").write_text(
        'creatures = ["hexapod"]\nworlds = ["meadow"]\nseconds = 0.1\nseeds = 2\n'
        "creature.motion.speed = [0.5]"
    )
    (found / "objective.toml").write_text(
        'seconds = 1.0\nwalls = ["M1", "M7"]\nheld_out = { worlds = ["slope"], seeds = [1] }\n'
        "terms.M7 = { worst = 0.0, best = 0.2 }"
    )
    plan = read_plan(found / "sweep.toml")
    with open_results(found / "results", plan, found / "sweep.toml") as kept:
        kept.add(0, {"status": "died", "error": "killed"})
        list(run_sweep(plan, kept, Inline()))
    return found


@cache
def listed() -> dict[str, list[str]]:
    """Keys by the heading under which the page lists them."""
    sections = page("docs/outputs.md").text.split("\n## `")[1:]
    return {
        section.split("`\n")[0]: re.findall(r"^\| `([^`]*)` \|", section, re.MULTILINE)
        for section in sections
    }


def paths(value: object, path: str = "") -> Iterator[str]:
    """The paths of everything in a document that is no table, no list of tables, not empty."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield from paths(below, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for below in value:
            yield from paths(below, f"{path}[]")
    elif value != []:
        yield path


_run = row._run


def _runs_or_fails(job: Any, path: Any) -> Any:
    """A run of a sweep; that of the seed 1 fails."""
    if job.world.seed == 1:
        raise ZeroDivisionError("a defect")
    return _run(job, path)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in CASES],
)
def test_the_keys_are_those_of_the_page(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for what, value in (("COUNTS", (1,)), ("FRAMES", 10), ("HERD_FRAMES", 4)):
        monkeypatch.setattr(f"creature_sim.view.bench.{what}", value)
    monkeypatch.setattr("creature_sim.lab.bench.COUNTS", (1,))
    monkeypatch.setattr("creature_sim.lab.bench.tick.TICKS", (2, 2))
    monkeypatch.setattr("creature_sim.workers.processes.Processes", Inline)
    monkeypatch.setattr(row, "_run", _runs_or_fails)
    found: set[str] = set()
    for words in CASES[name]:
        done = sim(*words, "--json", cwd=folder)
        assert done.returncode in (0, 1, 2), done.stderr
        assert done.stderr == ""
        found.update(paths(json.loads(done.stdout)))
    patterns = {key: re.compile(translate(key.replace("[", "[[]"))) for key in listed()[name]}
    unknown = [path for path in found if not any(p.match(path) for p in patterns.values())]
    assert not unknown
    unused = [key for key, p in patterns.items() if not any(p.match(path) for path in found)]
    assert not unused
