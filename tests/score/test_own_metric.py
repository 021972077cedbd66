"""A metric of one's own: one module in a package of its own, and nothing else, brings it."""

import json
import os
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from subprocess import run

import pytest

from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.replay import record
from creature_sim.score import Metric, Track, load_limits, register, registry, shortfalls, title_of
from tests.commands import COMMAND
from tests.scenes import scene
from tests.score.test_score import failed, scored

MODULE = '''
from creature_sim.score import Metric, Walk, judge, register


@register("hurry", "hurried steps")
def hurry(walk: Walk) -> Metric:
    """Fraction of the stances that last less than 0.05 s."""
    shortest, end = 0.05 * walk.track.tick_rate, len(walk.track.position)
    stances = [(first, last) for _, first, last in walk.track.stances() if 0 < first and last < end]
    count = sum(last - first < shortest for first, last in stances)
    return judge(count / len(stances), 0.1, 0.0, "fraction of stances shorter than 0.05 s")


@register("rise", "highest foot", larger_is_better=True)
def rise(walk: Walk) -> Metric:
    """Highest foot over the ground."""
    return Metric(float(walk.heights.max()), "pass", "highest foot over the ground [m]")
'''


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with an installed distribution, as pip would leave it."""
    folder = tmp_path / "site"
    information = folder / "hurry_metric-1.0.dist-info"
    information.mkdir(parents=True)
    (folder / "hurry_metric.py").write_text(MODULE)
    (information / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: hurry-metric\nVersion: 1.0\n"
    )
    (information / "entry_points.txt").write_text("[creature_sim.metrics]\nhurry = hurry_metric\n")
    return folder


@pytest.fixture
def own_metric(package: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The metric is registered during the test."""
    monkeypatch.setattr(registry, "_METRICS", dict(registry._METRICS))
    monkeypatch.syspath_prepend(package)
    __import__("hurry_metric")
    yield
    del sys.modules["hurry_metric"]


def stuttering(track: Track) -> Track:
    """A foot lifts for two ticks again and again while it should stand."""
    is_swinging = track.is_swinging.copy()
    for leg, first, last in track.stances():
        if last - first > 12:
            is_swinging[first + 2 : first + 4, leg] = True
    return replace(track, is_swinging=is_swinging)


@pytest.mark.slow
@pytest.mark.usefixtures("own_metric")
def test_a_bad_walker_fails_the_metric_of_ones_own() -> None:
    good, bad = scored("hexapod"), scored("hexapod", stuttering)
    assert good["hurry"].verdict != "fail"
    assert bad["hurry"].verdict == "fail"
    assert "hurry" in failed(bad) - failed(good)
    assert list(good)[:2] == ["M1", "M2"]
    assert list(good)[-2:] == ["hurry", "rise"]
    assert title_of("hurry") == "hurried steps"


@pytest.mark.usefixtures("own_metric")
def test_limits_know_it(tmp_path: Path) -> None:
    limits = tmp_path / "limits.toml"
    limits.write_text('hurry = "pass"\nrise = 9.0\n')
    short = shortfalls(scored("hexapod", stuttering), load_limits(limits))
    assert [line.split(":")[0] for line in short] == ["hurry hurried steps", "rise highest foot"]


def test_without_its_package_it_is_unknown(tmp_path: Path) -> None:
    limits = tmp_path / "limits.toml"
    limits.write_text('hurry = "pass"\n')
    with pytest.raises(DefinitionError, match=r"hurry: expected one of M1, .*M9, M10, .*M44$"):
        load_limits(limits)


def test_the_documented_example_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_METRICS", dict(registry._METRICS))
    assert registry.__doc__ is not None
    example = registry.__doc__.split(":\n\n")[1].split("\n\n`Walk`")[0]
    exec(textwrap.dedent(example), {})
    assert "lowest knee" in scored("hexapod")["knee_height"].reason


def test_a_key_is_given_once() -> None:
    with pytest.raises(ValueError, match="'M1'"):
        register("M1", "again")(lambda walk: Metric(0.0, "pass", ""))


def test_a_verdict_comes_with_a_value() -> None:
    for value, verdict in ((None, "pass"), (1.0, "n/a")):
        with pytest.raises(ValueError, match="expected a value"):
            Metric(value, verdict, "")  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_command_scores_by_it(package: Path, tmp_path: Path) -> None:
    world: WorldDef = scene("meadow", "hexapod", driver="forward 3")
    record(world, tmp_path / "walk.mcap", 120)
    (tmp_path / "limits.toml").write_text("rise = 9.0\n")

    def score(*words: str) -> tuple[int, str, str]:
        done = run(
            [*COMMAND, "score", "walk.mcap", *words],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(package)},
            timeout=120,
        )
        return done.returncode, done.stdout, done.stderr

    code, output, errors = score("--json", "--fail-under", "limits.toml")
    assert code == 1, errors
    ((creature,),) = [document["creatures"] for document in json.loads(output)]
    assert set(creature["metrics"]["hurry"]) == {"value", "verdict", "reason"}
    (package / "hurry_metric.py").write_text("1 / 0")
    code, _, errors = score()
    assert code == 2
    assert "expected the plugin 'hurry' (hurry_metric) to load, found ZeroDivisionError" in errors
    assert "Traceback" not in errors
