"""Legs that reach and strike: how near, how safe, how soft; what is refused; what is pushed."""

from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from creature_sim.components import LED, LOST, REACHES, REFUSALS, STANDING
from creature_sim.definitions import WorldDef, parse_drive
from creature_sim.errors import DefinitionError
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature
from creature_sim.library.variants import with_creature
from creature_sim.maths import Floats
from creature_sim.maths.geometry import hull_margin
from creature_sim.motions import NUMBERS
from creature_sim.motions.refusals import refusals_in
from creature_sim.replay import open_replay, record, verify
from creature_sim.score.bars import bones_of, depths_between
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import CreatureState
from tests.scenes import herd, scene

STAND = Input.of([()])
SETTLES = 60
MANY = ("hexapod", "spider8", "ant", "crab")
"""These have six legs or more."""
BALL = {
    "shape": "ball",
    "motion": "dynamic",
    "position": [0.78, 0.15, 0.1],
    "radius": 0.1,
    "mass": 0.5,
}


def on_flat(creature: str = "hexapod", **changes: Any) -> WorldDef:
    """A flat world with one creature."""
    terrain = {"kind": "flat"}
    whole = {"name": "here", "seed": 1, "terrain": terrain, "creatures": [{"creature": creature}]}
    return with_creature(WorldDef.model_validate({**whole, **changes}), load_creature(creature))


def settled(simulation: Simulation) -> CreatureState:
    """The creature once it stands."""
    for _ in range(SETTLES):
        simulation.step(STAND)
    return simulation.snapshot.creatures[0]


def run(simulation: Simulation, ticks: int, *events: Event) -> Iterator[CreatureState]:
    """The creature after each of so many ticks, the first of which has these events."""
    for tick in range(ticks):
        simulation.step(Input.of([()], events if tick == 0 else ()))
        yield simulation.snapshot.creatures[0]


def tasks(creature: CreatureState) -> Floats:
    """What each leg does, (L,)."""
    found: Floats = creature.herd.parts["leg_target"].of("records")["task"][creature.row]
    return found


def refusal(creature: CreatureState, motion: str) -> str:
    """Why a motion was refused to it."""
    motions = creature.herd.parts["motion"].of("records")
    return REFUSALS[motions[creature.row, NUMBERS[motion]].refusal]


def before(creature: CreatureState, leg: int, out: float = 0.12, up: float = 0.25) -> Floats:
    """A point in front of a leg's foot, by these fractions of its reach farther out and up."""
    hip, tip = creature.joints[leg, 0], creature.tips[leg]
    reach = creature.definition.all_legs[leg].reach
    away = (tip - hip) * np.array([1.0, 1.0, 0.0])
    away /= np.sqrt((away**2).sum())
    found: Floats = tip + away * out * reach + np.array([0.0, 0.0, up * reach])
    return found


def margin(creature: CreatureState) -> float:
    """How far the weight is inside the feet that stand [m]."""
    centre = np.mean([segment.position for segment in creature.segments], axis=0)
    stands = creature.feet["phase"] == STANDING
    return float(hull_margin((creature.tips[stands] - centre)[:, :2]))


def at(point: Floats) -> tuple[float, float, float]:
    """A point of an event."""
    x, y, z = point.tolist()
    return x, y, z


@pytest.mark.slow
@pytest.mark.parametrize("world", ["meadow", "hills"])
@pytest.mark.parametrize("name", MANY)
def test_a_foot_touches_its_point_over_safe_feet_and_stands_again(name: str, world: str) -> None:
    with Simulation(scene(world, name)) as simulation:
        start = settled(simulation)
        reach = start.definition.all_legs[1].reach
        point = before(start, 1)
        states = list(run(simulation, 110, Event("reach", 0, leg=1, point=at(point))))
        assert np.sqrt(((states[-1].tips[1] - point) ** 2).sum()) < 0.01 * reach
        moved = next(k for k, one in enumerate(states) if one.feet[1].phase == LOST)
        assert margin(states[moved - 1]) > margin(start) - 0.05 * reach
        states += list(run(simulation, 90, Event("reach", 0)))
        assert min(map(margin, states)) > 0.0
        tips = np.array([one.tips for one in states])
        others = np.delete(tips, 1, axis=1)
        assert abs(others - others[0]).max() < 1e-9  # the rest stands where it stood
        speeds = np.sqrt((np.diff(tips[:, 1], axis=0) ** 2).sum(axis=1)) * 60.0
        assert speeds.max() < 3.5
        assert abs(np.diff(speeds)).max() < 0.7
        last = states[-1]
        assert last.feet[1].phase == STANDING
        assert not tasks(last).any()
        for _ in range(120):
            simulation.step(Input.of([(1.0,)]))
        walked = simulation.snapshot.creatures[0].position - last.position
        assert np.sqrt((walked**2).sum()) > 0.3


@pytest.mark.slow
def test_a_foot_follows_a_point_that_moves_without_lag() -> None:
    with Simulation(on_flat()) as simulation:
        start = settled(simulation)
        point, far = before(start, 0), []
        for tick in range(200):
            aside = np.array([0.0, 0.12 * np.sin(tick / 60.0), 0.05 * np.cos(tick / 40.0)])
            event = Event("reach", 0, point=at(point + aside))
            simulation.step(Input.of([()], [event]))
            now = simulation.snapshot.creatures[0]
            assert (tasks(now) == REACHES).tolist() == [True] + [False] * 5
            far.append(float(np.sqrt(((now.tips[0] - point - aside) ** 2).sum())))
    assert max(far[120:]) < 0.01 * start.definition.all_legs[0].reach


@pytest.mark.slow
def test_a_foot_follows_another_creature_as_far_as_it_reaches() -> None:
    with Simulation(herd("meadow", "hexapod", [(0.0, 0.0), (0.8, 0.4)])) as simulation:
        two = Input.of([(), ()])
        for _ in range(SETTLES):
            simulation.step(two)
        simulation.step(Input.of([(), ()], [Event("reach", 0, leg=0, other=1)]))
        for tick in range(240):
            simulation.step(Input.of([(), (0.0 if tick < 120 else 1.0,)]))
            one, other = simulation.snapshot.creatures
            if tick == 110:
                assert one.tips[0] == pytest.approx(other.position, abs=5e-3)
        away = other.position - one.joints[0, 0]
        arm = one.tips[0] - one.joints[0, 0]
        assert np.sqrt((away**2).sum()) > 0.9
        assert arm @ away > 0.9 * np.sqrt((arm**2).sum() * (away**2).sum())


def test_two_legs_reach_at_once_and_one_more_event_ends_both() -> None:
    with Simulation(on_flat()) as simulation:
        start = settled(simulation)
        points = [before(start, leg) for leg in (0, 1)]
        events = [Event("reach", 0, leg=leg, point=at(points[leg])) for leg in (0, 1)]
        states = list(run(simulation, 110, *events))
        for leg in (0, 1):
            assert states[-1].tips[leg] == pytest.approx(points[leg], abs=5e-3)
        states += list(run(simulation, 90, Event("reach", 0)))
        assert min(map(margin, states)) > 0.0
        assert (states[-1].feet["phase"] == STANDING).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rate"),
    [("hexapod", 30), ("hexapod", 240), *((name, 60) for name in (*MANY, "spider4"))],
)
def test_a_blow_goes_fast_through_its_point_and_ends_by_itself(name: str, rate: int) -> None:
    with Simulation(on_flat(name, tick_rate=rate)) as simulation:
        for _ in range(rate):
            simulation.step(STAND)
        start = simulation.snapshot.creatures[0]
        reach = start.definition.all_legs[0].reach
        point = before(start, 0)
        states = list(run(simulation, 3 * rate, Event("strike", 0, leg=0, point=at(point))))
        tips = np.array([one.tips[0] for one in states])
        near = np.sqrt(((tips - point) ** 2).sum(axis=1))
        speeds = np.sqrt((np.diff(tips, axis=0) ** 2).sum(axis=1)) * rate
        hit = int(near.argmin())
        assert near[hit] < 0.01 * reach
        assert speeds.max() > 3.0
        assert abs(int(speeds.argmax()) - hit) <= 2 + rate // 60  # it is fastest there
        drawn = np.sqrt(((tips[:hit] - point) ** 2).sum(axis=1)).max()
        assert drawn > 0.3 * reach  # it is drawn back first
        assert min(map(margin, states)) > 0.0
        last = states[-1]
        assert not tasks(last).any()
        assert last.feet[0].phase == STANDING
        assert not last.herd.parts["motion"].of("records")[0, NUMBERS["strike"]].is_on


@pytest.mark.slow
@pytest.mark.parametrize("rate", [30, 60, 240])
def test_a_ball_that_is_struck_rolls_where_it_was_struck_to(rate: int) -> None:
    with Simulation(on_flat(props=[BALL], tick_rate=rate)) as simulation:
        for _ in range(rate):
            simulation.step(STAND)
        assert simulation.snapshot.props is not None
        begin = simulation.snapshot.props.records["position"][0].copy()
        way = np.zeros(3)
        for creature in run(simulation, 2 * rate, Event("strike", 0, point=at(begin))):
            targets = creature.herd.parts["leg_target"].of("records")[0]
            if targets["is_led"].any():
                way = targets["way"][int(targets["is_led"].argmax())]
        assert simulation.snapshot.props is not None
        moved = simulation.snapshot.props.records["position"][0] - begin
    far = np.sqrt((moved[:2] ** 2).sum())
    assert far > 1.0
    assert float(moved[:2] @ way[:2]) / far > 0.97


@pytest.mark.slow
def test_who_walks_stops_strikes_and_walks_on() -> None:
    with Simulation(on_flat()) as simulation:
        ahead = Input.of([(1.0,)])
        for _ in range(90):
            simulation.step(ahead)
        x, y, _ = simulation.snapshot.creatures[0].position.tolist()
        blow = Event("strike", 0, point=(x + 0.95, y + 0.25, 0.2))
        simulation.step(Input.of([(1.0,)], [blow]))
        did, margins, paces = False, [], []
        for _ in range(200):
            simulation.step(ahead)
            now = simulation.snapshot.creatures[0]
            targets = now.herd.parts["leg_target"].of("records")[0]
            if (targets["is_led"] == LED).any():
                did = True
                margins.append(margin(now))
                paces.append(float(now.gait.pace))
        assert did
        assert refusal(now, "strike") == ""
        assert min(margins) > 0.0
        assert max(paces) < 1e-3
        assert now.gait.pace > 0.3


def told(world: WorldDef, motion: str, points: list[Any], leg: int | None = None) -> set[str]:
    """Why these points are refused; "" where one is not."""
    found = set()
    with Simulation(world) as simulation:
        settled(simulation)
        for point in points:
            (now,) = run(simulation, 1, Event(motion, 0, leg=leg, point=point))
            assert not tasks(now).any()
            found.add(refusal(now, motion))
            assert [one.reason for one in refusals_in(simulation.snapshot)] == [
                refusal(now, motion)
            ]
    return found


@pytest.mark.slow
def test_a_hundred_tasks_that_cannot_be_are_refused() -> None:
    far = [(1.6 + 0.2 * k, 0.1 * k, 0.1) for k in range(20)]
    high = [(0.3, 0.3 - 0.02 * k, 1.6 + 0.05 * k) for k in range(20)]
    inside = [(0.01 * k, 0.0, 0.26) for k in range(10)]
    biped = [(0.3 + 0.01 * k, 0.2, 0.2) for k in range(20)]
    assert told(on_flat(), "reach", far) == {"out of reach"}
    assert told(on_flat(), "strike", high) == {"out of reach"}
    assert told(on_flat(), "strike", inside, leg=0) == {"out of reach"}
    assert told(on_flat("biped"), "reach", biped) == {"it would fall"}
    across = [(-0.5 - 0.01 * k, -0.4, 0.1) for k in range(30)]
    assert told(on_flat(), "reach", across, leg=0) == {"out of reach"}


def depth_of(creature: CreatureState, leg: int, other: int) -> float:
    """How deep a leg is in another one [m]."""
    one, two = np.indices((3, 3)).reshape(2, -1)
    a, b = (
        bones_of(creature.plan, np.repeat(creature.joints[i : i + 1], 9, 0), np.full(9, i), bones)
        for i, bones in ((leg, one), (other, two))
    )
    return float(depths_between(a, b).max())


WALL = {
    "shape": "box",
    "motion": "static",
    "position": [0.62, 0.2, 0.4],
    "size": [0.04, 1.0, 0.8],
}


@pytest.mark.slow
def test_a_point_in_the_ground_or_behind_a_wall_is_refused_and_a_reach_goes_on() -> None:
    hidden = [(0.7 + 0.002 * k, 0.2, -0.05 - 0.02 * k) for k in range(20)]
    behind = [(0.7, 0.2 + 0.002 * k, 0.1) for k in range(20)]
    why = {"something is in the way"}
    for motion in ("reach", "strike"):
        assert told(on_flat(), motion, hidden) == why
        assert told(on_flat(), motion, hidden, leg=0) == why
        assert told(on_flat(props=[WALL]), motion, behind) == why
    stone = {**WALL, "position": [0.62, 0.2, 0.03], "size": [0.04, 1.0, 0.06]}
    with Simulation(on_flat(props=[stone])) as simulation:  # over which a leg goes
        settled(simulation)
        *_, now = run(simulation, 110, Event("reach", 0, point=(0.7, 0.2, 0.0)))
        assert refusal(now, "reach") == ""
        leg = int(tasks(now).argmax())
        *_, now = run(simulation, 60, Event("reach", 0, point=(0.7, 0.2, -0.2)))
        assert refusal(now, "reach") == "something is in the way"
        assert tasks(now)[leg] == REACHES
        assert now.tips[leg] == pytest.approx((0.7, 0.2, 0.0), abs=5e-3)


@pytest.mark.slow
@pytest.mark.parametrize("crossed", [0.5, 0.9])
@pytest.mark.parametrize("motion", ["reach", "strike"])
@pytest.mark.parametrize(("name", "legs"), [("hexapod", (0, 2)), ("crab", (2, 4))])
def test_two_raised_legs_keep_out_of_each_other(
    name: str, legs: tuple[int, int], motion: str, crossed: float
) -> None:
    """Where both go for one point, and where each goes for what is before the other."""
    with Simulation(on_flat(name)) as simulation:
        start = settled(simulation)
        one, two = (before(start, leg) for leg in legs)
        points = one + (two - one) * crossed, two + (one - two) * crossed
        events = [
            Event(motion, 0, leg=leg, point=at(point))
            for leg, point in zip(legs, points, strict=True)
        ]
        states = list(run(simulation, 150, *events))
    raised = max(int((now.feet["phase"] == LOST).sum()) for now in states)
    assert raised == 2
    assert max(depth_of(now, *legs) for now in states) < 1e-3


@pytest.mark.slow
def test_a_leg_that_is_gone_is_refused_and_so_is_one_too_many() -> None:
    with Simulation(on_flat()) as simulation:
        start = settled(simulation)
        points = [at(before(start, leg)) for leg in range(6)]
        *_, now = run(simulation, 30, Event("disable_leg", 0, leg=0))
        (now,) = run(simulation, 1, Event("reach", 0, leg=0, point=points[0]))
        assert refusal(now, "reach") == "that leg is gone"
        found = set()
        for leg in (1, 2, 3, 4, 5):
            *_, now = run(simulation, 80, Event("reach", 0, leg=leg, point=points[leg]))
            found.add(refusal(now, "reach"))
            assert margin(now) > 0.0
        assert found == {"", "it would fall"}
        assert (now.feet["phase"] == STANDING).sum() >= 3


def test_a_push_ends_what_a_leg_does_and_a_reset_too() -> None:
    with Simulation(on_flat()) as simulation:
        start = settled(simulation)
        event = Event("reach", 0, leg=0, point=at(before(start, 0)))
        *_, now = run(simulation, 60, event)
        assert now.feet[0].phase == LOST
        push = Event("push", 0, velocity=(0.0, 2.0, 0.0))
        *_, now = run(simulation, 150, push)
        assert not tasks(now).any()
        assert (now.feet["phase"] != LOST).all()
        *_, now = run(simulation, 60, event)
        (now,) = run(simulation, 1, Event("reset", 0))
        assert not tasks(now).any()


@pytest.mark.slow
def test_a_replay_of_blows_verifies_and_says_what_was_refused(tmp_path: Path) -> None:
    drive = "stop 0.5; strike 0.7,0.2,0.1; stop 1.5; reach 5,0,0.1; stop 0.2; reach 1,0.5,-0.4,0.3"
    path = tmp_path / "blows.mcap"
    record(scene("meadow", "hexapod", driver=drive), path, 180)
    replay = open_replay(path)
    verify(replay)
    found = [(one.motion, one.reason) for one in replay.events if hasattr(one, "motion")]
    assert found == [("reach", "out of reach")]


@pytest.mark.parametrize(
    ("drive", "found"),
    [("strike 1,2,3,4,5", "strike"), ("reach a", "'a'"), ("reach 1.5", "reach 1.5")],
)
def test_a_word_that_cannot_be_read_is_named(drive: str, found: str) -> None:
    with pytest.raises(DefinitionError, match=found):
        parse_drive(drive)


@pytest.mark.parametrize(
    ("event", "found"),
    [
        (Event("reach", 0, leg=1), r"events\[0\]: expected point or other or leg and point"),
        (Event("strike", 0, leg=6, point=(1.0, 0.0, 0.0)), r"events\[0\].leg: expected 0 to 5"),
        (Event("strike", 0, point=(1.0, 0.0, inf)), r"events\[0\].point: expected three numbers"),
        (Event("reach", 0, other=3), r"events\[0\].other"),
        (Event("reach", 7, point=(1.0, 0.0, 0.0)), r"events\[0\].creature"),
    ],
)
def test_an_event_that_does_not_fit_is_named(event: Event, found: str) -> None:
    with (
        Simulation(on_flat()) as simulation,
        pytest.raises(DefinitionError, match=found),
    ):
        simulation.step(Input.of([()], [event]))
