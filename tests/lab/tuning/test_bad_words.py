"""What cannot be tuned is refused with one message."""

import sys
from pathlib import Path

import pytest

from tests.commands import sim
from tests.lab.tuning.files import written

NOT = ("--worlds", "meadow", "--budget", "2")
BAD = {
    "unknown key": (["--over", "gait.stride_lenght", *NOT], "did you mean stride_length?"),
    "no number": (["--over", "gait.kind", *NOT], "gait.kind: expected a number with a fraction"),
    "a table": (["--over", "gait", *NOT], "gait: expected a number with a fraction"),
    "no value": (["--over", "motion.run_speed", *NOT], "with a fraction, found none"),
    "no place": (["--over", "leg_pairs.7.home.0", *NOT], "expected a position from 0 to 2"),
    "below a number": (["--over", "gait.step_height.x", *NOT], "expected a table or a list at"),
    "no key": (["--over", "motion.speed,", *NOT], "--over: expected keys with commas, found"),
    "no objective": (["--objective", "", *NOT], "--objective: expected a built-in objective"),
    "twice": (["--over", "gait.step_height,gait.step_height", *NOT], "expected each key once"),
    "empty bounds": (
        ["--over", "gait.step_height=0.2:0.1", *NOT],
        "gait.step_height: expected LOW:HIGH, from -10000 to 10000, with LOW below HIGH, found "
        "'0.2:0.1'",
    ),
    "no bounds": (["--over", "gait.step_height=", *NOT], "expected LOW:HIGH"),
    "nothing to go by": (["--over", "motion.bob", *NOT], "motion.bob: expected its bounds"),
    "nothing valid": (
        ["--over", "body.ride_height=3:4", *NOT],
        "expected bounds between which the creature is valid",
    ),
    "no budget": (["--worlds", "meadow", "--budget", "0"], "--budget: expected a number from 1"),
    "bad seed": (["--worlds", "meadow", "--seed", "-1"], "--seed: expected a number from 0"),
    "unknown creature": (None, "expected a built-in creature"),
    "unknown world": (["--worlds", "medow"], "--worlds: expected a built-in world"),
    "nobody walks": (["--worlds", "arm"], "--worlds: expected worlds that a creature can walk in"),
    "no worlds": (["--worlds", "meadow,"], "--worlds: expected names or files with commas"),
    "held out and not": (
        ["--worlds", "meadow", "--held-out", "meadow"],
        "--held-out: expected no world of --worlds, found meadow",
    ),
    "unknown objective": (["--objective", "wlk", *NOT], "did you mean walk?"),
    "both": (["--jobs", "1", "--cluster", "local:1", *NOT], "expected only one of --jobs and"),
    "no cluster": (["--cluster", "tcp:nowhere", *NOT], "--cluster: expected tcp://HOST:PORT"),
    "no folder": (["-o", "no/better.toml", *NOT], "expected a folder to write into, found none"),
    "no toml": (["-o", "better.txt", *NOT], "-o: expected a file that ends with .toml"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", BAD)
def test_bad_words_are_one_message(case: str, tmp_path: Path) -> None:
    words, expected = BAD[case]
    creature = "hexpod" if words is None else "hexapod"
    words = words or [*NOT]
    if "-o" not in words:
        words = [*words, "-o", "better.toml"]
    done = sim("tune", creature, *words, cwd=tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    assert not (tmp_path / "better.toml").exists()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seconds = 2.0", "terms: expected a table, found none"),
        ("[terms]", "terms: expected at least one metric, found none"),
        ("terms.M99 = { worst = 0, best = 1 }", ":1: terms.M99: expected a metric, or one of"),
        ("terms.M7 = { worst = 1.0, best = 1.0 }", "best: expected another value than worst"),
        ("terms.M7 = { worst = 1.0 }", "terms.M7.best: expected a number, found none"),
        ('walls = ["M98"]\nterms.M7 = { worst = 0, best = 1 }', "walls[0]: expected a metric"),
        ('walls = ["speed"]\nterms.speed = { worst = 0, best = 1 }', "walls[0]: expected a metric"),
        ("min_progress = 2.0\nterms.M7 = { worst = 0, best = 1 }", "min_progress: expected"),
        ('drive = "forwrd"\nterms.M7 = { worst = 0, best = 1 }', "drive: "),
    ],
)
def test_bad_objectives_are_refused_with_their_line(
    text: str, expected: str, tmp_path: Path
) -> None:
    written(tmp_path, text)
    done = sim("tune", "hexapod", "-o", "b.toml", "--objective", "quick.toml", *NOT, cwd=tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr
    assert done.stderr.startswith("error: quick.toml")


@pytest.mark.parametrize(
    ("module", "archive"), [("cma", []), ("tomlkit", []), ("ribs", ["--archive", "legs"])]
)
def test_a_missing_extra_says_how_to_install_it(
    module: str, archive: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    done = sim("tune", "hexapod", "-o", "b.toml", *archive, *NOT, cwd=tmp_path)
    assert done.returncode == 2
    assert f"expected the package {module}, found none; pip install 'creature-sim[tune]'" in (
        done.stderr
    )
    assert not list(tmp_path.iterdir())
