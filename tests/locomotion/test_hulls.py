"""The body of who climbs stays out of rock that passes between its feet and its rays ahead."""

import numpy as np
import pytest

from creature_sim.components import LOST, HitRecord, Records, zeros
from creature_sim.definitions import WorldDef
from creature_sim.inputs import Input
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.bends import ROOT
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.hulls import (
    ROOM,
    gap_before,
    hull_towards,
    keep_out,
    kept_out,
    leave_rock,
    probe_hull,
    rise_of_hull,
)
from creature_sim.locomotion.rays import ONCE, Rays
from creature_sim.locomotion.reach import coxa_end
from creature_sim.locomotion.slots import HULL_RAYS, ahead_slot, bend_slot, hull_slot, slot_count
from creature_sim.maths import Vec, X, add, along, mix, put, quat, rotate, sub, unrotate, vec
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.simulation import Simulation
from creature_sim.spawn.plans import plan_of
from tests.climbers import standing

SEGMENTS = plan_of(load_creature("hexapod").climbing).segments
WAYS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y])
WAYS = WAYS / np.linalg.norm(WAYS, axis=1)[:, None]


@pytest.fixture
def creature() -> Creature:
    """A hexapod that climbs, off plain ground, told to go straight on."""
    made, _ = standing()
    made.gait.plain = 0
    put(made.gait.commanded_velocity, (0.5, 0.0, 0.0))
    made.gait.commanded_pace = 0.5
    put(made.trunk[0].velocity, (0.5, 0.0, 0.0))
    return made


def nothing_met(creature: Creature) -> Records[HitRecord]:
    """What its rays found: nothing."""
    return zeros(HitRecord, slot_count(1, len(creature.legs), 1))


def meet(creature: Creature, hits: Records[HitRecord], way: Vec, part: float, normal: Vec) -> None:
    """Let a ray of its hull have met something at a part of its way out [segment]."""
    slot = hull_slot(1, len(creature.legs), 0)
    while hits[slot].is_hit:
        slot += 1
    body = creature.trunk[0]
    point = mix((0.0, 0.0, 0.0), hull_towards(creature, SEGMENTS[0], way), part)
    turn = quat(body.orientation)
    hits[slot].is_hit = 1
    put(hits[slot].point, add(vec(body.position), rotate(turn, point)))
    put(hits[slot].normal, rotate(turn, normal))


def test_rays_go_from_the_middle_to_every_eighth_of_the_hull(creature: Creature) -> None:
    """Of one that meets something the next one ends there, or farther out: it stays with that."""
    hits = nothing_met(creature)
    empty = np.zeros((len(hits), 3))
    rays = Rays(empty, empty.copy(), np.zeros(len(hits), np.int64))
    body, segment = creature.trunk[0], SEGMENTS[0]
    first = hull_slot(1, len(creature.legs), 0)
    half = np.array([segment.front, segment.side, segment.top]) + ROOM * creature.gait.ride_height
    eighths, ends = set(), []
    for _ in range(5 * HULL_RAYS):
        creature.gait.age += 1
        probe_hull(creature, SEGMENTS, rays, hits)
        (active,) = np.flatnonzero(rays.is_active)
        assert rays.is_active[active] == ONCE
        assert vec(rays.start[active]) == vec(body.position)
        end = unrotate(quat(body.orientation), sub(vec(rays.end[active]), vec(body.position)))
        assert np.sum((np.array(end) / half) ** 2) == pytest.approx(1.0)
        eighths.add((active, *(value > 0.0 for value in end)))
        ends.append(end)
    assert len(eighths) == HULL_RAYS
    assert len(set(ends)) == len(ends)
    hits["is_hit"][first:] = 1
    for slot in range(first, first + HULL_RAYS):
        put(hits[slot].point, mix(vec(body.position), vec(rays.end[slot]), 0.8))
    known = rays.end.copy()
    for _ in range(HULL_RAYS):
        creature.gait.age += 1
        probe_hull(creature, SEGMENTS, rays, hits)
    assert rays.end == pytest.approx(known)


def test_on_plain_ground_nobody_looks_at_its_hull(creature: Creature) -> None:
    hits = nothing_met(creature)
    empty = np.zeros((len(hits), 3))
    rays = Rays(empty, empty.copy(), np.zeros(len(hits), np.int64))
    creature.gait.plain = 10_000
    hits["is_hit"] = 1
    for _ in range(HULL_RAYS):
        creature.gait.age += 1
        probe_hull(creature, SEGMENTS, rays, hits)
        assert not rays.is_active.any()
    assert not hits["is_hit"][hull_slot(1, len(creature.legs), 0) :].any()


@pytest.mark.parametrize(("part", "goes"), [(1.02, 0.01), (0.9, -0.01)])
def test_a_hull_stops_before_rock_and_leaves_it(
    creature: Creature, part: float, goes: float
) -> None:
    """What is beside its way and faces it; with the way itself walled it goes nowhere else."""
    hits = nothing_met(creature)
    hits[ahead_slot(1, len(creature.legs), 0)].is_hit = 1
    meet(creature, hits, (1.0, 0.3, 0.0), part, (-1.0, 0.0, 0.0))
    leave_rock(creature, SEGMENTS, 0, hits)
    speed = creature.trunk[0].velocity[0]
    assert speed > goes if goes > 0.0 else speed < goes
    assert speed < 0.5
    assert creature.trunk[0].velocity[1] == 0.0
    put(creature.trunk[0].velocity, (0.5, 0.0, 0.0))  # once more, after it has braked
    keep_out(creature, SEGMENTS, 0, hits)
    assert creature.trunk[0].velocity[0] == pytest.approx(max(0.0, speed))


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_body_goes_round_what_is_beside_its_way(creature: Creature, side: float) -> None:
    """The end of a wall beside a doorway: it stood before that, or went through it."""
    hits = nothing_met(creature)
    meet(creature, hits, (1.0, 0.3 * side, 0.0), 0.95, (-1.0, 0.0, 0.0))
    for _ in range(3):  # no faster each time
        leave_rock(creature, SEGMENTS, 0, hits)
    assert creature.trunk[0].velocity[1] == pytest.approx(-0.15 * side)
    put(creature.trunk[0].velocity, (0.5, 0.0, 0.0))
    hits = nothing_met(creature)
    meet(creature, hits, (1.0, 0.3 * side, 0.0), 0.95, (0.0, 0.0, 1.0))  # it is below
    leave_rock(creature, SEGMENTS, 0, hits)
    assert vec(creature.trunk[0].velocity) == (0.5, 0.0, 0.0)


@pytest.mark.parametrize("i", [0, 1])
def test_a_body_keeps_its_coxae_out_of_rock(creature: Creature, i: int) -> None:
    """The end of a wall passed the hull, and hips and coxae went into it. A lost leg has none."""
    leg, body, hits = creature.legs[i], creature.trunk[0], nothing_met(creature)
    end = coxa_end(vec(body.position), quat(body.orientation), leg)
    hit = hits[bend_slot(1, len(creature.legs), i) + ROOT]
    hit.is_hit = 1
    put(hit.point, along(end, X, leg.hip_radius + 0.001))
    put(hit.normal, (-1.0, 0.0, 0.0))
    leave_rock(creature, SEGMENTS, 0, hits)
    assert 0.0 < body.velocity[0] < 0.1
    assert body.velocity[1] == pytest.approx(-0.15 * np.sign(leg.mount[1]))
    assert kept_out(creature, SEGMENTS, 0, hits, X)[0] == pytest.approx(0.001)
    put(hit.point, along(end, X, leg.hip_radius - 0.01))
    keep_out(creature, SEGMENTS, 0, hits)
    assert body.velocity[0] == 0.0
    leave_rock(creature, SEGMENTS, 0, hits)
    assert body.velocity[0] == pytest.approx(-0.02)
    creature.feet[i].phase = LOST
    put(body.velocity, X)
    leave_rock(creature, SEGMENTS, 0, hits)
    assert vec(body.velocity) == X


def test_a_body_rises_above_what_is_in_its_hull(creature: Creature) -> None:
    """Beside the rim of a shelf it came down onto its corner."""
    hits = nothing_met(creature)
    assert rise_of_hull(creature, SEGMENTS, 0, hits) == -np.inf
    meet(creature, hits, (0.5, 0.3, -1.0), 0.8, (0.0, 0.0, 1.0))
    slot = hull_slot(1, len(creature.legs), 0)
    deep = -gap_before(creature, SEGMENTS[0], 0, 0, hits[slot])
    assert deep > 0.0
    assert rise_of_hull(creature, SEGMENTS, 0, hits) == pytest.approx(deep)
    put(hits[slot].normal, (-1.0, 0.0, 0.0))  # it goes aside for that
    assert rise_of_hull(creature, SEGMENTS, 0, hits) == -np.inf


def test_a_body_shifts_no_farther_into_rock(creature: Creature) -> None:
    """Between feet beside a pillar it shifted its weight into that, and walked on in there."""
    hits = nothing_met(creature)
    meet(creature, hits, (0.0, 1.0, 0.0), 0.9, (0.0, -1.0, 0.0))
    turn = quat(creature.trunk[0].orientation)
    for asked, gets in (((0.01, 0.02, 0.0), (0.01, 0.0, 0.0)), ((0.0, -0.02, 0.01),) * 2):
        step = kept_out(creature, SEGMENTS, 0, hits, rotate(turn, asked))
        assert unrotate(turn, step) == pytest.approx(gets, abs=1e-9)


def meeting_the_end_of_a_wall(name: str, aside: float) -> WorldDef:
    """Who climbs, before a wall across its way that ends .04 m and `aside` left of its middle."""
    made = load_creature(name).climbing
    end = {"shape": "box", "size": (0.3, 3.0, 2.0), "position": (1.8, 1.54 + aside, 1.0)}
    return WorldDef.model_validate(
        {
            "name": "here",
            "driver": "forward 10",
            "terrain": {"kind": "solids", "solids": [end]},
            "creatures": [{"creature": made.name}],
            "species": {made.name: made},
        }
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ant", "hexapod"])
def test_nobody_walks_through_the_end_of_a_wall(name: str) -> None:
    """Its middle passed beside that, one half of it went into it, and then all of it."""
    world = meeting_the_end_of_a_wall(name, 0.0)
    is_in, farthest = [], 0.0
    with Simulation(world) as simulation:
        for _ in range(14 * world.tick_rate):
            simulation.step(Input.of([(1.0, 0.0, 0.0)]))
            (state,) = simulation.snapshot.creatures
            segment = state.plan.segments[0]
            middle, turn = np.array(state.position), rotation_matrices(np.array(state.orientation))
            hull = middle + WAYS * (segment.front, segment.side, segment.top) @ turn.T
            fractions, _ = simulation.physics.cast(np.tile(middle, (len(hull), 1)), hull)
            is_in.append(fractions.min() < 0.9)
            farthest = max(farthest, middle[0])
    assert np.mean(is_in) < 0.1  # it was .4 to .8
    assert farthest > 2.5  # past it


@pytest.mark.slow
@pytest.mark.parametrize("aside", [-0.03, -0.01, 0.03, 0.05])
def test_who_is_stopped_by_the_end_of_a_wall_goes_back_and_aside(aside: float) -> None:
    """An ant went back and on along the same line, again and again, one foot at the wall."""
    world = meeting_the_end_of_a_wall("ant", aside)
    with Simulation(world) as simulation:
        for _ in range(14 * world.tick_rate):
            simulation.step(Input.of([(1.0, 0.0, 0.0)]))
        (state,) = simulation.snapshot.creatures
    assert state.position[0] > 4.0
    assert abs(state.position[1]) < 0.4
