"""The score: good walks pass, and every bad walker fails the metric that names its fault."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.definitions import WorldDef
from creature_sim.drivers import make_driver
from creature_sim.errors import DefinitionError
from creature_sim.inputs import Input
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.replay import record
from creature_sim.score import (
    Metric,
    Surface,
    Track,
    Walk,
    load_limits,
    score_track,
    shortfalls,
    tracks,
)
from creature_sim.score.bodies import command_tracking, log_dimensionless_jerk
from creature_sim.score.feet import edge_violation
from creature_sim.score.plot import plot, two_strides
from creature_sim.score.support import support_margin, weighted
from creature_sim.simulation import Simulation
from creature_sim.terrain.kinds.steps import StepsDef
from tests.commands import process, sim
from tests.marks import THOROUGH
from tests.rays import rays_on
from tests.scenes import CREATURES, scene, walk
from tests.score.leg_walkers import LEG_FAULTS, with_tips
from tests.tools import goldens

DRIVE = "forward 6; stop 4"


@cache
def walked(creature: str) -> tuple[WorldDef, Track]:
    made = scene("meadow", creature, driver=DRIVE)
    made = made.model_copy(update={"terrain": made.terrain.model_copy(update={"amplitude": 0.0})})
    return made, tracks(walk(made, 600), made.tick_rate)[0]


def scored(
    creature: str, change: Callable[[Track], Track] = lambda track: track
) -> dict[str, Metric]:
    world, track = walked(creature)
    return scored_track(change(track), world)


def scored_track(track: Track, world: WorldDef) -> dict[str, Metric]:
    return score_track(track, Surface(rays_on(world.terrain, world.seed)), world)


def failed(metrics: dict[str, Metric]) -> set[str]:
    return {number for number, metric in metrics.items() if metric.verdict == "fail"}


def mistakes(metrics: dict[str, Metric], expected: set[str]) -> set[str]:
    """What fails, but for M26 where nobody expects it: walkers are bent without their joints."""
    return failed(metrics) - ({"M26"} - expected)


def sliding(track: Track) -> Track:
    """Feet creep: slowly, but 0.6 % of the reach in every stance."""
    tips, aside = track.tips.copy(), np.cross(track.ups_at(track.position), track.ahead)
    for leg, first, last in track.stances():
        if last - first > 20:  # in a short one the same would be quick
            way = np.linspace(0.0, 0.006 * track.reach[leg], last - first)
            tips[first:last, leg] += way[:, None] * aside[first:last]
    return with_tips(track, tips)


def skating(track: Track) -> Track:
    """Feet are carried along by the body while they should stand."""
    tips = track.tips.copy()
    way = track.position - track.position[0]
    for leg, first, last in track.stances():
        tips[first:last, leg] += 0.5 * (way[first:last] - way[first])
    over = track.altitudes(tips) - track.altitudes(track.tips)
    return with_tips(track, tips - over[..., None] * track.ups_at(tips))


def dragging(track: Track) -> Track:
    """Feet do not rise when they swing."""
    altitudes = track.altitudes(track.tips)
    over = np.where(track.is_swinging, altitudes - altitudes[~track.is_swinging].min(), 0.0)
    return with_tips(track, track.tips - over[..., None] * track.ups_at(track.tips))


def floating(track: Track) -> Track:
    """Feet stand a little above the ground, and rise a little while they do."""
    rise = np.zeros(track.is_swinging.shape)
    for leg, first, last in track.stances():
        rise[first:last, leg] = 0.0135 * track.reach[leg]
        rise[first, leg] = 0.0095 * track.reach[leg]
    return with_tips(track, track.tips + rise[..., None] * track.ups_at(track.tips))


def toppling(track: Track) -> Track:
    """All legs of the left side are in the air together for a while."""
    is_swinging = track.is_swinging.copy()
    is_swinging[200:240, 0::2] = True
    return replace(track, is_swinging=is_swinging)


def jumping(track: Track) -> Track:
    """The body leaps up for a moment."""
    position = track.position.copy()
    position[300:310] += 0.06 * track.ups_at(position[300:310])
    return replace(track, position=position)


def twisting(track: Track) -> Track:
    """The body turns by six degrees within a tick."""
    orientations = track.orientations.copy()
    half = np.radians(3.0)
    x, y, z, w = orientations[300, 0].copy()
    s, c = np.sin(half), np.cos(half)
    orientations[300, 0] = (x * c + y * s, y * c - x * s, z * c + w * s, w * c - z * s)
    return replace(track, orientations=orientations)


def jittering(track: Track) -> Track:
    """A foot lifts again and again while the body rests."""
    is_swinging = track.is_swinging.copy()
    is_swinging[480::20, 1] = True
    return replace(track, is_swinging=is_swinging)


def stretching(track: Track) -> Track:
    """Legs are straight, and rise steeply: hips are too far from the feet."""
    joints, lengths = track.joints.copy(), track.plan.lengths
    out = joints[:, :, 0] - joints[:, :, -1]
    out += track.reach[:, None] * track.ups_at(joints[:, :, -1])
    out /= np.linalg.norm(out, axis=2, keepdims=True)
    for joint in range(joints.shape[2] - 1):
        left = lengths[:, joint:].sum(axis=1)
        joints[:, :, joint] = joints[:, :, -1] + out * left[:, None]
    return replace(track, joints=joints)


def lagging(track: Track) -> Track:
    """The body is slower than it is told."""
    return replace(track, velocity=0.9 * track.velocity)


def leaning(track: Track) -> Track:
    """The body is tilted by 8 degrees against the ground."""
    half = np.radians(4.0)
    x, y, z, w = track.orientation.T
    s, c = np.sin(half), np.cos(half)
    turned = np.stack((x * c + w * s, y * c + z * s, z * c - y * s, w * c - x * s), axis=-1)
    return replace(track, orientations=turned[:, None])


def running(track: Track) -> Track:
    """It goes far faster than such legs walk."""
    return replace(track, velocity=3.0 * track.velocity, wanted=3.0 * track.wanted)


def landing_high(track: Track) -> Track:
    """A single foot comes down 2 % of its reach above the ground, once."""
    tips = track.tips.copy()
    leg, first, _ = next(stance for stance in track.stances() if stance[1] > 60)
    tips[first, leg] += 0.02 * track.reach[leg] * track.ups_at(tips[first, leg])
    return with_tips(track, tips)


def sinking(track: Track) -> Track:
    """A single standing foot is 5 % of its reach in the ground, for a moment."""
    tips = track.tips.copy()
    leg, first, last = max(track.stances(), key=lambda stance: stance[2] - stance[1])
    middle = (first + last) // 2
    tips[middle, leg] -= 0.05 * track.reach[leg] * track.ups_at(tips[middle, leg])
    return with_tips(track, tips)


def wading(track: Track) -> Track:
    """Knees are in the ground, feet on it."""
    joints = track.joints.copy()
    joints[:, :, 1] -= 0.5 * track.reach[:, None] * track.ups_at(joints[:, :, 1])
    return replace(track, joints=joints)


def missing(track: Track) -> Track:
    """Legs end 1 % of their reach beside where they should, one tick of thirty."""
    foot = track.foot.copy()
    foot[::30] += 0.01 * track.reach[:, None] * track.ups_at(foot[::30])
    return replace(track, foot=foot)


def shuffling(track: Track) -> Track:
    """Feet that swing rise, but by no more than 2 % of their reach."""
    altitudes = track.altitudes(track.tips)
    level = altitudes[~track.is_swinging].min()
    over = np.where(track.is_swinging, np.maximum(0.0, altitudes - level - 0.02 * track.reach), 0.0)
    return with_tips(track, track.tips - over[..., None] * track.ups_at(track.tips))


def with_turned_foot(track: Track, tick: int, leg: int, angle: float) -> Track:
    """The track with a foot turned by so many degrees about its own Z, for a tick."""
    rotation = track.foot_rotation.copy()
    s, c = np.sin(np.radians(0.5 * angle)), np.cos(np.radians(0.5 * angle))
    x, y, z, w = rotation[tick, leg].copy()
    rotation[tick, leg] = (x * c + y * s, y * c - x * s, z * c + w * s, w * c - z * s)
    return replace(track, foot_rotation=rotation)


def turning_feet(track: Track) -> Track:
    """A foot in the air turns by twelve degrees within a tick."""
    (leg, first, last), *_ = (swing for swing in track.swings() if swing[2] - swing[1] > 6)
    return with_turned_foot(track, (first + last) // 2, leg, 12.0)


def turning_on_the_spot(track: Track) -> Track:
    """A foot on the ground turns by three degrees within a tick."""
    leg, first, last = max(track.stances(), key=lambda stance: stance[2] - stance[1])
    return with_turned_foot(track, (first + last) // 2, leg, 3.0)


def lurching(track: Track) -> Track:
    """The body is tilted by 12 degrees, one tick of ten."""
    x, y, z, w = track.orientation.T
    s, c = np.sin(np.radians(6.0)), np.cos(np.radians(6.0))
    tilted = np.stack((x * c + w * s, y * c + z * s, z * c - y * s, w * c - x * s), -1)
    orientations = track.orientations.copy()
    orientations[::10, 0] = tilted[::10]
    return replace(track, orientations=orientations)


ONE_MISTAKE: dict[Callable[[Track], Track], set[str]] = {
    landing_high: {"M1", "M3", "M16"},
    sinking: {"M1", "M4", "M16"},
    wading: {"M5", "M27"},
    missing: {"M6", "M16"},
    shuffling: {"M7"},
    turning_feet: {"M13"},
    turning_on_the_spot: {"M13"},
    lurching: {"M13", "M14", "M28"},
}
"""Walkers of which the mean is good."""


BAD_WALKERS: dict[Callable[[Track], Track], set[str]] = {
    sliding: {"M1", "M25"},
    skating: {"M1", "M2", "M24", "M25"},
    dragging: {"M7"},
    floating: {"M4", "M16", "M25"},
    toppling: {"M9", "M11", "M16"},
    jumping: {"M12", "M28"},
    twisting: {"M13", "M28"},
    jittering: {"M18"},
    stretching: {"M6", "M16"},
    lagging: {"M15"},
    leaning: {"M14"},
    running: {"M20", "M43"},  # told to stop, it would need thrice as long
    **LEG_FAULTS,
}
SOME_BAD_WALKERS = [
    fault if number % 3 == 0 else pytest.param(fault, marks=THOROUGH)
    for number, fault in enumerate(BAD_WALKERS)
]
"""For tests that show the same elsewhere."""


@pytest.mark.slow
def test_soles_that_turn_as_they_stand_drift() -> None:
    """By a little in a tick, which no pop shows; pads are round."""

    def pivoting(track: Track) -> Track:
        for leg, first, last in track.stances():
            for tick in range(first + 1, last):
                angle = 5.0 * float(np.sin(np.pi * (tick - first) / (last - first)))
                track = with_turned_foot(track, tick, leg, angle)
        return track

    world = scene("meadow", "biped")
    (track,) = tracks(walk(world, 240), world.tick_rate)
    assert scored_track(track, world)["M1"].verdict == "excellent"
    bad = scored_track(pivoting(track), world)
    assert bad["M1"].verdict == "fail"
    assert bad["M13"].verdict != "fail"
    assert bad["M1"].value == pytest.approx(0.09 * np.radians(5.0) / track.reach[0], rel=0.02)


@pytest.mark.slow
def test_a_walk_without_rhythm_fails_phase_regularity() -> None:
    def stumbling(track: Track) -> Track:
        """The cycle runs as it likes."""
        return replace(track, phase=np.random.default_rng(3).random(len(track.phase)))

    assert failed(scored("hexapod", stumbling)) == {"M10"}


@pytest.mark.parametrize(
    ("speed", "is_rough", "verdict"),
    [(0.9, False, "fail"), (0.8, True, "excellent"), (0.3, True, "fail")],
)
def test_waiting_for_feet_counts_on_flat_ground_and_has_a_bound_elsewhere(
    speed: float, is_rough: bool, verdict: str
) -> None:
    _, track = walked("hexapod")
    waits = np.arange(len(track.velocity)) % 2 == 0
    joints = track.joints.copy()
    if is_rough:
        joints[:300, ..., 2] += 0.2
    velocity = np.where(waits[:, None], speed * track.velocity, track.velocity)
    slow = replace(track, velocity=velocity, is_waiting=waits, joints=joints)
    assert command_tracking(Walk(slow)).verdict == verdict


@pytest.mark.slow
@pytest.mark.parametrize("creature", CREATURES)
def test_good_walks_fail_nothing(creature: str) -> None:
    metrics = scored(creature)
    assert failed(metrics) == set()
    judged = [metric for metric in metrics.values() if metric.verdict != "n/a"]
    assert sum(metric.verdict == "excellent" for metric in judged) > 0.7 * len(judged)


@pytest.mark.slow
@pytest.mark.parametrize("fault", BAD_WALKERS, ids=lambda fault: fault.__name__)
def test_a_bad_walker_fails_what_names_its_fault(fault: Callable[[Track], Track]) -> None:
    expected = BAD_WALKERS[fault]
    assert mistakes(scored("hexapod", fault), expected) == expected, fault.__doc__


@pytest.mark.slow
@pytest.mark.parametrize("fault", ONE_MISTAKE, ids=lambda fault: fault.__name__)
def test_a_single_mistake_is_seen(fault: Callable[[Track], Track]) -> None:
    expected = ONE_MISTAKE[fault]
    assert mistakes(scored("hexapod", fault), expected) == expected, fault.__doc__


@pytest.mark.slow
def test_whoever_gets_nowhere_is_stuck() -> None:
    def marching(track: Track) -> Track:
        """The body goes a fifth of its way."""
        start = track.position[0]
        return replace(track, position=start + (0.2, 0.2, 1.0) * (track.position - start))

    metric = scored("spider8", marching)["M16"]
    assert metric.verdict == "fail"
    assert metric.reason.startswith("stuck: went ")


@pytest.mark.parametrize(("ticks", "verdict"), [(25, "excellent"), (35, "fail")])
def test_whoever_is_beside_its_feet_for_half_a_second_fell(ticks: int, verdict: str) -> None:
    def leaning_out(track: Track) -> Track:
        """The weight is a metre beside the feet for a while."""
        centre = track.centre.copy()
        centre[200 : 200 + ticks, 1] += 1.0
        return replace(track, centre=centre)

    metric = scored("hexapod", leaning_out)["M16"]
    assert metric.verdict == verdict
    assert ("beside its feet" in metric.reason) == (verdict == "fail")


@pytest.mark.slow
def test_feet_far_above_the_ground_do_not_skate() -> None:
    def hovering(track: Track) -> Track:
        """Feet that should stand go with the body, a fifth of their reach over the ground."""
        high = skating(track)
        return with_tips(high, high.tips + 0.2 * track.reach[:, None] * track.ups_at(high.tips))

    assert scored("spider8", hovering)["M2"].value == 0.0
    assert (scored("spider8", skating)["M2"].value or 0.0) > 0.01


def test_feet_beside_an_edge_are_counted() -> None:
    _, track = walked("hexapod")
    boxes = StepsDef(kind="steps", cell=0.7, height=0.4)
    surface = Surface(rays_on(boxes, 5))
    cells = np.floor(track.tips / 0.7)
    found = []
    for place in (0.5, 0.02):  # of a cell: its middle, and 14 mm from its side
        tips = 0.7 * (cells + place)
        tips[..., 1] = 0.7 * (cells[..., 1] + 0.5)
        tips[..., 2] = 0.0
        tips[..., 2] = -surface.heights(tips, track.ups_at(tips))
        found.append(edge_violation(Walk(with_tips(track, tips), surface)))
    assert [metric.verdict for metric in found] == ["excellent", "fail"]
    assert found[0].value == 0.0
    assert (found[1].value or 0.0) > 0.7


def test_feet_that_stand_for_too_long_fail_the_duty_factor() -> None:
    def hasty_plan(track: Track) -> Track:
        """The gait says that feet stand for less of the cycle than they do."""
        return replace(track, duty_factor=track.duty_factor - 0.08)

    assert failed(scored("hexapod", hasty_plan)) == {"M9"}


@pytest.mark.slow
def test_a_creature_that_the_ground_holds_back_is_not_judged_by_its_pace() -> None:
    def blocked(track: Track) -> Track:
        still = replace(track, velocity=np.zeros_like(track.velocity))
        return replace(still, is_held_back=np.full(len(track.tips), fill_value=True))

    metrics = scored("hexapod", blocked)
    assert {metrics[number].verdict for number in ("M9", "M10", "M15")} == {"n/a"}


@pytest.mark.slow
def test_tilt_counts_feet_in_the_air_where_they_stood_last() -> None:
    def hopping(track: Track) -> Track:
        """Feet in the air are raised by as much as nobody raises them."""
        raised = np.where(track.is_swinging, 0.3, 0.0)[..., None] * np.array((0.0, 0.0, 1.0))
        return with_tips(track, track.tips + raised)

    assert scored("hexapod", hopping)["M14"].value == scored("hexapod")["M14"].value


def stiff(track: Track) -> Track:
    """A biped on feet far apart that does not sway over the one that stands."""
    left = rotation_matrices(track.orientation)[..., 1]
    aside = 0.1 * np.array([1.0, -1.0])[:, None, None] * left[:, None, None]
    return replace(track, joints=track.joints + aside)


def one_sided(track: Track) -> Track:
    """A trot that lifts both legs of one side together."""
    return replace(track, is_swinging=track.is_swinging[:, [0, 1, 0, 1]])


def rushing(track: Track) -> Track:
    """A body that its feet do not keep up with."""
    ahead = rotation_matrices(track.orientation)[..., 0]
    return replace(track, centre=track.centre + 0.12 * ahead)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("creature", "fault"), [("biped", stiff), ("spider4", one_sided), ("biped", rushing)]
)
def test_falling_from_foot_to_foot_is_judged_by_what_catches_the_body(
    creature: str, fault: Callable[[Track], Track]
) -> None:
    assert scored(creature)["M11"].verdict != "fail"
    assert scored(creature, fault)["M11"].verdict == "fail", fault.__doc__


@given(st.floats(0.02, 0.4), st.integers(1, 40), st.integers(1, 40))
def test_what_captures_a_body_is_where_its_feet_will_press(
    fall: float, now: int, later: int
) -> None:
    """A point for so many ticks, then another for so many, and for ever."""
    reaches = np.concatenate((np.zeros((now, 1)), np.ones((later, 1))))
    held = weighted(reaches, np.zeros_like(reaches), np.ones(now + later, bool), fall)
    assert held[0] == pytest.approx(np.exp(-fall * now))


def test_nothing_captures_a_body_in_flight_but_where_it_lands() -> None:
    reaches, flights = np.array([[9.0], [9.0], [0.5]]), np.array([[0.1], [0.1], [0.0]])
    held = weighted(reaches, flights, np.array([False, False, True]), 0.1)
    assert held[0] == pytest.approx(0.5 - 0.2)


@pytest.mark.slow
def test_what_does_not_apply_says_why() -> None:
    metrics = scored("spider8")
    assert metrics["M9"].verdict == "n/a"
    assert "reactive" in metrics["M9"].reason
    assert metrics["M21"].value is None


def test_a_smooth_way_has_less_jerk() -> None:
    _, track = walked("hexapod")
    shaken = track.position + 0.01 * np.random.default_rng(1).standard_normal(track.position.shape)
    assert log_dimensionless_jerk(track) > log_dimensionless_jerk(replace(track, position=shaken))


def test_two_strides_of_a_steady_walk_are_plotted() -> None:
    _, track = walked("hexapod")
    first, last = two_strides(track)
    lifts = np.diff(track.is_swinging[first : last + 1].astype(int), axis=0) == 1
    assert lifts.sum(axis=0) == pytest.approx(2, abs=1)
    assert (np.diff(track.wanted[first:last], axis=0) == 0.0).all()
    still = replace(track, wanted=np.zeros_like(track.wanted))
    assert two_strides(still) == (0, len(track.position))


def test_two_strides_of_a_short_walk_are_plotted_too() -> None:
    world = scene("meadow", "spider4")
    driver = make_driver(world, "stop 1; forward 2.5; stop 2")
    with Simulation(world) as simulation:
        snapshots = [simulation.snapshot]
        for _ in range(330):
            simulation.step(driver(simulation.snapshot))
            snapshots.append(simulation.snapshot)
    (track,) = tracks(snapshots, 60)
    first, last = two_strides(track)
    assert 60 < first < last <= 212
    lifts = np.diff(track.is_swinging[first : last + 1].astype(int), axis=0) == 1
    assert lifts.sum(axis=0) == pytest.approx(2, abs=1)


@pytest.mark.slow
def test_a_plot_of_one_that_stands_does_not_say_that_it_shows_two_strides(tmp_path: Path) -> None:
    world, path = scene("meadow", "spider4"), tmp_path / "stands.svg"
    with Simulation(world) as simulation:
        snapshots = [simulation.snapshot]
        for _ in range(20):
            simulation.step(Input.of([()]))
            snapshots.append(simulation.snapshot)
        (track,) = tracks(snapshots, 60)
        plot(track, Surface(simulation.physics), path, "it")
    assert "all of it: it makes no two strides" in path.read_text()


def test_limits_are_read_and_missed(tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    path.write_text('M1 = "excellent"\nM7 = 0.5\nM9 = 0.04\n')
    short = shortfalls(scored("hexapod"), load_limits(path))
    assert len(short) == 1
    assert short[0].startswith("M7 swing clearance")
    for wrong in ("M99 = 1", 'M1 = "good"', "M1 = true", "M1 = nan", "M1 = ", "# M1 = 1"):
        path.write_text(wrong)
        with pytest.raises(DefinitionError, match=r"limits\.toml(:1)?: .*expected"):
            load_limits(path)


def test_all_that_is_wrong_with_limits_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    path.write_text('M1 = "good"\nM2 = 0.1\nM99 = 1\nM3 = nan\n')
    with pytest.raises(DefinitionError) as refused:
        load_limits(path)
    keys = [line.split(": ")[1] for line in str(refused.value).splitlines()]
    assert keys == ["M1", "M99", "M3"]


def test_a_recording_of_no_tick_is_refused(tmp_path: Path) -> None:
    record(scene("meadow", "hexapod"), tmp_path / "start.mcap", 0)
    done = sim("score", "start.mcap", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: start.mcap: expected ticks to score, found none\n"


@pytest.mark.slow
def test_the_command_scores_replays(tmp_path: Path) -> None:
    record(scene("meadow", "hexapod", driver="forward 9"), tmp_path / "walk.mcap", 300)
    done = process("score", "walk.mcap", "--json", "--plot", "gait.png", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    ((creature,),) = [document["creatures"] for document in json.loads(done.stdout)]
    assert creature["name"] == "hexapod"
    assert creature["metrics"]["M1"]["verdict"] == "excellent"
    assert set(creature["metrics"]["M21"]) == {"value", "verdict", "reason"}
    assert creature["metrics"]["M21"]["value"] <= 4.0
    assert (tmp_path / "gait.png").stat().st_size > 10_000
    assert "stance drift" in sim("score", "walk.mcap", cwd=tmp_path).stdout

    arm = str(goldens.FOLDER / "arm.mcap")
    assert json.loads(sim("score", arm, "--json").stdout)[0]["creatures"] == []
    assert sim("score", arm, "--plot", "arm.png", cwd=tmp_path).returncode == 2

    (tmp_path / "limits.toml").write_text("M7 = 0.9")
    done = sim("score", "walk.mcap", "--fail-under", "limits.toml", cwd=tmp_path)
    assert done.returncode == 1
    assert "below the limit: M7" in done.stdout
    for words in (["score", "no.mcap"], ["score", "walk.mcap", "--plot", "gait.png"]):
        done = sim(*words, cwd=tmp_path)
        assert done.returncode == 2
        assert "expected" in done.stderr


@pytest.mark.slow
def test_steps_that_were_not_recorded_do_not_count_against_a_walk() -> None:
    """Whatever comes after a tick: a walk that is cut off has the margins it had."""
    made = scene("meadow", "biped", driver="forward 9")
    states = list(walk(made, 480))
    (whole,), (part,) = tracks(states, 60), tracks(states[:361], 60)
    margins, cut = support_margin(whole), support_margin(part)
    assert np.isnan(cut[-59:]).all()
    assert np.array_equal(cut[:-59], margins[: len(cut) - 59])
    assert scored_track(part, made)["M11"].verdict != "fail"
    (short,) = tracks(states[:31], 60)
    assert scored_track(short, made)["M11"].verdict == "n/a"


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "biped", "centipede"])
def test_steps_after_a_push_are_no_shuffles(creature: str) -> None:
    made = scene("meadow", creature, driver="stop 3; push 0,5; stop 5")
    (track,) = tracks(walk(made, 480), 60)
    swings = [first for _, first, _ in track.swings() if first > 180]
    assert swings
    assert scored_track(track, made)["M18"].verdict != "fail"
