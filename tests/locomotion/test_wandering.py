"""Wanderers that climb: they come to all sides of the world, and get past what stops them."""

from itertools import pairwise

import numpy as np
import pytest

from creature_sim.components import BodyRecord, CommandRecord, GaitRecord, HitRecord, zeros
from creature_sim.definitions import CreatureDef
from creature_sim.inputs import FULL
from creature_sim.lab.course import Course, Trial
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.locomotion.slots import ahead_slot
from creature_sim.locomotion.wandering import (
    BACKS_AT,
    FACES_HOME,
    HOMES,
    LASTS,
    LED_AWAY,
    PASSES_AT,
    TURNS_AT,
    faces_wall,
    is_blocked,
    next_side,
    onward_turn,
    wander,
)
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    cross,
    dot,
    put,
    put_quat,
    quat,
    quat_multiply,
    quat_turned,
    rotate,
    scale,
)
from creature_sim.score import Walk, metric_specs, tracks
from creature_sim.score.climbs import sides_of
from creature_sim.simulation import Simulation
from creature_sim.spawn.plans import plan_of
from tests.climbers import go, in_room
from tests.scenes import walk


class Wanderer:
    """One creature in a room, half a second after it came, as its driver sees it."""

    def __init__(self, creature: CreatureDef) -> None:
        with Simulation(in_room(creature)) as simulation:
            herd = go(simulation, 0.5)[-1].herd
            self.gravity = simulation.snapshot.gravity
        self.plan, self.heading = herd.plan, herd.definition.motion.heading
        self.members = herd.members
        self.bodies, self.gaits, self.commands, self.hits = (
            herd.parts[name].of("records").copy() for name in ("body", "gait", "command", "sensed")
        )
        self.slot = ahead_slot(len(self.plan.segments), len(self.plan.legs), 0)

    def told(self, border: float, mood: int = 1, is_new: bool = False) -> Floats:
        """The axes (4,) that it is told in a mood, where it may go so far along X."""
        axes = np.zeros((1, 4))
        herd = self.plan.body, self.heading, self.gravity, self.bodies, self.members
        seen = self.gaits, self.commands, self.hits, self.slot
        wander(*herd, *seen, 0, mood, is_new, (border, 9.0), axes)
        own: Floats = axes[0]
        return own

    def way_of(self, axes: Floats) -> Vec:
        """Where these axes (4,) lead from where it stands [world]."""
        forward, _, strafe, _ = axes
        sine, cosine = np.sin(self.heading), np.cos(self.heading)
        way = (cosine * forward - sine * strafe, sine * forward + cosine * strafe, 0.0)
        return rotate(quat(self.bodies[0, 0]["orientation"]), way)


@pytest.mark.parametrize("order", range(8))
def test_each_side_of_a_box_comes_after_one_beside_it_and_after_six_all_were_there(
    order: int,
) -> None:
    sides = [(0.1, -0.2, 0.9)]
    for _ in range(6):
        sides.append(next_side(sides[-1], order))
    assert len(set(sides[1:])) == 6
    assert all(abs(np.dot(a, b)) < 0.3 for a, b in pairwise(sides))


def test_orders_of_sides_differ() -> None:
    assert len({next_side((0.0, 0.0, 1.0), order) for order in range(8)}) == 4


def test_who_gets_past_a_wall_keeps_turning_to_the_side_that_it_has_chosen() -> None:
    """It stood before the wall, told to turn one way and the other one in turn."""
    body, told = zeros(BodyRecord, 1)[0], zeros(CommandRecord, 1)[0]
    for wished in (-0.5, 0.5):
        body.yaw_rate, told.forward, told.turn = 0.0, FULL, 0
        assert onward_turn(body, told, wished) == np.sign(wished)
        body.yaw_rate = -wished  # it turns already
        assert onward_turn(body, told, wished) == -np.sign(wished)
        for forward in (TURNS_AT, BACKS_AT, PASSES_AT):
            told.forward, told.turn = round(forward * FULL), int(FULL * np.sign(wished))
            assert onward_turn(body, told, -wished) == np.sign(wished)


@pytest.mark.parametrize("climbs", [False, True])
def test_who_has_to_go_back_turns_away(climbs: bool) -> None:
    """An ant came back to the same place at an edge for a minute and a half."""
    creature = load_creature("ant")
    plan = plan_of(creature.climbing if climbs else creature).body[0]
    body, gait = zeros(BodyRecord, 1)[0], zeros(GaitRecord, 1)[0]
    told, wall = zeros(CommandRecord, 1)[0], zeros(HitRecord, 1)[0]
    put_quat(body.orientation, (0.0, 0.0, 0.0, 1.0))
    for stuck, has_to_turn in ((-10, True), (0, False), (10, False)):
        gait.stuck = stuck
        assert is_blocked(plan, 0.0, body, gait, told, wall) == has_to_turn


@pytest.mark.parametrize(
    ("climbs", "has_wall", "pace"),
    [(True, False, BACKS_AT), (True, True, TURNS_AT), (False, False, TURNS_AT)],
)
def test_a_climber_that_an_edge_has_caught_backs_out_briskly(
    climbs: bool, has_wall: bool, pace: float
) -> None:
    """Before a wall it waits until it has turned up that."""
    creature = load_creature("ant")
    one = Wanderer(creature.climbing if climbs else creature)
    one.gaits["stuck"] = -10
    wall = one.hits[0, one.slot]
    wall["is_hit"] = has_wall
    put(wall["normal"], rotate(quat(one.bodies[0, 0]["orientation"]), (-1.0, 0.0, 0.0)))
    axes = one.told(9.0)
    assert axes[0] == pace
    assert abs(axes[1]) == 1.0  # and turns


@pytest.mark.parametrize("facing", [-2.0, 0.1, 1.0, 2.5])
def test_a_climber_in_a_doorway_goes_home_whichever_way_it_faces(facing: float) -> None:
    """Ants turned on the spot there, on a strip narrower than their stance, for half a minute."""
    one = Wanderer(load_creature("ant").climbing)
    body, reach, border = one.bodies[0, 0], one.plan.body["reach"][0], 4.5

    def sent(x: float, y: float, turned: Quat) -> tuple[Vec, Floats]:
        """Where it is told to go [world], and the axes."""
        put(body["position"], (x, y, 1.0))
        put_quat(body["orientation"], turned)
        axes = one.told(border)
        one.commands[0]["strafe"] = round(axes[2] * FULL)
        return one.way_of(axes), axes

    on_jamb = quat_multiply(quat_turned((0.5 * np.pi, 0.0, 0.0)), quat_turned((0.0, 0.0, facing)))
    for off in (0.2, 0.2 - 0.9 * reach):  # and goes on until it is well inside
        way, axes = sent(border + off, 0.6, on_jamb)
        np.testing.assert_allclose(way, (-HOMES, 0.0, 0.0), atol=1e-9)
        assert 0.0 < abs(axes[1]) <= FACES_HOME
    _, axes = sent(border - 1.1 * reach, 0.6, on_jamb)
    assert axes[2] == 0.0
    outside = quat_multiply(quat_turned((0.0, 0.5 * np.pi, 0.0)), quat_turned((0.0, 0.0, facing)))
    one.commands["strafe"] = 1
    way, _ = sent(border + 0.2, 0.0, outside)
    np.testing.assert_allclose(way, (0.0, 0.0, -HOMES), atol=1e-9)
    one.commands["strafe"] = 0
    _, axes = sent(border + 0.2, 0.0, quat_turned((0.0, 0.0, facing)))  # on a floor it turns
    assert axes[2] == 0.0


@pytest.mark.parametrize("facing", [-2.0, 0.1, 1.0, 2.5])
@pytest.mark.parametrize(
    ("edge", "off"), [((0.0, 0.0, -1.0), 0.0), ((0.0, 1.0, 0.0), 0.6), ((0.0, -1.0, 0.0), -0.6)]
)
def test_a_climber_at_the_edge_of_a_doorway_goes_onto_the_wall_and_is_home_there(
    edge: Vec, off: float, facing: float
) -> None:
    """Home was sought below: above a doorway along its up, and the way there was noise."""
    one = Wanderer(load_creature("ant").climbing)
    body, border = one.bodies[0, 0], 4.5

    def sent(turned: Quat) -> tuple[Vec, float]:
        """Where it is told to go [world], and the axis aside."""
        put_quat(body["orientation"], quat_multiply(turned, quat_turned((0.0, 0.0, facing))))
        one.commands["strafe"] = 1  # it is on its way home
        axes = one.told(border)
        return one.way_of(axes), axes[2]

    put(body["position"], (border - 0.14, off, 1.75))
    flat = quat_turned((0.0, -0.5 * np.pi, 0.0))
    for leans in (0.25, 0.38, 0.7):
        over_edge = quat_multiply(quat_turned(scale(cross((-1.0, 0.0, 0.0), edge), leans)), flat)
        way, _ = sent(over_edge)
        assert dot(way, edge) < -0.7 * HOMES
    _, strafe = sent(flat)
    assert strafe == 0.0


def test_who_has_come_home_is_led_away_from_the_side_that_it_was_drawn_to() -> None:
    """It was drawn past the same wall again, sent home again, and so on for a minute."""
    one = Wanderer(load_creature("ant").climbing)
    put(one.bodies[0, 0]["position"], (0.0, 0.0, 0.3))
    side = {}
    for was_sent in (False, True):
        one.commands["strafe"] = was_sent
        forward, turn, strafe, _ = one.told(4.5)
        side[was_sent] = turn
        assert strafe == 0.0
        assert (forward == LED_AWAY) == was_sent
    assert abs(side[True] - side[False]) > 0.5
    one.commands["strafe"], one.commands["forward"] = 0, round(LED_AWAY * FULL)
    for mood, is_led in ((LASTS - 1, True), (LASTS, False)):
        axes = one.told(4.5, mood, True)
        assert (axes[0] == LED_AWAY and axes[1] == side[True]) == is_led


def test_who_goes_along_a_wall_does_not_face_it() -> None:
    body, wall = zeros(BodyRecord, 1)[0], zeros(HitRecord, 1)[0]
    put_quat(body.orientation, (0.0, 0.0, 0.0, 1.0))
    for normal, is_faced in (((-1.0, 0.0, 0.0), True), ((-0.1, 0.99, 0.0), False)):
        put(wall.normal, normal)
        wall.is_hit = 1
        assert faces_wall(0.0, body, wall) == is_faced
        assert not faces_wall(np.pi, body, wall)  # it calls ahead what is behind others
        wall.is_hit = 0
        assert not faces_wall(0.0, body, wall)


@pytest.mark.slow
def test_a_wanderer_that_climbs_is_on_all_sides_of_a_room_and_stays_in_it() -> None:
    world = with_creature(load_world("room"), load_creature("hexapod").climbing)
    (track,) = tracks(walk(world.model_copy(update={"seed": 2}), 18000), 60)
    assert sides_of(track).all()
    half = 0.5 * world.terrain.model_dump()["length"]
    assert np.abs(track.position[:, 0]).max() < half + 1.0


@pytest.mark.slow
def test_a_wanderer_in_a_corridor_does_not_stand_before_walls() -> None:
    """An ant did so for up to 5.3 s."""
    creature = load_creature("ant").climbing
    world = Course.of(creature).world(creature, Trial("corridor", 0.5, 2))
    terrain = world.terrain.model_copy(update={"length": 62.0})
    world = world.model_copy(update={"driver": "wander", "seed": 2, "terrain": terrain})
    (track,) = tracks(walk(world, 9000), 60)
    metric = metric_specs()["M35"].measure(Walk(track))
    assert metric.value is not None
    assert metric.value < 2.0
