"""Leaps and falls of whole creatures."""

import json
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any

import esper
import numpy as np
import pytest

from creature_sim.components import (
    FLYING_FREE,
    LIFTING,
    NOT_FOUND,
    REFUSALS,
    STANDING,
    WALKING,
    Body,
    Foothold,
    FootTarget,
    Suspension,
)
from creature_sim.definitions import WorldDef
from creature_sim.definitions.drive import Blow, Timeline, parse_drive
from creature_sim.drivers import make_driver
from creature_sim.errors import DefinitionError
from creature_sim.inputs import FULL, Event, Input
from creature_sim.lab.course import Course, Trial
from creature_sim.library.loader import load_creature
from creature_sim.library.variants import with_creature
from creature_sim.replay.codec import decode_input, encode_input
from creature_sim.score import score_track, tracks
from creature_sim.score.summary import Odometer
from creature_sim.score.surface import Surface
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import CreatureState, Snapshot
from tests.scenes import herd, leaper, scene
from tests.tools.sticks import sticks

SETTLE = 30
"""Ticks before a leap."""
STILL = Input.of([()])


def leap_to(*point: float) -> Input:
    """A tick in which the first creature is asked to leap."""
    x, y, z = point
    return Input.of([()], [Event("leap", 0, point=(x, y, z))])


def leap(world: WorldDef, point: tuple[float, float, float], ticks: int = 150) -> list[Snapshot]:
    """Snapshots from the tick of the event on."""
    with Simulation(world) as simulation:
        for _ in range(SETTLE):
            simulation.step(STILL)
        simulation.step(leap_to(*point))
        found = [simulation.snapshot]
        for _ in range(ticks):
            simulation.step(STILL)
            found.append(simulation.snapshot)
        return found


def first(snapshots: list[Snapshot]) -> list[CreatureState]:
    return [snapshot.creatures[0] for snapshot in snapshots]


def on(terrain: dict[str, Any], creature: str = "hexapod", **changes: Any) -> WorldDef:
    """A world of this ground with one creature."""
    whole = {"name": "here", "seed": 1, "terrain": terrain, "creatures": [{"creature": creature}]}
    return with_creature(WorldDef.model_validate({**whole, **changes}), load_creature(creature))


GAP: dict[str, Any] = {"kind": "gap", "width": 0.7, "depth": 1.3, "spacing": 2.0, "clearing": 0.9}


def test_a_push_in_flight_changes_the_flight() -> None:
    ends, goes = [], []
    for aside in (0.0, 1.0):
        with Simulation(scene("meadow", "hexapod")) as simulation:
            simulation.step(leap_to(1.2, 0.0, 0.0))
            while simulation.snapshot.creatures[0].flight.stage != FLYING_FREE:
                simulation.step(STILL)
            blow = [Event("push", 0, velocity=(0.0, aside, 0.0))] if aside else []
            simulation.step(Input.of([()], blow))
            goes.append(float(simulation.snapshot.creatures[0].flight.velocity[1]))
            for _ in range(240):
                simulation.step(STILL)
            last = simulation.snapshot.creatures[0]
            assert last.flight.stage == WALKING
            ends.append(last.position[1])
    assert goes[1] == pytest.approx(goes[0] + 1.0, abs=1e-3)
    assert ends[1] > ends[0] + 0.1


@pytest.mark.parametrize("creature", ["hexapod", "biped", "crab", "spider8", "centipede"])
def test_a_leap_ends_where_it_was_asked_to(creature: str) -> None:
    point = (0.9, 0.3, 0.0)
    creatures = first(leap(scene("meadow", creature), point))
    last = creatures[-1]
    assert last.flight.stage == WALKING
    assert last.flight.leap_count == 1
    reach = last.plan.body[0].reach
    assert np.linalg.norm(last.position[:2] - point[:2]) < 0.1 * reach
    assert (last.feet["phase"] == STANDING).all()


@pytest.mark.parametrize("rate", [30, pytest.param(240, marks=pytest.mark.slow)])
def test_a_flight_is_ballistic(rate: int) -> None:
    creatures = first(leap(scene("planet", "hexapod", tick_rate=rate), (0.9, 0.0, -0.1), 3 * rate))
    flies = [one for one in creatures if one.flight.stage == FLYING_FREE]
    assert len(flies) > 0.3 * rate
    places = np.array([one.position for one in flies])
    felt = np.diff(places, n=2, axis=0) * rate**2
    ups = places[1:-1] - (0.0, 0.0, -4.0)
    ups /= np.linalg.norm(ups, axis=1, keepdims=True)
    assert np.linalg.norm(felt + 9.81 * ups, axis=1).max() < 0.01 * 9.81


def test_a_leap_crosses_a_gap_that_no_leg_reaches_over() -> None:
    creatures = first(leap(on(GAP), (2.0, 0.0, 0.0)))
    assert creatures[-1].position[0] == pytest.approx(2.0, abs=0.06)
    assert (creatures[-1].feet["position"][:, 0] > 1.6).all()


def test_feet_that_stand_do_not_slip_and_all_touch_down_before_the_body_is_absorbed() -> None:
    creatures = first(leap(on(GAP), (2.0, 0.0, 0.0)))
    stages = [int(one.flight.stage) for one in creatures]
    for one, other in pairwise(creatures):
        stands = (one.feet["phase"] == STANDING) & (other.feet["phase"] == STANDING)
        moved = other.feet["position"] - one.feet["position"]
        assert np.abs(moved)[stands].max(initial=0.0) == 0.0
        assert np.abs(other.tips - one.tips)[stands].max(initial=0.0) < 1e-8
    landed = max(index for index, stage in enumerate(stages) if stage == FLYING_FREE) + 1
    assert (creatures[landed].feet["phase"] == STANDING).all()
    lowest = min(float(one.position[2]) for one in creatures[landed:])
    assert lowest < creatures[landed].position[2] - 0.01


@pytest.mark.parametrize("creature", ["hexapod", "spider4"])
def test_hind_feet_leave_last_and_fore_feet_land_first(creature: str) -> None:
    creatures = first(leap(scene("meadow", creature), (1.0, 0.2, 0.0)))
    flies = [tick for tick, one in enumerate(creatures) if one.flight.stage == FLYING_FREE]
    stands = np.array([one.feet["phase"] == STANDING for one in creatures])
    leaves = [np.flatnonzero(foot[: flies[0]])[-1] - flies[0] + 1 for foot in stands.T]
    lands = [np.flatnonzero(foot[flies[0] :])[0] + flies[0] - flies[-1] - 1 for foot in stands.T]
    half = len(leaves) // 2
    assert max(leaves[:2]) < 0 <= min(leaves[-half:])  # fore legs come first in the file
    assert lands[0] < -1
    assert max(lands) == lands[-1] == 0


def test_nobody_leaps_onto_what_moves() -> None:
    lift: dict[str, Any] = {"shape": "box", "size": [0.9, 0.9, 0.2]}
    ends = [[1.3, 0.0, -0.1], [1.3, 0.0, 0.2], [1.3, 0.0, 0.4], [1.3, 0.0, 0.2]]
    lift |= {"motion": "kinematic", "waypoints": ends, "period": 8.0}
    world = on({"kind": "flat"}, props=[lift])
    assert list(refusals(world, [(1.3, 0.0, 0.2)])) == ["what is there moves"]


def asked_at(world: WorldDef, tick: int) -> str:
    """Why a leap over 1.3 m is refused that is asked for in a tick; nothing where it is not."""
    with Simulation(world) as simulation:
        for _ in range(tick):
            simulation.step(STILL)
        simulation.step(leap_to(1.3, 0.0, 0.0))
        return REFUSALS[simulation.snapshot.creatures[0].flight.refusal]


def test_nobody_leaps_onto_what_is_loose() -> None:
    crate = {"shape": "box", "size": [0.9, 0.9, 0.2], "position": [1.3, 0.0, 0.1]}
    world = on({"kind": "flat"}, props=[crate | {"motion": "dynamic", "mass": 40.0}])
    assert asked_at(world, 60) == "what is there moves"  # it has come to rest
    assert asked_at(on({"kind": "flat"}, props=[crate]), 60) == ""


def test_a_leap_does_not_end_where_a_ferry_will_be() -> None:
    ferry: dict[str, Any] = {"shape": "box", "size": [0.6, 0.6, 0.3], "motion": "kinematic"}
    ferry |= {"waypoints": [[1.3, -3.0, 0.15], [1.3, 3.0, 0.15]], "period": 8.0}
    world = on({"kind": "flat"}, props=[ferry])  # it passes in tick 120; a leap lasts for 71 ticks
    assert asked_at(world, 46) == "what is there moves"
    assert asked_at(world, 82) == ""


def test_nothing_jumps_in_a_leap() -> None:
    creatures = first(leap(scene("meadow", "hexapod"), (1.2, 0.0, 0.0)))
    places = np.array([one.position for one in creatures])
    speeds = np.diff(places, axis=0) * 60.0
    assert np.linalg.norm(speeds, axis=1).max() < 4.0
    assert np.linalg.norm(np.diff(speeds, axis=0), axis=1).max() < 1.0


def refusals(world: WorldDef, points: list[tuple[float, float, float]]) -> Iterator[str]:
    """Why leaps to these points are refused, one after the other."""
    with Simulation(world) as simulation:
        for _ in range(SETTLE):
            simulation.step(STILL)
        for point in points:
            simulation.step(leap_to(*point))
            flight = simulation.snapshot.creatures[0].flight
            assert flight.stage == WALKING
            yield REFUSALS[flight.refusal]


@pytest.mark.slow
def test_a_hundred_leaps_that_cannot_be_are_refused() -> None:
    far = [(4.0 + 0.1 * k, 0.1 * k, 0.0) for k in range(34)]
    high = [(0.5 + 0.01 * k, 0.0, 2.0) for k in range(33)]
    into = [(1.25 + 0.005 * k, 0.01 * k, 0.0) for k in range(10)]
    edge = [(0.87 + 0.001 * k, 0.0, 0.0) for k in range(23)]
    gap = on({**GAP, "width": 1.6, "depth": 5.0})
    found = [
        list(refusals(scene("meadow", "hexapod"), far)),
        list(refusals(scene("meadow", "hexapod"), high)),
        list(refusals(gap, into)),
        list(refusals(gap, edge)),
    ]
    assert [set(reasons) for reasons in found] == [
        {"too far"},
        {"no ground there"},
        {"no ground there"},
        {"too few footholds there"},
    ]
    assert sum(map(len, found)) == 100


def test_a_low_roof_and_a_wall_refuse_a_leap() -> None:
    roof = {"shape": "box", "position": [0.95, 0.0, 0.86], "size": [0.8, 2.0, 0.02]}
    wall = {"shape": "box", "position": [0.9, 0.0, 0.75], "size": [0.05, 2.0, 1.5]}
    flat = {"kind": "flat"}
    assert list(refusals(on(flat, props=[roof]), [(1.8, 0.0, 0.0)])) == ["low roof"]
    assert list(refusals(on(flat, props=[wall]), [(1.8, 0.0, 0.0)])) == ["something is in the way"]


@pytest.mark.parametrize("creature", ["hexapod", "spider4"])
def test_who_is_told_to_leap_under_a_low_roof_does_not_land_on_top_of_it(creature: str) -> None:
    for height in (0.26, 0.4, 0.55):
        roof = {"shape": "box", "position": [1.9, 0.0, height], "size": [1.2, 3.0, 0.02]}
        world = on({"kind": "flat"}, creature, props=[roof])
        under = [(1.5 + 0.1 * k, 0.1 * k, 0.0) for k in range(6)]
        assert set(refusals(world, under)) == {"low roof"}
    above = first(leap(world, (1.9, 0.0, 0.56)))[-1]
    assert above.position[2] > 0.7  # who is told to leap onto it does


def test_a_leap_into_a_block_ends_on_it_and_one_under_a_high_roof_there() -> None:
    block = {"shape": "box", "position": [1.5, 0.0, 0.15], "size": [2.0, 2.0, 0.3]}
    roof = {"shape": "box", "position": [1.9, 0.0, 1.0], "size": [1.2, 3.0, 0.02]}
    flat, point = {"kind": "flat"}, (1.3, 0.0, 0.0)
    onto = first(leap(on(flat, props=[block]), point))[-1]
    under = first(leap(on(flat, props=[roof]), point))[-1]
    assert onto.position[2] == pytest.approx(under.position[2] + 0.3, abs=0.01)
    assert np.abs(under.position[:2] - point[:2]).max() < 0.07


def test_nobody_leaps_at_others_nor_among_their_feet() -> None:
    world = herd("meadow", "hexapod", [(0.0, 0.0), (1.9, 0.0), (0.0, 6.0)])
    points = [(1.9, 0.0, 0.0), (1.4, 0.3, 0.0), (1.0, 0.0, 0.0), (-1.2, 0.0, 0.0)]
    with Simulation(world) as simulation:
        found = []
        for point in points:
            simulation.step(Input.of([()] * 3, (Event("leap", 0, point=point),)))
            flight = simulation.snapshot.creatures[0].flight
            found.append(REFUSALS[flight.refusal])
    assert found == ["something is in the way"] * 3 + [""]


def test_who_is_in_the_air_already_does_not_leap() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        for _ in range(SETTLE):
            simulation.step(STILL)
        simulation.step(leap_to(1.0, 0.0, 0.0))
        for _ in range(20):
            simulation.step(leap_to(0.0, 1.0, 0.0))
            assert REFUSALS[simulation.snapshot.creatures[0].flight.refusal] == (
                "its feet do not stand"
            )
        for _ in range(100):
            simulation.step(STILL)
        assert simulation.snapshot.creatures[0].position[0] == pytest.approx(1.0, abs=0.06)


@pytest.mark.parametrize("point", [None, (0.0, 0.0), (0.0, 0.0, 1e9), (0.0, 0.0, float("nan"))])
def test_an_event_without_a_place_is_refused(point: Any) -> None:
    with (
        Simulation(scene("meadow", "hexapod")) as simulation,
        pytest.raises(DefinitionError, match=r"events\[0\]\.point"),
    ):
        simulation.step(Input.of([()], [Event("leap", 0, point=point)]))


def lift(simulation: Simulation, height: float, speed: float) -> None:
    """Take away the ground below the creatures."""
    with simulation.context():
        parts = (Body, Suspension, FootTarget, Foothold)
        for _, (body, hung, foot, hold) in esper.get_components(*parts):
            for records, fields in (
                (body.records, ("position",)),
                (hung.records, ("position",)),
                (foot.records, ("position", "track", "goal")),
            ):
                for field in fields:
                    records[field][..., 2] += height
            foot.records["phase"], hold.records["status"] = LIFTING, NOT_FOUND
            body.records["velocity"][..., 0] = speed


@pytest.mark.parametrize("creature", ["hexapod", "biped", "spider8"])
def test_a_body_whose_feet_find_nothing_falls_lands_on_its_feet_and_walks_on(creature: str) -> None:
    with Simulation(scene("meadow", creature)) as simulation:
        for _ in range(SETTLE):
            simulation.step(STILL)
        lift(simulation, 2.0, 0.3)
        states = []
        for _ in range(90):
            simulation.step(STILL)
            states.append(simulation.snapshot.creatures[0])
        assert any(one.flight.stage == FLYING_FREE for one in states)
        landed = simulation.snapshot.creatures[0]
        assert landed.flight.stage == WALKING
        assert (landed.feet["phase"] == STANDING).sum() >= len(landed.feet) - 1
        assert landed.position[2] == pytest.approx(landed.definition.body.ride_height, abs=0.12)
        for _ in range(120):
            simulation.step(Input.of([(1.0,)]))
        assert simulation.snapshot.creatures[0].position[0] > landed.position[0] + 0.3


def pushed(speed: float) -> CreatureState:
    """A hexapod on a ledge 2 m high, five seconds after a push towards the edge."""
    ledge = on({"kind": "gap", "width": 6.0, "depth": 2.0, "spacing": 2.0, "clearing": 0.9})
    with Simulation(ledge) as simulation:
        for _ in range(SETTLE):
            simulation.step(STILL)
        simulation.step(Input.of([()], [Event("push", 0, velocity=(speed, 0.0, 0.0))]))
        for _ in range(300):
            simulation.step(STILL)
        return simulation.snapshot.creatures[0]


@pytest.mark.slow
def test_a_hard_push_off_a_ledge_ends_in_a_fall_and_a_soft_one_does_not() -> None:
    soft, hard = pushed(0.5), pushed(5.0)
    assert soft.flight.leap_count == 0
    assert soft.position[2] > 0.0
    assert hard.flight.leap_count == 1
    assert hard.flight.stage == WALKING
    assert hard.position[2] == pytest.approx(-2.0 + 0.26, abs=0.05)


@pytest.mark.slow
def test_who_leaps_of_its_own_accord_crosses_a_gap() -> None:
    far = []
    for creature in (load_creature("hexapod"), leaper("hexapod")):
        with Simulation(with_creature(on(GAP), creature)) as simulation:
            for _ in range(300):
                simulation.step(Input.of([(1.0,)]))
            far.append(float(simulation.snapshot.creatures[0].position[0]))
    assert far[0] < GAP["clearing"] + GAP["width"] < far[1] - 0.1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [8, 14])
def test_who_is_cornered_at_a_pit_hops_to_where_all_its_feet_find_ground(seed: int) -> None:
    creature = load_creature("spider4")
    world = Course.of(creature).world(creature, Trial("pit", 0.7, seed))
    far, longest, stands, hops, was = 0.02, 0, 0, 0, None
    with Simulation(world) as simulation:
        for given in islice(sticks("held", seed), 75 * world.tick_rate):
            simulation.step(given)
            state = simulation.snapshot.creatures[0]
            hops = state.flight.leap_count
            is_told = np.abs(given.commands[0][:3]).max() > 0.1 * FULL
            place = np.array(state.position)
            if was is None or not is_told or np.linalg.norm(place - was) > far:
                was, stands = place, 0
            stands += 1
            longest = max(longest, stands)
    assert hops > 0
    assert longest < 5 * world.tick_rate  # without hops 23 and 14 s


def test_who_stands_before_a_wall_does_not_hop() -> None:
    room = {"kind": "room", "length": 4.0, "width": 3.0, "height": 2.0}
    with Simulation(on(room, "spider4", driver="forward 10")) as simulation:
        given = make_driver(simulation.world)
        for _ in range(600):
            simulation.step(given(simulation.snapshot))
        state = simulation.snapshot.creatures[0]
    assert state.position[0] > 1.0  # it got there
    assert state.flight.leap_count == 0


def test_a_score_holds_flights_against_gravity_and_leaves_them_out_elsewhere() -> None:
    world = scene("meadow", "hexapod")
    with Simulation(world) as simulation:
        states = [simulation.snapshot]
        for tick in range(200):
            simulation.step(leap_to(1.2, 0.0, 0.0) if tick == 60 else STILL)
            states.append(simulation.snapshot)
        (track,) = tracks(states, world.tick_rate)
        metrics = score_track(track, Surface(simulation.physics), world)
    assert metrics["M31"].verdict == "excellent"
    assert metrics["M1"].verdict == "excellent"
    assert metrics["M11"].verdict != "fail"
    assert metrics["M16"].verdict == "excellent"
    assert metrics["M20"].verdict != "fail"
    assert metrics["M24"].verdict in ("n/a", "pass", "excellent")


def test_the_word_leap_drives() -> None:
    drive = parse_drive("stop 1; leap 1.2,0,-0.5; stop 2")
    assert isinstance(drive, Timeline)
    assert drive.blows == (Blow(1.0, point=(1.2, 0.0, -0.5)),)
    for wrong in ("leap 1,2", "leap", "leap a,b,c", "leap 1e9,0,0"):
        with pytest.raises(DefinitionError):
            parse_drive(wrong)


def test_the_summary_of_a_run_says_what_was_refused() -> None:
    world = scene("meadow", "hexapod")
    with Simulation(world) as simulation:
        odometer = Odometer(world, [simulation.snapshot.creatures[0].position])
        for given in (STILL, leap_to(9.0, 0.0, 0.0), STILL):
            simulation.step(given)
            odometer.write(simulation.input, simulation.snapshot)
    (refused,) = odometer.summary()["creatures"][0]["refused"]
    assert refused == {"tick": 2, "motion": "leap", "reason": "too far"}


def test_an_input_with_a_leap_reads_back() -> None:
    given = leap_to(1.0, 2.0, 0.5)
    assert decode_input(json.loads(encode_input(3, given))) == given
