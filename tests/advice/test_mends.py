"""Loops of advice: a key is spoilt, `score` says what mends it, and then the metric passes."""

import json
import tomllib
from functools import cache
from pathlib import Path

import pytest

from creature_sim.advice import Advice, Pace, mends_of, mends_text
from creature_sim.definitions import CreatureDef
from creature_sim.drivers import make_driver
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import builtin_folder, load_world
from creature_sim.library.variants import with_creature
from creature_sim.score import Metric, Surface, Walk, score_track, tracks
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.advice.spoiling import LONG_LEGS, followed, spoilt
from tests.commands import sim
from tests.marks import sample_of

DRIVE = "forward 8; forward left 3; stop 3"
SECONDS = 14


class States:
    """A sink that keeps the states of a run."""

    def __init__(self, first: Snapshot) -> None:
        """Begin with that of tick 0."""
        self.kept = [first]

    def write(self, given: Input, snapshot: Snapshot) -> None:
        """Take a tick."""
        del given
        self.kept.append(snapshot)


def scored(
    creature: CreatureDef,
    world: str = "meadow",
    tick_rate: int = 60,
    events: int = 0,
    drive: str = DRIVE,
) -> tuple[dict[str, Metric], dict[str, list[Advice]], list[str]]:
    """Metrics, mends and causes of slowness of a walk; `events` legs are lost on the way."""
    made = with_creature(load_world("meadow" if world == "flat" else world), creature)
    made = made.model_copy(update={"tick_rate": tick_rate})
    if world == "flat":
        flat = made.terrain.model_copy(update={"amplitude": 0.0})
        made = made.model_copy(update={"terrain": flat})
    pace = Pace(tick_rate)
    driver = make_driver(made, drive)
    with Simulation(made) as simulation:

        def driven(snapshot: Snapshot) -> Input:
            given = driver(snapshot)
            if snapshot.tick != 60:
                return given
            lost = tuple(Event("disable_leg", 0, leg=leg) for leg in range(events))
            return Input(given.commands, lost)

        states = States(simulation.snapshot)
        session = Session(simulation, driven, [states, pace])
        before = simulation.physics.ray_count
        for _ in range(SECONDS * tick_rate):
            session.advance()
        cast = simulation.physics.ray_count - before
        (track,) = tracks(states.kept, tick_rate)
        rays = cast / (track.is_swinging.shape[1] * SECONDS * tick_rate)
        surface = Surface(simulation.physics)
        metrics = score_track(track, surface, made, rays=rays)
        walk = Walk(track, surface, made.terrain.kind)
        return metrics, mends_of(walk, metrics), [str(slow) for slow in pace.slow()]


def failed(metrics: dict[str, Metric]) -> set[str]:
    return {key for key, metric in metrics.items() if metric.verdict == "fail"}


LOOPS: dict[str, tuple[str, str, dict[str, object], str, str]] = {
    "stretched on stairs": (
        "hexapod", "stairs", {"body.ride_height": 0.46}, "M10", "body.ride_height",
    ),
    "stretched on hills": (
        "crab", "hills", {"body.ride_height": 0.38}, "M21", "body.ride_height",
    ),
    "stiff on stairs": (
        "hexapod", "stairs", {"leg_pairs[*].comfort": 0.66}, "M10", "leg_pairs[0].comfort",
    ),
    "narrow": (
        "hexapod", "meadow",
        {f"leg_pairs[{i}].home": [x, 0.02] for i, x in enumerate((0.4, 0.0, -0.4))},
        "M22", "leg_pairs[1].home",
    ),
    "tipping": (
        "hexapod", "meadow",
        {f"leg_pairs[{i}].home": [x, 0.36] for i, x in enumerate((0.24, 0.0, -0.24))},
        "M15", "gait.stride_length",
    ),
    "scraping": ("hexapod", "hills", {"gait.step_height": 0.01}, "M7", "gait.step_height"),
    "knees in the ground": (
        "hexapod", "meadow",
        {"leg_pairs[*].joints": [], "leg_pairs[*].pole": [0.0, 0.0, -1.0]},
        "M27", "leg_pairs[2].pole",
    ),
    "bobbing": ("hexapod", "flat", {"motion.bob": 0.1}, "M12", "motion.bob"),
    "leaning": (
        "hexapod", "meadow", {"motion.lean": 1.0, "motion.acceleration": 3.0}, "M14", "motion.lean",
    ),
    "on rails": ("hexapod", "flat", {"motion.weight": 0.0}, "M28", "motion.weight"),
    "jelly": ("hexapod", "flat", {"motion.frequency": 3.0}, "M28", "motion.frequency"),
    "sluggish": (
        "hexapod", "meadow", {"motion.acceleration": 0.1}, "M15", "motion.acceleration",
    ),
    "body in centimetres": (
        "hexapod", "meadow", {"body.size": [56.0, 26.0, 14.0]}, "M16", "body.size",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "case",
    sample_of(LOOPS, slow=("stretched on stairs", "narrow", "scraping", "on rails", "sluggish")),
)
def test_following_the_advice_mends_the_metric(case: str) -> None:
    name, world, changes, metric, key = LOOPS[case]
    made = spoilt(name, changes)
    metrics, mends, _ = scored(made, world)
    assert set(mends) == failed(metrics) >= {metric}
    assert key in [one.key for one in mends[metric]]
    better = followed(made, mends[metric])
    metrics, _, _ = scored(better, world)
    assert metrics[metric].verdict in ("pass", "excellent")


@cache
def tall() -> tuple[dict[str, Metric], dict[str, list[Advice]], list[str]]:
    return scored(spoilt("hexapod", {"body.ride_height": 0.46}), "stairs")


@pytest.mark.slow
def test_a_mend_names_the_measured_cause_and_the_key() -> None:
    _, mends, slow = tall()
    (advice,) = mends["M10"]
    assert "the legs are at 87 % of their reach at rest" in advice.reason
    assert "they were stretched beyond comfort " in advice.reason
    assert advice.remedy == "lower body.ride_height from 0.46 to 0.27"
    (line,) = mends_text({"M8": [advice], "M10": [advice]})  # one line for all that it mends
    assert line.startswith("M8, M10: the legs are at 87 %")
    (text,) = slow
    assert text.startswith("hexapod: asked 0.70 m/s, walked 0.")
    assert "the gait carries" not in text  # it would, on legs that are not stretched
    assert text.endswith("lower body.ride_height from 0.46 to 0.27")


@pytest.mark.slow
def test_other_causes_of_the_same_metric_are_told_apart() -> None:
    _, coarse, _ = scored(spoilt("hexapod", {}), "flat", tick_rate=10)
    assert [one.key for one in coarse["M15"]] == ["tick_rate"]
    _, sluggish, _ = scored(spoilt("hexapod", {"motion.acceleration": 0.1}))
    assert [one.key for one in sluggish["M10"]] == ["motion.acceleration"]
    _, crippled, _ = scored(spoilt("hexapod", {}), events=3)
    first = mends_text(crippled)[0]
    assert first.startswith("M6, M11, ")
    assert first.endswith(": 3 of its legs were lost on the way")


@pytest.mark.slow
def test_a_good_walk_needs_no_advice() -> None:
    metrics, mends, slow = scored(spoilt("hexapod", {}), "hills", drive="forward 11; stop 3")
    assert failed(metrics) == set()
    assert (mends, slow) == ({}, [])


@pytest.mark.slow
def test_who_is_slower_in_a_curve_is_told_so_and_no_key_is_blamed() -> None:
    metrics, mends, (text,) = scored(spoilt("hexapod", {}), "flat", drive="forward left 12")
    assert (failed(metrics), mends) == (set(), {})
    assert text.endswith(
        ": the gait carries no more in such curves and at such a height (100 % of the time)"
    )


SLOW: dict[str, tuple[str, str, dict[str, object], str]] = {
    "gait": (
        "spider8", "meadow", {"gait.step_duration": 0.6},
        "the gait carries 0.28 m/s at most: strokes of 0.22 m",
    ),
    "balance": (
        "hexapod", "meadow", {f"leg_pairs[{i}].home": [0.24 - 0.24 * i, 0.06] for i in range(3)},
        "change leg_pairs[0].home from [0.24, 0.06] to [0.24, 0.23]",
    ),
    "acceleration": (
        "hexapod", "meadow", {"motion.acceleration": 0.15}, "raise motion.acceleration from 0.15",
    ),
    "units": ("hexapod", "meadow", {"body.size": [56.0, 26.0, 14.0]}, "looks like centimetres"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", SLOW)
def test_a_run_says_why_it_was_slow(case: str) -> None:
    name, world, changes, reason = SLOW[case]
    (text,) = scored(spoilt(name, changes), world)[2]
    assert text.startswith(f"{name}: asked ")
    assert reason in text


GROUND = {
    "a steep slope": ('kind = "slope"\ngrade = 1.15', "stretched beyond their comfort"),
    "a slope like a wall": ('kind = "slope"\ngrade = 1.2', "on slopes of 5"),
    "a border": ('kind = "flat"', "a wall or the border stopped it"),
    "gaps": (
        'kind = "gap"\nwidth = 1.5\ndepth = 2.0\nspacing = 3.0\nclearing = 1.0',
        "a foot that had to step found no foothold",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("ground", GROUND)
def test_a_run_names_ground_that_is_too_hard(ground: str, tmp_path: Path) -> None:
    terrain, reason = GROUND[ground]
    x = 28.5 if ground == "a border" else 0.0
    (tmp_path / "place.toml").write_text(
        f'name = "place"\n[terrain]\n{terrain}\n'
        f'[[creatures]]\ncreature = "hexapod"\nposition = [{x}, 0.0]\n'
    )
    words = ("run", "place.toml", "--headless", "--seconds", "12", "--drive", "forward 12")
    done = sim(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stdout.splitlines() if "asked" in line]
    assert line.startswith("hexapod: asked 0.70 m/s, walked 0.")
    assert reason in line


@pytest.mark.slow
def test_the_loop_as_a_user_goes_it(tmp_path: Path) -> None:
    """Check, run, score; change what they name; and all are content."""
    text = (builtin_folder("creature") / "hexapod.toml").read_text()
    file = tmp_path / "tall.toml"
    file.write_text(text.replace("ride_height = 0.26", "ride_height = 0.46"))
    for is_poor in (True, False):
        words = ("run", "stairs", "--creature", "tall.toml", "--headless", "--seconds", "14")
        done = sim(*words, "--drive", DRIVE, "--record", "tall.mcap", "--force", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert ("lower body.ride_height from 0.46 to 0.27" in done.stdout) == is_poor
        warned = sim("check", "tall.toml", cwd=tmp_path).stdout
        assert ("warning: tall.toml:7: body.ride_height" in warned) == is_poor
        told = sim("score", "tall.mcap", cwd=tmp_path).stdout
        assert ("lower body.ride_height from 0.46 to 0.27" in told) == is_poor
        assert ("fail" in told) == is_poor
        plain = json.loads(sim("score", "--json", "tall.mcap", cwd=tmp_path).stdout)
        metric = plain[0]["creatures"][0]["metrics"]["M10"]
        assert (metric["verdict"] == "fail") == ("advice" in metric) == is_poor
        if is_poor:
            (advice,) = metric["advice"]
            assert (advice["key"], advice["found"]) == ("body.ride_height", 0.46)
            file.write_text(text.replace("= 0.26", f"= {advice['better']}"))
    assert tomllib.loads(file.read_text())["body"]["ride_height"] == 0.27


@pytest.mark.slow
def test_who_finds_no_foothold_for_its_own_legs_is_told_of_them() -> None:
    *_, slow = scored(spoilt("hexapod", LONG_LEGS), "meadow", drive="forward 4")
    (text,) = slow
    assert "found no foothold" in text
    assert "set leg_pairs[0].thickness to [" in text
