"""What slippery ground and a load change in how a creature stands and goes."""

from math import pi, sqrt

import numpy as np
import pytest

from creature_sim.components import GRAVITY
from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError, TerrainError
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature
from creature_sim.maths import Floats
from creature_sim.simulation import Simulation
from creature_sim.spawn.plans import plan_of
from creature_sim.terrain.kinds.flat import FlatDef
from creature_sim.terrain.kinds.slope import SlopeDef
from tests.scenes import at_rest, scene, walk


def on_ice(friction: float | None, driver: str, **changes: object) -> WorldDef:
    changes = {"terrain": FlatDef(kind="flat"), **changes}
    return at_rest(scene("meadow", "hexapod", driver=driver, friction=friction, **changes))


def velocities(world: WorldDef, ticks: int) -> Floats:
    """Of the planned body, along the ground, (T, 2) [m/s]."""
    places = np.array([snapshot.creatures[0].position[:2] for snapshot in walk(world, ticks)])
    return np.asarray(np.diff(places, axis=0) * world.tick_rate)


def seconds_to(speed: float, found: Floats) -> float:
    return float(np.argmax(np.linalg.norm(found, axis=1) > speed)) / 60.0


@pytest.mark.slow
def test_ice_lets_nobody_start_fast() -> None:
    firm, icy = (velocities(on_ice(mu, "forward 6"), 300) for mu in (None, 0.05))
    assert seconds_to(0.5, firm) < 0.6
    assert seconds_to(0.5, icy) >= 0.5 / (0.05 * GRAVITY)


@pytest.mark.slow
def test_on_ice_a_body_rides_lower_and_its_feet_rise_less() -> None:
    heights, lifts = [], []
    for mu in (None, 0.5, 0.2, 0.05):
        found = [s.creatures[0] for s in walk(on_ice(mu, "forward 6"), 300)][150:]
        heights.append(np.mean([one.position[2] for one in found]))
        lifts.append(max(one.tips[:, 2].max() for one in found))
    assert heights[0] == pytest.approx(heights[1], rel=0.01)
    assert heights[3] < 0.96 * heights[2] < 0.92 * heights[0]
    assert lifts[3] < 0.9 * lifts[2] < 0.9 * lifts[0]


@pytest.mark.slow
def test_ice_makes_way_in_curves_only_where_friction_holds() -> None:
    limit = 0.02 * GRAVITY
    for mu in (None, 0.02):
        bodies = [s.creatures[0].body for s in walk(on_ice(mu, "forward left 5"), 300)]
        inwards = [np.linalg.norm(body.velocity) * abs(body.yaw_rate) for body in bodies]
        assert (max(inwards) <= 1.02 * limit) == (mu is not None)


@pytest.mark.slow
@pytest.mark.parametrize(("friction", "climbs"), [(None, True), (0.6, True), (0.3, False)])
def test_a_slope_is_climbed_only_where_friction_holds(friction: float | None, climbs: bool) -> None:
    """The tangent of the steepest slope is the coefficient of friction."""
    slope = SlopeDef(kind="slope", grade=0.45, clearing=1.5)
    last = list(walk(on_ice(friction, "forward 9", terrain=slope), 540))[-1].creatures[0]
    assert (float(last.position[0]) > 3.0) == climbs
    assert last.position[0] > 0.5


def test_no_creature_starts_where_it_would_slide() -> None:
    slope = SlopeDef(kind="slope", grade=0.45)
    with pytest.raises(TerrainError, match=r"where friction 0\.3 holds feet"):
        Simulation(on_ice(0.3, "stop 9", terrain=slope))
    with Simulation(on_ice(0.6, "stop 9", terrain=slope)) as simulation:
        simulation.step()


def test_a_leap_does_not_end_where_feet_slide() -> None:
    slope = SlopeDef(kind="slope", grade=0.45, clearing=1.0)
    found = []
    for friction in (None, 0.3):
        with Simulation(on_ice(friction, "stop 9", terrain=slope)) as simulation:
            simulation.step(Input.of([()], (Event("leap", 0, point=(1.6, 0.0, 0.27)),)))
            found.append(int(simulation.snapshot.creatures[0].flight.refusal))
    assert found[0] != found[1] == 2


def test_friction_is_a_number_that_ground_can_have() -> None:
    for wrong in (0.0, -1.0, "ice", 100.0):
        with pytest.raises((DefinitionError, ValueError), match="friction"):
            WorldDef.model_validate({"name": "x", "terrain": {"kind": "flat"}, "friction": wrong})


def test_a_load_lowers_a_body_and_makes_it_sluggish() -> None:
    light = load_creature("hexapod")
    heavy = light.model_copy(update={"motion": light.motion.model_copy(update={"load": 2.0})})
    a, b = plan_of(light).body[0], plan_of(heavy).body[0]
    sag = 2.0 * GRAVITY / (2.0 * pi * a.frequency) ** 2  # of a spring under two more weights
    assert b.ride_height == pytest.approx(a.ride_height - sag, rel=1e-12)
    assert b.acceleration == pytest.approx(a.acceleration / 3.0)
    assert b.frequency == pytest.approx(a.frequency / sqrt(3.0))
    assert b.leap_speed == pytest.approx(a.leap_speed / sqrt(3.0))


def ended(load: float, speed: float) -> float:
    """How far a push along X moves a hexapod [m]."""
    world = on_ice(None, "stop 9")
    plan = world.species["hexapod"]
    motion = plan.motion.model_copy(update={"load": load})
    world = world.model_copy(
        update={"species": {"hexapod": plan.model_copy(update={"motion": motion})}}
    )
    with Simulation(world) as simulation:
        simulation.step(Input.of([()], (Event("push", 0, velocity=(speed, 0.0, 0.0)),)))
        for _ in range(240):
            simulation.step()
        return float(simulation.snapshot.creatures[0].position[0])


@pytest.mark.slow
def test_a_load_takes_its_share_of_a_push() -> None:
    assert ended(1.0, 2.0) < 0.7 * ended(0.0, 2.0)
