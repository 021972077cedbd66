"""Bodies that are held otherwise than they are planned, on feet that stand where they stood."""

from itertools import product

import numpy as np
import pytest

from creature_sim.definitions import parse_drive
from creature_sim.errors import DefinitionError
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import builtin_names
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.score import score_run
from creature_sim.score.summary import Odometer
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import CreatureState
from tests.marks import sample_of
from tests.scenes import at_rest, scene, walk

CREATURES = builtin_names("creature")
WHOLLY = ("biped", "crab", "hexapod")
"""These can be held in any of the poses below."""
STAND = Input.of([()])


def settle(simulation: Simulation, ticks: int = 60) -> CreatureState:
    """The creature after so many ticks in which nobody steers it."""
    for _ in range(ticks):
        simulation.step(STAND)
    return simulation.snapshot.creatures[0]


def reaches(creature: CreatureState) -> Floats:
    """Length of each leg (L,) [m]."""
    return np.array([leg.reach for leg in creature.definition.all_legs])


def allowed(creature: CreatureState) -> float:
    """The fraction of what is asked that its workspace allows."""
    return float(creature.herd.parts["body_pose"]["records"]["allowed"][creature.row])


@pytest.mark.slow
@pytest.mark.parametrize("name", sample_of(CREATURES, slow=(*WHOLLY, "spider4", "centipede")))
def test_feet_stay_and_legs_reach_however_a_body_is_held(name: str) -> None:
    with Simulation(at_rest(scene("meadow", name))) as simulation:
        start = settle(simulation)
        size = reaches(start).max()
        for roll, pitch, yaw, ahead in list(product((-1, 1), repeat=4))[
            :: 1 if name in WHOLLY else 5
        ]:
            turn = (0.15 * roll, 0.15 * pitch, 0.15 * yaw)
            shift = (0.1 * size * ahead, 0.1 * size * roll, 0.1 * size * pitch)
            simulation.step(Input.of([()], [Event("pose", 0, turn=turn, shift=shift)]))
            now = settle(simulation)
            far = np.sqrt(((now.tips - now.joints[:, 0]) ** 2).sum(axis=1))
            assert abs(now.tips - start.tips).max() < 1e-3 * size
            assert (far <= 0.98 * reaches(now)).all()
            assert allowed(now) > (0.999 if name in WHOLLY else 0.2)
            if len(now.segments) == 1:
                moved = rotation_matrices(start.orientation).T @ (now.position - start.position)
                assert moved == pytest.approx(allowed(now) * np.array(shift), abs=2e-3 * size)
        simulation.step(Input.of([()], [Event("pose", 0)]))
        assert settle(simulation, 90).position == pytest.approx(start.position, abs=1e-4)


def test_a_body_is_not_held_farther_than_its_legs_reach_nor_in_the_ground() -> None:
    with Simulation(at_rest(scene("meadow", "hexapod"))) as simulation:
        start = settle(simulation)
        for shift in ((0.0, 0.0, 3.0), (0.0, 0.0, -3.0), (4.0, 0.0, 0.0)):
            event = Event("pose", 0, turn=(0.0, 0.0, 0.0), shift=shift)
            simulation.step(Input.of([()], [event]))
            now = settle(simulation)
            assert 0.0 < allowed(now) < 0.5
            bottom = now.position[2] - 0.5 * now.definition.body.size[2]
            assert bottom > 0.0
            assert abs(now.tips - start.tips).max() < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hexapod", "spider4", "biped", "ant"])
def test_a_creature_walks_as_well_while_its_body_is_held_otherwise(name: str) -> None:
    with Simulation(at_rest(scene("meadow", name))) as simulation:
        event = Event("pose", 0, turn=(0.1, 0.1, 0.1), shift=(0.02, 0.02, -0.02))
        inputs = [Input.of([(1.0,)], [event] if tick == 30 else []) for tick in range(400)]
        metrics = score_run(simulation, inputs)[0][1]
    failed = {number for number, metric in metrics.items() if metric.verdict == "fail"}
    assert failed <= {"M14"}  # the tilt that was asked for
    assert metrics["M1"].value == pytest.approx(0.0, abs=1e-9)


def test_a_drive_holds_the_body_and_lets_it_go() -> None:
    drive = "stop 1; pose 0.1,0,0; stop 1; pose 0,0,0,0,0,0.02; stop 1; pose; stop 1.5"
    rolls, heights = [], []
    for snapshot in list(walk(at_rest(scene("meadow", "hexapod", driver=drive)), 270))[60::60]:
        creature = snapshot.creatures[0]
        rolls.append(2.0 * creature.orientation[0])
        heights.append(float(creature.position[2]))
    assert rolls[1] - rolls[0] == pytest.approx(0.1, abs=2e-3)
    assert heights[2] - heights[0] == pytest.approx(0.02, abs=1e-3)
    assert rolls[2] == pytest.approx(rolls[0], abs=2e-3)
    assert rolls[3] == pytest.approx(rolls[0], abs=2e-3)


@pytest.mark.parametrize(
    ("drive", "found"),
    [
        ("pose 0.1", "pose 0.1"),
        ("pose 0.1,0,0,0", "pose 0.1,0,0,0"),
        ("pose a,b,c", "'a'"),
        ("pose 0.1,0,inf", "'inf'"),
        ("poze 1,2,3", "pose"),
    ],
)
def test_a_pose_that_cannot_be_read_is_named(drive: str, found: str) -> None:
    with pytest.raises(DefinitionError, match=found):
        parse_drive(drive)


@pytest.mark.parametrize(
    ("event", "found"),
    [
        (Event("pose", 0, shift=(0.0, 0.0, 0.1)), r"events\[0\]: expected turn or turn and shift"),
        (Event("pose", 0, turn=(4.0, 0.0, 0.0)), r"turn: expected three numbers from -3.14"),
        (Event("pose", 3, turn=(0.1, 0.0, 0.0)), r"creature: expected 0 to 0, found 3"),
        (Event("pose", 0, turn=(float("nan"), 0.0, 0.0)), r"turn: expected three numbers"),
        (Event("pose", 0, point=(1.0, 0.0, 0.0)), "found point"),
    ],
)
def test_a_pose_that_makes_no_sense_is_refused(event: Event, found: str) -> None:
    with (
        Simulation(at_rest(scene("meadow", "hexapod"))) as simulation,
        pytest.raises(DefinitionError, match=found),
    ):
        simulation.step(Input.of([()], [event]))


def test_the_summary_of_a_run_says_how_much_of_a_pose_it_holds() -> None:
    world = scene("meadow", "hexapod")
    with Simulation(world) as simulation:
        odometer = Odometer(world, [simulation.snapshot.creatures[0].position])
        for turn in ((0.1, 0.0, 0.0), (3.0, 0.0, 0.0)):
            given = Input.of([()], [Event("pose", 0, turn=turn)])
            simulation.step(given)
            odometer.write(given, simulation.snapshot)
    (limited,) = odometer.summary()["creatures"][0]["limited"]
    assert (limited["tick"], limited["motion"]) == (2, "pose")
    assert limited["fraction"] == pytest.approx(0.2, abs=0.02)
