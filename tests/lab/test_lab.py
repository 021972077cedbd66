"""Trials: hard ground is as hard as it says, outcomes are what happened, sweeps are repeatable."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.drivers import make_driver
from creature_sim.errors import DefinitionError
from creature_sim.lab import (
    KINDS,
    Course,
    Outcome,
    Report,
    Trial,
    ground,
    plan,
    run_trial,
    sweep,
    tick_invariance,
)
from creature_sim.library.loader import builtin_names, load_creature
from creature_sim.replay import verify
from creature_sim.score import Metric, Track, tracks
from creature_sim.score.bodies import SOUND
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.terrain.kinds.layers import LayersDef
from tests.marks import THOROUGH, sample_of
from tests.scenes import leaper, scene, walk
from tests.terrain.test_terrain import cast_down

# What walk-metrics gives for legs of 0.5 m: kind, field, value at d = 0 and at d = 1.
FORMULAS = [
    ("slope", "grade", 0.0, 0.4),
    ("rough", "amplitude", 0.0, 0.05),
    ("stairs", "riser", 0.05, 0.23),
    ("stairs", "tread", 0.31, 0.31),
    ("obstacles", "height", 0.05, 0.25),
    ("stepping_stones", "size", 1.575, 0.075),
    ("stepping_stones", "gap", 0.05, 0.1),
    ("rails", "height", 0.05, 0.2),
    ("steps", "height", 0.05, 0.2),
    ("wave", "amplitude", 0.0, 0.2),
    ("tilted_grid", "grade", 0.0, 0.4),
    ("pyramid", "riser", -0.05, -0.23),
    ("dunes", "height", 0.0, 0.6),
    ("craters", "depth", 0.0, 0.5),
    ("islands", "depth", 0.0, 0.5),
    ("wall", "gate", 2.4, 1.0),
    ("pillar", "spacing", 3.2, 1.6),
    ("tunnel", "width", 2.4, 1.2),
    ("tunnel", "height", 1.0, 0.6),
    ("overhang", "height", 1.0, 0.6),
]


@pytest.mark.parametrize(("kind", "field", "easy", "hard"), FORMULAS)
def test_difficulty_is_even_from_easy_to_hard(
    kind: str, field: str, easy: float, hard: float
) -> None:
    for d in (0.0, 0.25, 0.5, 1.0):
        found = getattr(ground(kind, d, 0.5, 1.0, 8.0), field)
        assert found == pytest.approx(easy + (hard - easy) * d)


@pytest.mark.parametrize(
    ("kind", "field", "easy", "hard"),
    [("hills", "amplitude", 0.0, 0.6), ("terraces", "riser", 0.05, 0.15)],
)
def test_natural_ground_begins_around_a_level_clearing(
    kind: str, field: str, easy: float, hard: float
) -> None:
    for d in (0.0, 0.5, 1.0):
        layers = ground(kind, d, 0.5, 1.0, 8.0)
        assert isinstance(layers, LayersDef)
        level, beyond = layers.layers
        assert level.ground.kind == "flat"
        assert beyond.near > 2**0.5
        assert getattr(beyond.ground, field) == pytest.approx(easy + (hard - easy) * d)


@pytest.mark.parametrize(("kind", "field"), [("gap", "width"), ("pit", "depth")])
def test_gaps_and_pits_are_as_large_as_the_difficulty(kind: str, field: str) -> None:
    for d in (0.1, 0.5, 1.0):
        assert getattr(ground(kind, d, 0.5, 1.0, 8.0), field) == pytest.approx(d)
    assert ground(kind, 0.0, 0.5, 1.0, 8.0).kind == "flat"


@pytest.mark.parametrize(("kind", "field"), [pair[:2] for pair in FORMULAS])
def test_lengths_scale_with_the_legs_and_slopes_do_not(kind: str, field: str) -> None:
    small, large = (getattr(ground(kind, 0.6, reach, 1.0, 8.0), field) for reach in (0.5, 1.0))
    assert large == pytest.approx(small if field == "grade" else 2.0 * small)


def resized(creature: CreatureDef, factor: float) -> CreatureDef:
    """The creature, so many times as large."""
    table = creature.model_dump()
    for holder, keys in (
        (table["body"], ("size", "ride_height")),
        (table["gait"], ("stride_length", "step_height")),
        *((pair, ("mount", "bones", "home")) for pair in table["leg_pairs"]),
    ):
        for key in keys:
            value = holder[key]
            holder[key] = (
                value * factor if isinstance(value, float) else tuple(x * factor for x in value)
            )
    return CreatureDef.model_validate(table)


@pytest.mark.parametrize(
    ("kind", "factor"),
    [
        pytest.param(kind, 1.0, marks=() if number % 4 == 1 else pytest.mark.slow)
        for number, kind in enumerate(KINDS)
    ]
    + [
        pytest.param(kind, factor, marks=pytest.mark.slow if number % 4 == rest else THOROUGH)
        for factor, rest in ((0.35, 0), (6.0, 2))
        for number, kind in enumerate(KINDS)
    ],
)
def test_creatures_of_any_size_start_level_on_every_kind(kind: str, factor: float) -> None:
    creature = resized(load_creature("hexapod"), factor)
    course = Course.of(creature)
    for d in (0.0, 1.0) if factor == 1.0 else (1.0,):
        world = course.world(creature, Trial(kind, d, 5))
        with Simulation(world) as simulation:
            feet = simulation.snapshot.creatures[0].tips
            x, y = np.meshgrid(
                np.linspace(0.0, course.length, 500),
                np.linspace(0.0, max(0.8, 2.0 * course.reach), 9),
            )
            heights, _ = cast_down(simulation.physics, x.ravel(), y.ravel())
        assert feet[:, 2] == pytest.approx(0.0, abs=1e-6)
        assert abs(feet[:, :2]).max() < course.clearing
    assert np.ptp([0.0, *heights]) > 0.02 * course.reach


@pytest.mark.parametrize(
    "kind",
    sample_of(["wall", "tunnel", "overhang", "pillar", "canyon"], slow=("wall", "overhang")),
)
def test_what_stands_in_the_way_is_passed(kind: str) -> None:
    creature = load_creature("hexapod")
    outcome = run_trial(creature, Trial(kind, 0.5, 1))
    assert outcome.verdict == "success", outcome.cause


def test_the_course_of_the_reference_legs() -> None:
    creature = resized(load_creature("hexapod"), 0.5 / 0.65)
    course = Course.of(creature)
    assert course.reach == pytest.approx(0.5)
    assert course.length == pytest.approx(8.0)
    assert course.seconds == pytest.approx(20.0)


def test_slow_creatures_get_the_time_they_need() -> None:
    table = load_creature("hexapod").model_dump()
    table["motion"]["speed"] = 0.1
    course = Course.of(CreatureDef.model_validate(table))
    assert course.seconds == pytest.approx(1.5 * course.length / 0.1)


def test_creatures_that_fit_on_no_course_are_refused() -> None:
    creature = load_creature("hexapod")
    for factor in (0.2, 10.0):
        with pytest.raises(DefinitionError, match=r"hexapod: expected legs that reach 0.2 to 4 m"):
            Course.of(resized(creature, factor))


def test_seeds_move_the_start() -> None:
    creature = load_creature("hexapod")
    course = Course.of(creature)
    starts = [course.world(creature, Trial("gap", 0.1, seed)).creatures[0] for seed in range(20)]
    places = np.array([(*start.position, start.heading) for start in starts])
    assert len(np.unique(places, axis=0)) == 20
    assert (abs(places) <= (0.25 * course.reach, 0.25 * course.reach, 0.1)).all()
    assert (places.std(axis=0) > 0.0).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("creature", "kind", "seed"),
    [
        ("hexapod", "stairs", 0),  # on its way down two late feet stood where either would tip it
        ("spider8", "stairs", 2),
        ("spider4", "gap", 2),
    ],
)
def test_hard_ground_is_crossed_in_time(creature: str, kind: str, seed: int) -> None:
    outcome = run_trial(load_creature(creature), Trial(kind, 0.25, seed))
    assert outcome.verdict == "success", outcome.cause


@pytest.mark.slow
def test_who_leaps_crosses_pits_deeper_than_a_leg() -> None:
    outcome = run_trial(leaper("hexapod"), Trial("pit", 0.75, 1))
    assert outcome.verdict == "success", outcome.cause


@pytest.mark.slow
def test_easy_ground_is_crossed_along_the_straight_course() -> None:
    outcome = run_trial(load_creature("hexapod"), Trial("slope", 0.1, 1))
    assert (outcome.verdict, outcome.cause, outcome.replay) == ("success", "", None)
    assert outcome.distance >= 8.0 * 0.65 / 0.5
    assert {metric.verdict for metric in outcome.metrics.values()} <= {"pass", "excellent"}


@pytest.mark.slow
def test_a_run_depends_on_the_trial_alone() -> None:
    creature = load_creature("spider4")
    first, again = (run_trial(creature, Trial("gap", 1.0, 3)) for _ in range(2))
    assert first == again
    assert first.seconds > 5.0
    assert run_trial(creature, Trial("gap", 1.0, 4)).digest != first.digest


@pytest.mark.slow
def test_a_failed_run_leaves_its_replay_and_a_good_one_does_not(tmp_path: Path) -> None:
    creature = load_creature("hexapod")
    outcome = run_trial(creature, Trial("gap", 1.0, 0), tmp_path)
    assert outcome.verdict in ("fall", "stuck")  # twice its reach is too wide for any walk
    assert outcome.cause
    assert outcome.seconds < 20.0  # it is over once it cannot arrive any more
    assert run_trial(creature, Trial("slope", 0.0, 0), tmp_path).verdict == "success"
    assert [path.name for path in tmp_path.iterdir()] == ["gap-1-0.mcap"]
    assert outcome.replay == str(tmp_path / "gap-1-0.mcap")
    proof = verify(outcome.replay)
    assert proof.ok
    assert proof.digest == outcome.digest


@pytest.mark.slow
def test_whoever_arrives_with_feet_in_the_ground_does_not_succeed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(SOUND, "M4", lambda _: Metric(1.0, "fail", "deep"))
    outcome = run_trial(load_creature("hexapod"), Trial("slope", 0.0, 0))
    assert outcome.distance >= Course.of(load_creature("hexapod")).length
    assert outcome.verdict == "stuck"
    assert outcome.cause.startswith("M4 ")


def test_a_fall_ends_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from creature_sim.lab import run

    told = "the body is tipped over by more than 60 degrees"

    def fall_of(walk: object) -> str:
        return told

    monkeypatch.setattr(run, "fall_of", fall_of)
    outcome = run_trial(load_creature("hexapod"), Trial("slope", 0.0, 0))
    assert (outcome.verdict, outcome.cause, outcome.seconds) == ("fall", told, 1.0)


def outcomes(kind: str, verdicts: dict[float, str]) -> list[Outcome]:
    """Made-up outcomes: s, f and t are success, fall and stuck."""
    names: dict[str, Literal["success", "fall", "stuck"]] = {
        "s": "success",
        "f": "fall",
        "t": "stuck",
    }
    return [
        Outcome(
            Trial(kind, d, seed), names[letter], "why" * (letter != "s"), 1.0, 1.0, {}, "", None
        )
        for d, letters in verdicts.items()
        for seed, letter in enumerate(letters)
    ]


@pytest.mark.parametrize(
    ("verdicts", "half", "text"),
    [
        ({0.0: "ss", 0.5: "ss", 1.0: "tf"}, 0.75, "0.75"),
        ({0.0: "ss", 0.5: "st", 1.0: "tf"}, 0.5, "0.50"),
        ({0.0: "ss", 0.5: "ss", 1.0: "st"}, None, "> 1"),
        ({0.0: "ss", 0.5: "ss"}, None, "> 0.5"),
        ({0.0: "ff", 0.5: "ss"}, None, "< 0"),
        ({0.0: "sss", 1.0: "sff"}, 0.75, "0.75"),
    ],
)
def test_half_succeed_at(verdicts: dict[float, str], half: float | None, text: str) -> None:
    course = Course.of(load_creature("hexapod"))
    report = Report("bug", course, outcomes("pit", verdicts))
    found, told = report.half("pit")
    assert found == (None if half is None else pytest.approx(half))
    assert told == text


def test_the_report_counts_outcomes() -> None:
    course = Course.of(load_creature("hexapod"))
    made = outcomes("pit", {0.0: "ssss", 0.5: "sstf"}) + outcomes("gap", {0.0: "ssss", 0.5: "ssst"})
    report = Report("bug", course, made)
    assert report.easy_success_rate("pit") == 0.75
    assert (report.success().value, report.success().verdict) == (0.75, "fail")
    (_, hard) = report.document()["kinds"]["pit"]["difficulties"]  # type: ignore[index]
    assert (hard["success"], hard["fall"], hard["stuck"]) == (0.5, 0.25, 0.25)
    assert hard["causes"] == {"stuck: why": 1, "fall: why": 1}
    assert Report("bug", course, outcomes("pit", {0.9: "s"})).success().verdict == "n/a"


@pytest.mark.parametrize(
    "creature", sample_of(builtin_names("creature"), slow=("hexapod", "biped"))
)
def test_tick_rates_agree(creature: str) -> None:
    metric = tick_invariance(load_creature(creature))
    assert metric.value is not None
    assert metric.value <= 0.01
    assert metric.verdict == "pass", metric.reason


@pytest.mark.slow
def test_a_walk_that_depends_on_the_tick_fails_m19(monkeypatch: pytest.MonkeyPatch) -> None:
    from creature_sim.lab import rates

    def hasty(world: WorldDef, spec: str) -> object:
        """Commands that last so many ticks, whatever the rate."""
        return rates_driver(world.model_copy(update={"tick_rate": 60}), spec)

    rates_driver = make_driver
    monkeypatch.setattr(rates, "make_driver", hasty)
    metric = tick_invariance(load_creature("hexapod"))
    assert metric.verdict == "fail"
    assert metric.value is not None
    assert metric.value > 0.05


@cache
def short_walk() -> Track:
    """Ten seconds of a hexapod on rolling ground, pushed by nobody."""
    (track,) = tracks(walk(scene("meadow", "hexapod", driver="forward 10"), 600), 60)
    return track


@pytest.mark.slow
def test_steps_that_depend_on_the_tick_fail_m19_though_ends_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from creature_sim.lab import rates

    def nervous(states: list[Snapshot], rate: int) -> list[Track]:
        """The same walk at every rate, with a foot that trips at the highest."""
        track = short_walk()
        is_swinging = track.is_swinging.copy()
        if rate == max(rates.RATES):
            is_swinging[::20, 0] = ~is_swinging[::20, 0]
        return [replace(track, is_swinging=is_swinging)]

    monkeypatch.setattr(rates, "walked", lambda *_: [])
    monkeypatch.setattr(rates, "tracks", nervous)
    metric = tick_invariance(load_creature("hexapod"))
    assert (metric.value, metric.verdict) == (0.0, "fail")


@pytest.mark.slow
def test_pushes_that_are_not_over_soon_and_falls_fail_m17(monkeypatch: pytest.MonkeyPatch) -> None:
    from creature_sim.lab import pushes

    def judged(seconds: float, falls: Sequence[str]) -> tuple[float | None, str]:
        """The metric of whoever is off its speed for so long after a push, at 1 stride a second."""
        track = short_walk()
        velocity = track.wanted[:, :2].copy()
        first = 60 * pushes.WALK + 1
        velocity[first : first + round(60 * seconds)] *= 0.5
        pushed = replace(track, velocity=velocity)
        monkeypatch.setattr(pushes, "_walk", lambda *_: (pushed, 1.0))
        monkeypatch.setattr(pushes, "_falls", lambda *_: falls)
        metric = pushes.push_recovery(load_creature("hexapod"))
        return metric.value, metric.verdict

    for seconds, falls, verdict in (
        (0.0, [], "pass"),
        (1.5, [], "pass"),
        (2.5, [], "fail"),
        (0.0, ["it fell"], "fail"),
    ):
        value, found = judged(seconds, falls)
        assert value == pytest.approx(seconds, abs=0.02)
        assert found == verdict


@pytest.mark.slow
def test_processes_are_replaced_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("creature_sim.workers.processes.MOST_MEMORY", 0)
    trials = plan(["gap"], [1.0], seeds=2)
    counts: list[int] = []
    found = sweep(load_creature("spider4"), trials, jobs=1, progress=counts.append)
    assert [outcome.trial for outcome in found] == trials
    assert counts == [1, 2]
    assert len({outcome.digest for outcome in found}) == 2
    assert sweep(load_creature("spider4"), []) == []
