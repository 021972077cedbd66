"""Bodies: weight over the feet, lost legs, trunks of several segments, strafing, crouching."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.components import (
    GRAVITY,
    LOST,
    CycleRecord,
    GaitRecord,
    GravityRecord,
    PlanRecord,
    zeros,
)
from creature_sim.definitions import CreatureDef
from creature_sim.definitions.body import SegmentDef
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.locomotion.balance import margin
from creature_sim.locomotion.gait import HYSTERESIS, change_cycle
from creature_sim.locomotion.reach import reach_to
from creature_sim.locomotion.trunk import centre_of
from creature_sim.locomotion.workspace import room_to_step
from creature_sim.maths import Floats, quat, rotate, spring
from creature_sim.score import tracks
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.spawn.plans import plan_of
from tests.marks import THOROUGH, few
from tests.scenes import scene, share_inside, walk

SEGMENTED = ("centipede", "millipede")


# --- formulas ---------------------------------------------------------------------------------


def test_margin_of_a_square() -> None:
    square = np.array([(-1.0, -1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (0.2, 0.1)])
    off, nx, ny = margin(square, 5, 0.6, 0.0)
    assert (off, nx, ny) == pytest.approx((0.4, -1.0, 0.0))
    assert margin(square, 5, 0.0, 1.5)[0] == pytest.approx(-0.5)
    assert margin(square, 2, 0.0, 0.0)[0] == -np.inf


@pytest.mark.slow
@few
@given(st.integers(3, 40), st.integers(0, 10_000))
def test_margin_agrees_with_every_edge_tried(count: int, seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(count, 2))
    best = np.inf
    for a in points:
        for b in points:
            along = b - a
            if along.any():
                offs = (along[0] * (points - a)[:, 1] - along[1] * (points - a)[:, 0]) / np.hypot(
                    *along
                )
                if offs.min() > -1e-12:  # an edge of the hull
                    best = min(best, float((along[1] * a[0] - along[0] * a[1]) / np.hypot(*along)))
    assert margin(points, count, 0.0, 0.0)[0] == pytest.approx(best, abs=1e-9)


@pytest.mark.slow
@given(st.floats(-2, 2), st.floats(-5, 5), st.floats(1, 30), st.integers(1, 8))
def test_a_spring_does_the_same_in_many_ticks_as_in_one(
    offset: float, rate: float, stiffness: float, ticks: int
) -> None:
    whole = spring(offset, rate, 0.1, stiffness)
    x, v = offset, rate
    for _ in range(ticks):
        x, v = spring(x, v, 0.1 / ticks, stiffness)
    assert (x, v) == pytest.approx(whole, abs=1e-9)


def test_a_spring_from_rest_never_passes_its_rest() -> None:
    x, v = 1.0, 0.0
    for _ in range(1000):
        x, v = spring(x, v, 0.01, 12.0)
        assert 0.0 <= x <= 1.0
        assert v <= 0.0
    assert x < 1e-12


@cache
def middle_leg() -> Any:
    """A leg of the hexapod, which nobody changes."""
    return plan_of(load_creature("hexapod")).legs[2]


@pytest.mark.slow
@given(st.floats(0, 6.28), st.floats(0.15, 0.4))
def test_room_ends_at_the_soft_reach_or_at_the_smallest(angle: float, height: float) -> None:
    leg = middle_leg()
    x, y = np.cos(angle), np.sin(angle)
    free = room_to_step(leg, height, x, y)

    def fits(way: float) -> bool:
        far, stretch = reach_to(leg, (leg.home[0] + way * x, leg.home[1] + way * y, -height))
        return bool(leg.min_reach <= far and stretch <= leg.soft_reach)

    assert all(fits(share * free) for share in np.linspace(-0.999, 0.999, 41))
    assert not fits(1.001 * free) or not fits(-1.001 * free)


def test_cycles_change_with_hysteresis() -> None:
    plan, gait = zeros(PlanRecord, 1)[0], zeros(GaitRecord, 1)[0]
    cycles, gravity = zeros(CycleRecord, 3), zeros(GravityRecord, 1)[0]
    gravity.acceleration = GRAVITY
    cycles["froude"] = (0.0, 0.1, 0.3)
    plan.reach = 0.5

    def at(froude: float) -> int:
        gait.pace = np.sqrt(froude * GRAVITY * 0.5)
        change_cycle(plan, gravity, cycles, gait)
        return int(gait.cycle)

    assert [at(f) for f in (0.05, 0.11, 0.2, 0.31, 0.25)] == [0, 1, 1, 2, 2]
    assert at(0.3 * HYSTERESIS - 0.01) == 1
    assert at(0.1 * HYSTERESIS + 0.01) == 1
    assert at(0.1 * HYSTERESIS - 0.01) == 0


def test_the_ant_changes_its_gait_as_it_speeds_up() -> None:
    made = scene("meadow", "ant", driver="forward 20")
    used = [int(s.creatures[0].gait.cycle) for s in walk(made, 120)]
    assert used[0] == 0
    assert used[-1] == 2
    assert sorted(used) == used


# --- lost legs --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "leg", [leg if leg in (0, 3, 4) else pytest.param(leg, marks=THOROUGH) for leg in range(6)]
)
def test_a_hexapod_walks_on_with_any_leg_lost(leg: int) -> None:
    made = scene("hills", "hexapod", driver=f"forward 2; lose {leg}; forward 18")
    (track,) = tracks(walk(made, 1200), 60)
    assert track.is_lost[200:, leg].all()
    assert track.is_lost.sum() == track.is_lost[:, leg].sum()
    assert share_inside(track) >= 0.95
    assert np.linalg.norm(track.position[-1] - track.position[240]) > 4.0
    others = [i for i in range(6) if i != leg]
    downs = [sum(1 for k, first, _ in track.stances() if k == i and first > 300) for i in others]
    assert min(downs) > 5
    assert (track.is_swinging[300:, others].sum(axis=1) <= 2).all()


def test_a_lost_leg_is_held_up_and_comes_back_with_a_reset() -> None:
    with Simulation(scene("meadow", "hexapod", driver="forward 60")) as simulation:
        still = Input.of([()], [Event("disable_leg", 0, leg=1)])
        simulation.step(still)
        for _ in range(90):
            simulation.step()
        creature = simulation.snapshot.creatures[0]
        assert creature.tips[1, 2] > creature.tips[[0, 2, 3, 4, 5], 2].max()
        assert creature.gait.lost_count == 1
        simulation.step(Input.of([()], [Event("reset", 0)]))
        assert (simulation.snapshot.creatures[0].feet["phase"] != LOST).all()


def test_all_legs_may_be_lost() -> None:
    with Simulation(scene("hills", "hexapod")) as simulation:
        simulation.step(Input.of([()], [Event("disable_leg", 0, leg=leg) for leg in range(6)]))
        for _ in range(120):
            simulation.step()
        creature = simulation.snapshot.creatures[0]
        assert np.linalg.norm(creature.body.velocity) < 1e-6  # nothing left to walk on
        below = creature.herd.parts["sensed"]["records"][creature.row, 0]["point"]
        assert np.linalg.norm(creature.position - below) < 0.1  # it lies on its belly


# --- trunks -----------------------------------------------------------------------------------


@cache
def crept(creature: str, world: str) -> tuple[Snapshot, ...]:
    made = scene(world, creature, driver="forward 3; forward left 4; back right 4; strafe-left 2")
    return tuple(walk(made, 780))


@pytest.mark.slow
@pytest.mark.parametrize("world", ["hills", "steps"])
@pytest.mark.parametrize("creature", SEGMENTED)
def test_segments_hang_together_and_bend_no_farther_than_they_may(
    creature: str, world: str
) -> None:
    plan = plan_of(load_creature(creature))
    widest = np.arccos(plan.segments["bend"])
    for snapshot in crept(creature, world):
        trunk = snapshot.creatures[0].segments
        ahead = np.array([rotate(quat(body.orientation), (1.0, 0.0, 0.0)) for body in trunk])
        rear = trunk["position"] + plan.segments["rear"][:, None] * ahead
        front = trunk["position"] + plan.segments["front"][:, None] * ahead
        assert np.abs(rear[:-1] - front[1:]).max() < 1e-9
        cosines = np.clip((ahead[:-1] * ahead[1:]).sum(axis=1), -1.0, 1.0)
        assert (np.arccos(cosines) <= widest[1:] + 1e-6).all()


@pytest.mark.slow
@pytest.mark.parametrize("creature", SEGMENTED)
def test_segments_follow_the_way_of_the_head(creature: str) -> None:
    made = scene("meadow", creature, driver="forward 6; forward left 6; forward 20")
    *run, last = walk(made, 1500)
    heads = np.array([s.creatures[0].position[:2] for s in run])
    for body in last.creatures[0].segments:
        gap = np.linalg.norm(heads - body.position[:2], axis=1).min()
        assert gap < 0.35  # 4.4 m of trailers cut the corner a little


def tailed(**changes: Any) -> CreatureDef:
    """A hexapod with a tail of two segments, which no legs carry."""
    segment = SegmentDef(size=(0.4, 0.08, 0.06), bend=0.8, count=2)
    made = load_creature("hexapod").model_copy(update={"segments": (segment,), **changes})
    return CreatureDef.model_validate(made.model_dump())


@pytest.mark.slow
def test_a_tail_is_carried_straight_and_costs_no_speed() -> None:
    ways = []
    for creature in (tailed(), load_creature("hexapod")):
        world = with_creature(load_world("meadow"), creature)
        world = world.model_copy(update={"driver": "forward 4; forward left 4"})
        (track,) = tracks(walk(world, 480), 60)
        assert track.up[:, 2].min() > np.cos(np.radians(8.0))
        assert np.abs(track.positions[..., 2] - track.position[:, None, 2]).max() < 0.1
        ways.append(np.linalg.norm(np.diff(track.position, axis=0), axis=1).sum())
    assert ways[0] > 0.95 * ways[1]


def test_a_thin_tail_weighs_less_than_a_body() -> None:
    volumes = np.array([0.56 * 0.26 * 0.14, 0.4 * 0.08 * 0.06, 0.4 * 0.08 * 0.06])
    assert tailed().shares == pytest.approx(volumes / volumes.sum())
    assert load_creature("centipede").shares == (1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0)
    with Simulation(with_creature(load_world("meadow"), tailed())) as simulation:
        trunk = simulation.snapshot.creatures[0].segments
        assert np.array(centre_of(trunk)) == pytest.approx(tailed().shares @ trunk["position"])


@pytest.mark.slow
def test_going_back_the_tail_leads() -> None:
    *_, last = walk(scene("meadow", "millipede", driver="back 20"), 900)
    first, *_ = walk(scene("meadow", "millipede"), 0)
    way = last.creatures[0].segments["position"] - first.creatures[0].segments["position"]
    assert (way[:, 0] < -2.0).all()
    assert np.abs(way[:, 1]).max() < 0.2  # it has not jack-knifed


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["centipede", "millipede"])
def test_trunks_turn_back_and_forward_again(creature: str) -> None:
    made = scene("meadow", creature, driver="forward 3; back 4; forward 4; stop 9")
    x = [state.creatures[0].position[0] for state in walk(made, 720)]
    assert x[180] > x[0] + 0.5
    assert x[420] < x[180] - 0.5
    assert x[660] > x[420] + 0.5


# --- steering ---------------------------------------------------------------------------------


def _went(creature: str, driver: str, ticks: int = 240) -> tuple[Floats, Snapshot]:
    first, *_, last = walk(scene("meadow", creature, driver=driver), ticks)
    return last.creatures[0].position - first.creatures[0].position, last


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "spider4", "spider8", "biped"])
def test_strafing_goes_sideways_without_turning(creature: str) -> None:
    left, last = _went(creature, "strafe-left 9")
    right, _ = _went(creature, "strafe-right 9")
    assert left[1] > 0.45
    assert right[1] < -0.45
    assert abs(left[0]) < 0.2 * left[1]
    assert abs(last.creatures[0].orientation[2]) < 0.03


@pytest.mark.slow
def test_a_crab_walks_sideways() -> None:
    way, _ = _went("crab", "forward 9")
    assert way[1] > 1.5
    assert abs(way[0]) < 0.2
    ahead, _ = _went("crab", "strafe-right 9")  # right of its way is where it looks
    assert ahead[0] > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "spider8", "crab"])
def test_a_crouch_lowers_the_body_and_rising_lifts_it(creature: str) -> None:
    ride = load_creature(creature).body.ride_height
    heights = {}
    for word in ("crouch", "stop", "rise"):
        way, _ = _went(creature, f"{word} 9")
        heights[word] = way[2]
    assert heights["crouch"] < -0.2 * ride
    assert abs(heights["stop"]) < 0.02
    assert heights["rise"] > 0.1 * ride
    crept, _ = _went(creature, "forward crouch 9")
    assert np.hypot(*crept[:2]) > 1.0


@pytest.mark.slow
def test_a_push_is_stepped_off() -> None:
    made = scene("meadow", "hexapod", driver="forward 3; push 0,0.8; forward 9")
    (track,) = tracks(walk(made, 420), 60)
    assert track.velocity[182, 1] > 0.2  # what the springs of its legs did not take
    off = np.linalg.norm(track.velocity - track.wanted[:, :2], axis=1)
    assert (off[182 + 72 :] < 0.07).all()
    assert share_inside(track) > 0.97
