"""Soles that stand keep their direction on the ground, wherever knees point."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from creature_sim.advice import plan_advice
from creature_sim.components import SWINGS, YAWS
from creature_sim.definitions import CreatureDef
from creature_sim.inputs import Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.locomotion.ankles import twist_of_sole
from creature_sim.maths import quat_about, quat_from_axes, quat_multiply
from creature_sim.maths.geometry import pitched, rotation_angles
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.spawn.plans import plan_of
from tests.advice.spoiling import followed, table_of

FAN = [
    [1.0, 0.0, 0.0], [1.0, 0.6, 0.4], [0.5, 1.0, 0.5], [0.0, 1.0, 0.5], [-1.0, 0.6, 0.4],
    [1.0, 0.3, 0.2], [1.0, 0.5, -0.4],
]  # fmt: skip
STEADY = 2.5
"""A sole that stands turns by no more than this in a tick..."""
SWUNG = 6.0
"""...and one in the air by no more than this [degrees]."""


def squat(pole: list[float], **changes: object) -> CreatureDef:
    """Who squats like a frog: hind legs far out to the side, ankles as high as hips."""
    table = table_of("spider4")
    fore = {
        "mount": [0.10, 0.10, -0.02], "bones": [0.09, 0.10, 0.04], "home": [0.13, 0.20],
        "pole": [-0.6, 0.2, 0.8], "foot": {"heel": 0.02, "toe": 0.06},
    }  # fmt: skip
    hind = {
        "mount": [-0.13, 0.08, 0.0], "bones": [0.20, 0.22, 0.12], "home": [-0.12, 0.24],
        "pole": pole, "foot": {"heel": 0.03, "toe": 0.12},
    }  # fmt: skip
    body = {"size": [0.30, 0.24, 0.12], "ride_height": 0.14, "mass": 1.2}
    motion = {"speed": 0.19, "turn_rate": 0.8, "acceleration": 1.0, "turn_acceleration": 3.0}
    gait = {
        "kind": "phase", "pattern": "wave", "duty_factor": 0.8, "stride_length": 0.18,
        "step_height": 0.06,
    }  # fmt: skip
    legs = {"leg_pairs": [fore, hind | changes]}
    return CreatureDef.model_validate(
        {"name": table["name"], "body": body, "motion": motion, "gait": gait} | legs
    )


def upright(pole: list[float]) -> CreatureDef:
    """A biped whose file says nothing of joints."""
    table = table_of("biped")
    (pair,) = table["leg_pairs"]
    del pair["joints"]
    pair["pole"] = pole
    return CreatureDef.model_validate(table)


class Turns:
    """How far the soles of a creature turn in a walk ahead and to the left [degrees].

    Those that stand beside what they roll.

    Attributes:
        standing: largest turn in a tick of soles that stand.
        flying: largest of those in the air.
        stance: largest turn between the first and the last tick of a stance.
        distance: that the body went [m].
    """

    def __init__(self, definition: CreatureDef, world: str = "meadow") -> None:
        rotations, rolls, swings, places = [], [], [], []
        with Simulation(with_creature(load_world(world), definition)) as simulation:
            for tick in range(480):
                simulation.step(Input.of([(1.0, 0.6 if tick > 240 else 0.0)]))
                pose = pose_of(simulation.snapshot).creature(0)
                creature = simulation.snapshot.creatures[0]
                rotations.append(creature.foot_rotations)
                rolls.append(creature.herd.parts["foot_target"]["records"]["roll"][creature.row])
                swings.append(pose.is_swinging)
                places.append(pose.position)
        soles = [i for i, leg in enumerate(definition.all_legs) if leg.foot]
        turned, flies = np.array(rotations)[:, soles], np.array(swings)[:, soles]
        level = pitched(turned, np.array(rolls)[:, soles])
        stands = ~flies[1:] & ~flies[:-1]
        self.standing = float(np.degrees(rotation_angles(level[:-1], level[1:]))[stands].max())
        self.flying = float(np.degrees(rotation_angles(turned[:-1], turned[1:]))[~stands].max())
        self.stance = max(
            float(np.degrees(rotation_angles(level[part[:1], leg], level[part[-1:], leg]))[0])
            for leg in range(len(soles))
            for part in np.split(np.arange(480), np.flatnonzero(np.diff(flies[:, leg])) + 1)
            if not flies[part[0], leg]
        )
        self.distance = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())


@pytest.mark.slow
@pytest.mark.parametrize("pole", FAN, ids=str)
def test_standing_soles_keep_their_direction_below_balls(pole: list[float]) -> None:
    """They pointed along their leg's plane: where that came near level they turned right round."""
    made = squat(pole)
    assert plan_of(made).legs["hip"].tolist()[2:] == [SWINGS, SWINGS]
    turns = Turns(made)
    assert turns.standing < STEADY
    assert turns.stance < 8.0
    assert turns.flying < SWUNG
    assert turns.distance > 0.8


def test_standing_soles_keep_their_direction_below_hinges() -> None:
    """They turned with the leg about its hip, by as much as that did in a stance."""
    made = squat([0.0, 0.0, 1.0])
    assert plan_of(made).legs["hip"].tolist()[2:] == [YAWS, YAWS]
    turns = Turns(made)
    assert turns.standing < STEADY
    assert turns.stance < 8.0
    assert turns.flying < SWUNG


@pytest.mark.slow
@pytest.mark.parametrize("pole", [[-1.0, 0.0, 0.0], [1.0, 0.4, 0.0], [0.3, 1.0, 0.0]], ids=str)
def test_standing_soles_keep_their_direction_below_bipeds(pole: list[float]) -> None:
    turns = Turns(upright(pole))
    assert turns.standing < STEADY
    assert turns.stance < 8.0
    assert turns.flying < SWUNG


@pytest.mark.slow
def test_soles_of_a_biped_keep_their_direction_on_slopes() -> None:
    """Knees pointed to level toes, and soles along the plane of their leg, which turned with it."""
    turns = Turns(load_creature("biped"), "hills")
    assert turns.stance < 0.1
    assert turns.flying < SWUNG


@pytest.mark.parametrize("turn", [[-3.1, 3.1], [-0.3, 0.2]])
def test_a_sole_turns_about_its_bone_within_its_limits(turn: list[float]) -> None:
    """For any rotation of the last bone, and any heading."""
    table = table_of("biped")
    ankle = table["leg_pairs"][0]["joints"][2]
    ankle["turn"] = turn
    leg = plan_of(CreatureDef.model_validate(table)).legs[0]
    rng = np.random.default_rng(7)
    down, toes = (0.0, 0.0, -1.0), (-1.0, 0.0, 0.0)  # of the bone, with knees that point back
    flat = quat_from_axes(down, (0.0, -1.0, 0.0), toes)
    for yaw, want in product(rng.uniform(-3.0, 3.0, 12), rng.uniform(-3.0, 3.0, 12)):
        bone = quat_multiply(quat_about((0.0, 0.0, 1.0), float(yaw)), flat)
        heading = (float(np.cos(want)), float(np.sin(want)), float(rng.uniform(-0.5, 0.5)))
        off = (yaw - want + np.pi) % (2.0 * np.pi) - np.pi  # about what points down
        twist = twist_of_sole(leg, bone, heading)
        assert twist == pytest.approx(min(max(off, turn[0]), turn[1]), abs=1e-9)


def test_a_pair_mirrors_how_its_soles_turn() -> None:
    left, right = squat([1.0, 0.6, 0.4]).leg_joints[2:]
    assert left[-1].turns
    assert left[-1].frees_knees
    assert right[-1].turn_rest == pytest.approx(-left[-1].turn_rest, abs=1e-12)
    assert (right[-1].second_lo, right[-1].second_hi) == pytest.approx(
        (-left[-1].second_hi, -left[-1].second_lo), abs=1e-12
    )
    table = table_of("biped")
    table["leg_pairs"][0]["joints"][2]["turn"] = [-0.2, 0.5]
    ankles: Any = [joints[-1] for joints in CreatureDef.model_validate(table).leg_joints]
    assert [(ankle.turn_lo, ankle.turn_hi) for ankle in ankles] == [(-0.2, 0.5), (-0.5, 0.2)]


def test_check_names_poles_that_soles_do_not_follow() -> None:
    """Of ankles that are written, and do not turn: knees go where the sole points."""
    table = table_of("biped")
    assert not [advice for advice in plan_advice(load_creature("biped")) if "pole" in str(advice)]
    table["leg_pairs"][0]["pole"] = [-1.0, 0.9, 0.0]
    made = CreatureDef.model_validate(table)
    (advice,) = [advice for advice in plan_advice(made) if "pole" in advice.reason]
    assert advice.key == "leg_pairs[0].joints[2].turn"
    assert "expected a sole that turns about the last bone" in advice.reason
    mended = followed(made, [advice])
    assert not [advice for advice in plan_advice(mended) if "joints[2].turn" in advice.key]


def test_check_names_poles_along_the_leg() -> None:
    made = squat([0.2, 1.0, 0.5])
    (advice,) = [advice for advice in plan_advice(made) if "across the leg" in advice.reason]
    assert (advice.key, advice.found) == ("leg_pairs[1].pole", [0.2, 1.0, 0.5])
    assert not [
        advice
        for advice in plan_advice(followed(made, [advice]))
        if "across the leg" in advice.reason
    ]
