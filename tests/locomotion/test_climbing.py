"""Creatures that climb: up walls, over edges, along ceilings, and back."""

from collections.abc import Mapping

import numpy as np
import pytest

from creature_sim import Simulation
from creature_sim.components import STANDING
from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.inputs import FULL, Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.locomotion.stature import rise_of_hips
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_angles
from creature_sim.score import tracks
from tests.climbers import climber, standing, up_of

RATE = 60

CLIMBERS = ("hexapod", "ant", "spider4", "spider8")
ROOM = {"kind": "room", "length": 5.0, "width": 6.0, "height": 2.4}
BLOCK = {
    "kind": "solids",
    "solids": [{"shape": "box", "size": (3.0, 8.0, 1.6), "position": (3.5, 0.0, 0.8)}],
}

GECKO = {
    "name": "gecko",
    "body": {"size": (0.40, 0.18, 0.10), "ride_height": 0.14, "mass": 0.8},
    "segments": [{"size": (0.14, 0.08, 0.06), "bend": 0.4, "count": 4}],
    "motion": {"speed": 0.4, "turn_rate": 1.0, "acceleration": 1.2, "turn_acceleration": 4.0},
    "climb": {},
    "gait": {
        "kind": "phase",
        "pattern": "trot",
        "duty_factor": 0.65,
        "stride_length": 0.30,
        "step_height": 0.06,
    },
    "leg_pairs": [
        {"mount": (x, 0.08, 0.0), "bones": (0.06, 0.18, 0.20), "home": (home, 0.28)}
        for x, home in ((0.15, 0.26), (-0.15, -0.24))
    ],
}


def world_of(creature: CreatureDef, terrain: Mapping[str, object]) -> WorldDef:
    """One creature on some ground."""
    table = {"name": "climb", "terrain": terrain, "creatures": [{"creature": creature.name}]}
    return WorldDef.model_validate({**table, "species": {creature.name: creature}})


def straight_on(world: WorldDef, seconds: float) -> tuple[Floats, Floats, Floats]:
    """Positions and ups (T, 3), and where feet stand (K, 3), of a creature sent straight on."""
    positions, ups, feet = [], [], []
    with Simulation(world) as simulation:
        for _ in range(int(seconds * RATE)):
            simulation.step(Input.of([(1.0,)]))
            creature = simulation.snapshot.creatures[0]
            positions.append(np.array(creature.position))
            ups.append(up_of(creature))
            feet.append(creature.feet["position"][creature.feet["phase"] == STANDING])
    return np.array(positions), np.array(ups), np.concatenate(feet)


@pytest.mark.slow
@pytest.mark.parametrize("name", CLIMBERS)
def test_they_walk_round_a_room(name: str) -> None:
    positions, ups, feet = straight_on(world_of(climber(name), ROOM), 26.0)
    floor, wall, ceiling = (ups @ np.array(up) > 0.99 for up in ((0, 0, 1), (-1, 0, 0), (0, 0, -1)))
    first = [int(face.argmax()) for face in (wall, ceiling)]
    assert floor[0]
    assert wall.any()
    assert ceiling.any()
    assert first[0] < first[1]
    beyond = np.maximum(np.abs(feet - (0.0, 0.0, 1.2)) - (2.5, 3.0, 1.2), 0.0)
    assert beyond.max() < 1e-6  # no foot stands behind a wall
    assert (np.abs(positions[:, 0]) < 2.5).all()
    assert (positions[:, 2] < 2.4).all()
    turns = np.degrees(np.arccos(np.clip((ups[1:] * ups[:-1]).sum(axis=1), -1.0, 1.0)))
    assert turns.max() <= 2.0


@pytest.mark.slow
@pytest.mark.parametrize("name", CLIMBERS)
def test_soles_lie_on_a_wall_as_they_land(name: str) -> None:
    with Simulation(world_of(climber(name), ROOM)) as simulation:
        states = [simulation.snapshot]
        for _ in range(9 * RATE):
            simulation.step(Input.of([(1.0,)]))
            states.append(simulation.snapshot)
    (track,) = tracks(states, RATE)
    assert up_of(states[-1].creatures[0])[2] < 0.1
    turns = np.degrees(rotation_angles(track.foot_rotation[:-1], track.foot_rotation[1:]))
    assert turns.max() < 5.0  # they jumped by up to 50, where a swing ended before its turn did


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hexapod", "ant"])
def test_they_climb_over_a_block(name: str) -> None:
    positions, ups, _ = straight_on(world_of(climber(name), BLOCK), 14.0)
    assert positions[:, 2].max() > 1.6
    is_on_top = (positions[:, 2] > 1.6) & (ups[:, 2] > 0.99)
    assert is_on_top.any()
    assert not is_on_top[-1]  # and down on the other side
    assert positions[-1, 0] > 4.5


@pytest.mark.slow
@pytest.mark.parametrize(
    "creature",
    [CreatureDef.model_validate(GECKO), *map(climber, (*CLIMBERS, "centipede"))],
    ids=lambda creature: creature.name,
)
def test_on_level_ground_they_go_as_fast_as_they_are_told(creature: CreatureDef) -> None:
    """A gecko that trots went at three quarters of that, and aside; a spider slowed down."""
    way, _, _ = straight_on(world_of(creature, {"kind": "flat"}), 5.0)
    gone = (way[-1] - way[RATE]) * RATE / (len(way) - 1 - RATE)
    assert gone[0] > 0.96 * creature.motion.speed
    assert abs(gone[1]) < 0.02 * creature.motion.speed


@pytest.mark.parametrize(
    ("name", "aside"), [("spider8", 0.06), ("spider8", 0.12), ("hexapod", 0.09)]
)
def test_a_body_goes_along_a_fence_that_crosses_its_hips_and_does_not_rise_up_it(
    name: str, aside: float
) -> None:
    """Bar by bar, level all the while, it rose until its legs did not reach the floor any more."""
    creature = climber(name)
    bars = {
        "shape": "cylinder",
        "radius": 0.015,
        "sides": 12,
        "length": 8.0,
        "rotation": (0.0, 0.5 * np.pi, 0.0),
        "position": (0.0, aside, 0.19),
        "count": 8,
        "step": (0.0, 0.0, 0.19),
    }
    positions, _, _ = straight_on(world_of(creature, {"kind": "solids", "solids": [bars]}), 6.0)
    assert positions[:, 2].max() < 1.3 * creature.body.ride_height  # up to 2.5 times that
    assert positions[-1, 0] > 3.0  # it stood at .5 to 1.5


def test_a_bar_above_the_middle_of_a_hip_does_not_lift_who_climbs() -> None:
    creature, _ = standing()
    leg, foothold = creature.legs[0], creature.footholds[0]
    height = float(creature.trunk[0].position[2] + leg.mount[2])
    foothold.is_over = 1
    for high, rises in ((-0.01, True), (0.01, False)):
        foothold.under[2] = height + high
        assert (rise_of_hips(creature, 0) > 0.0) == rises


@pytest.mark.parametrize(("name", "above"), [("hexapod", 0.45), ("ant", 0.6), ("ant", 0.45)])
def test_below_something_low_they_turn_over_an_edge_all_the_same(name: str, above: float) -> None:
    """A body stays level there, and waited at the edge for ever until it had turned."""
    table = {"shape": "box", "size": (2.4, 3.0, 0.12), "position": (-0.4, 0.0, 0.94)}
    beam = {"shape": "box", "size": (0.14, 5.0, 0.14), "position": (0.7, 0.0, 1.07 + above)}
    room = {"kind": "room", "length": 8.0, "width": 6.0, "height": 2.6, "solids": [table, beam]}
    positions, _, _ = straight_on(world_of(climber(name), room), 12.0)
    assert positions[0, 2] > 1.0
    assert positions[-1, 2] < 0.94  # below the middle of the table's top


@pytest.mark.parametrize("top", [1.0, 1.3, 1.7])
def test_they_start_on_what_is_high_in_a_room(top: float) -> None:
    """Ground for feet was looked for from above the ceiling, and none was found on tables."""
    table = {"shape": "box", "size": (2.4, 3.0, 0.12), "position": (0.0, 0.0, top - 0.06)}
    world = world_of(load_creature("hexapod"), {**ROOM, "solids": [table]})
    with Simulation(world) as simulation:
        feet = simulation.snapshot.creatures[0].feet
    assert feet["position"][:, 2] == pytest.approx(top, abs=1e-6)


@pytest.mark.parametrize("name", ["hexapod", "ant"])
def test_they_turn_round_the_edge_of_a_thin_plate_within_seconds(name: str) -> None:
    """They stood on its rim until they had turned: no foot reached its far side from there."""
    seconds = []
    for aside in (0.0, 0.03, 0.06, 0.09):
        plate = {"shape": "box", "size": (2.4, 3.0, 0.12), "position": (aside - 0.4, 0.0, 1.54)}
        world = world_of(climber(name), {"kind": "solids", "solids": [plate]})
        positions, ups, _ = straight_on(world, 20.0)
        comes = int(np.argmax(positions[:, 0] > 0.5 + aside))  # .3 m before the edge
        hangs = np.flatnonzero(ups[comes:, 2] < -0.8)
        seconds.append((hangs[0] if hangs.size else len(ups)) / RATE)
    assert np.mean(seconds) < 7.5  # 8 to 10 before; a spider still takes longer


def test_a_tail_does_not_lift_the_body_off_its_legs() -> None:
    """It hung a little lower than it should, and all of the trunk was lifted until it did not.

    In curves on hills a gecko rode at nearly twice its height, on legs that were stretched.
    """
    gecko = CreatureDef.model_validate(GECKO)
    heights = []
    with Simulation(with_creature(load_world("meadow"), gecko)) as simulation:
        for _ in range(4 * RATE):
            simulation.step(Input.of([(FULL // 2, FULL, 0)]))
            creature = simulation.snapshot.creatures[0]
            feet = creature.herd.parts["foot_target"].of("records")[0]
            ground = feet["position"][feet["phase"] == STANDING, 2].mean()
            heights.append(creature.position[2] - ground)
    assert np.median(heights[RATE:]) < 1.1 * gecko.body.ride_height


@pytest.mark.slow
def test_without_the_key_a_wall_stops_them() -> None:
    positions, ups, _ = straight_on(world_of(load_creature("hexapod"), ROOM), 6.0)
    assert positions[-1, 0] < 2.2
    assert ups[:, 2].min() > 0.95


@pytest.mark.slow
def test_feet_do_not_hold_on_to_what_is_too_steep() -> None:
    positions, ups, _ = straight_on(world_of(climber("hexapod", overhang=1.0), ROOM), 8.0)
    assert positions[-1, 2] < 0.6
    assert ups[:, 2].min() > 0.5


@pytest.mark.slow
def test_walls_are_climbed_and_ceilings_not_where_they_are_too_steep() -> None:
    positions, ups, _ = straight_on(world_of(climber("ant", overhang=1.6), ROOM), 14.0)
    assert positions[:, 2].max() > 1.0
    assert ups[:, 2].min() > -0.5
