"""Robots made of creatures: masses, limits, feet at home, legs that bend as the solver's."""

from math import fsum, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.definitions import CreatureDef
from creature_sim.definitions.hinging import BALL, Joint
from creature_sim.definitions.names import leg_names
from creature_sim.ik.balls import turn_of_swing
from creature_sim.ik.hinges import Hinges, bends, lay, write_arc
from creature_sim.library.loader import load_creature
from creature_sim.maths import quat_about, quat_multiply
from creature_sim.robots.building import robot_of, standing_count
from creature_sim.robots.inertia import ball, box, capsule, disc
from creature_sim.robots.robot import FIXED
from creature_sim.robots.turns import angles_of_ball, ball_turns
from tests.marks import few
from tests.robots.robots import CREATURES, limits, placed, rest, robot


@pytest.mark.parametrize("creature", CREATURES)
def test_masses_add_up_and_every_link_can_turn(creature: str) -> None:
    made = robot(creature)
    assert fsum(link.mass for link in made.links) == load_creature(creature).body.mass == made.mass
    for link in made.links:
        assert link.mass > 0.0
        x, y, z, *products = link.inertia
        assert min(x, y, z) > 0.0
        assert max(x, y, z) <= 0.5 * (x + y + z)  # of a solid: the triangle inequality
        assert products == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("creature", CREATURES)
def test_it_stands_on_its_feet_at_home_within_limits(creature: str) -> None:
    plan, made = load_creature(creature), robot(creature)
    places = placed(made, rest(made))
    for name, leg in zip(leg_names(plan), plan.all_legs, strict=True):
        (found,) = places[f"{name}_foot"]
        home = leg.home[0] + plan.centres[leg.segment], leg.home[1], -made.height
        assert found == pytest.approx(home, abs=1e-9)
    assert len(made.feet) == len(plan.all_legs)
    for joint in made.joints:
        assert joint.lo <= joint.rest <= joint.hi
        assert joint.effort > 0.0
        assert joint.velocity > 0.0


@pytest.mark.parametrize("creature", CREATURES)
def test_parents_come_before_their_children_and_names_once(creature: str) -> None:
    links = robot(creature).links
    assert links[0].joint is None
    assert all(0 <= link.parent < index for index, link in enumerate(links) if index)
    assert len({link.name for link in links}) == len(links)
    joints = [link.joint.name for link in links if link.joint]
    assert len(set(joints)) == len(joints)
    moving = [link.joint for link in links if link.joint and link.joint.kind != FIXED]
    assert list(robot(creature).joints) == moving


@pytest.mark.parametrize("creature", ["hexapod", "spider8"])
def test_legs_bend_as_those_of_the_solver(creature: str) -> None:
    plan, made = load_creature(creature), robot(creature)
    low, high = limits(made)
    names = [joint.name for joint in made.joints]
    angles = low + (high - low) * np.random.default_rng(3).random((50, len(low)))
    places = placed(made, angles)
    for name, leg, joints in zip(leg_names(plan), plan.all_legs, plan.leg_joints, strict=True):
        lengths, count = np.array(leg.bones[1:]), len(leg.bones) - 1
        hinges = Hinges(lengths, np.array([j[1:3] for j in joints[1:]]), np.zeros((count, 7)))
        for b in range(count):
            write_arc(hinges.arcs[b], *hinges.limits[b])
        columns = [names.index(f"{name}_joint_{b + 1}_bend") for b in range(count)]
        for row in range(len(angles)):
            pose = bends(count)
            lay(hinges, pose, angles[row, columns], count)
            root = places[f"{name}_bone_2"][row]
            tip = places[f"{name}_foot"][row] - root
            found = np.hypot(tip[0], tip[1]), tip[2]
            x, z = pose.points[count]
            assert found == pytest.approx((abs(x), z), abs=1e-12)


cones = st.floats(0.1, 1.5)
parts = st.floats(-1.0, 1.0)


def test_hinges_of_a_ball_go_as_far_as_its_motor_does() -> None:
    joint = Joint(BALL, cone=(0.5, 0.3), swing=(-3.0, 0.4))
    narrow, wide = ball_turns(joint._replace(swing=(0.0, 0.0)))[0], ball_turns(joint)[0]
    assert (wide.lo, wide.hi) == (-3.0, narrow.hi)  # and no less far than the cone


@pytest.mark.slow
@few
@given(cones, cones, parts, parts, parts)
def test_hinges_do_what_a_ball_may(a: float, b: float, y: float, z: float, twist: float) -> None:
    joint = Joint(BALL, cone=(a, b), twist_lo=-0.8, twist_hi=0.6)
    size = max(1.0, np.hypot(y, z))
    turn = turn_of_swing((a * y / size, b * z / size, 0.6 * twist))
    angles = angles_of_ball(turn)
    made = (0.0, 0.0, 0.0, 1.0)
    for hinge, angle in zip(ball_turns(joint), angles, strict=True):
        assert hinge.lo - 2e-3 <= angle <= hinge.hi + 2e-3
        made = quat_multiply(made, quat_about(hinge.axis, angle))
    assert abs(np.dot(made, turn)) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.slow
def test_solids_have_the_inertia_of_the_textbook() -> None:
    """Against sums over grids of points."""
    ticks = np.linspace(-0.3, 0.3, 121)
    x, y, z = np.meshgrid(ticks, ticks, ticks, indexing="ij")
    cell = (ticks[1] - ticks[0]) ** 3
    beyond = np.maximum(abs(x) - 0.15, 0.0)
    for lump, inside in (
        (capsule(0.1, 0.3), beyond**2 + y**2 + z**2 < 0.01),
        (disc(0.1, 0.25, (0.0, 0.0, 0.0)), (x / 0.1) ** 2 + (y**2 + z**2) / 0.0625 < 1.0),
    ):
        assert lump.mass == pytest.approx(inside.sum() * cell, rel=0.02)
        squares = [(part**2)[inside].sum() * cell for part in (x, y, z)]
        found = [squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1]]
        assert lump.inertia == pytest.approx(found, rel=0.03)
    assert box((0.1, 0.2, 0.3), (0.0, 0.0, 0.0)).inertia[2] == pytest.approx(0.006 * 0.05 / 12.0)
    assert ball(2.0, 0.1).inertia == pytest.approx((0.008,) * 3)
    assert capsule(0.1, 0.0).mass == pytest.approx(4e-3 / 3.0 * pi)


def with_masses(creature: str, body: float, head: float, leg: float) -> CreatureDef:
    fields = load_creature(creature).model_dump()
    fields["body"]["mass"], fields["head"]["mass"] = body, head
    for pair in fields["leg_pairs"]:
        pair["mass"] = leg
    return CreatureDef.model_validate(fields)


def test_masses_that_are_written_are_taken() -> None:
    made = robot_of(with_masses("centipede", 5.0, 0.3, 0.4))
    masses = {link.name: link.mass for link in made.links}
    legs = [sum(mass for name, mass in masses.items() if name[:2] == leg) for leg in ("L1", "R3")]
    assert legs == pytest.approx([0.4, 0.4])
    assert sum(mass for name, mass in masses.items() if "head" in name) == pytest.approx(0.3)
    assert made.mass == 5.0
    segment = sum(mass for name, mass in masses.items() if "segment_2" in name)
    assert segment / masses["body"] == pytest.approx(0.34 * 0.18 * 0.12 / (0.34 * 0.20 * 0.13))


def test_parts_that_weigh_as_much_as_all_are_refused() -> None:
    with pytest.raises(
        ValueError, match="expected more than the masses of segments, head and legs"
    ):
        with_masses("hexapod", 4.0, 0.4, 0.6)


def test_a_foot_carries_what_stands_least() -> None:
    counts = {name: standing_count(load_creature(name)) for name in CREATURES}
    assert counts["hexapod"] == 3
    assert counts["biped"] == 1
    assert counts["spider8"] == 4
    assert 2 <= counts["spider4"] <= 3


def test_what_cannot_turn_and_soles_without_length_are_solid_all_the_same() -> None:
    """Formats refuse limits that are one angle, and boxes of size 0."""
    fields = load_creature("biped").model_dump()
    (pair,) = fields["leg_pairs"]
    pair["foot"] = {"heel": 0.0, "toe": 0.0}
    pair["home"] = (pair["home"][0], pair["mount"][1])  # below its hip no sole has to roll
    pair["joints"][2].update(lo=(-1.9, 0.0), hi=(1.2, 0.0))
    made = robot_of(CreatureDef.model_validate(fields))
    low, high = limits(made)
    assert (high > low).all()
    assert all(min(shape.size) > 0.0 for link in made.links for shape in link.shapes)
