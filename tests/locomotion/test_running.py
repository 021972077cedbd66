"""Bodies that run: footfalls, flights and what carries them between."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from creature_sim.components import FLIES, STANDING, WALKS
from creature_sim.definitions import WorldDef
from creature_sim.definitions.patterns import offsets
from creature_sim.drivers import make_driver
from creature_sim.inputs import FULL, Input
from creature_sim.library.loader import load_creature
from creature_sim.maths import Floats
from creature_sim.motions.refusals import LAME, NO_PLACE, NO_RUN_SPEED, ROUGH, refused_runs
from creature_sim.replay import open_replay, record
from creature_sim.replay.verify import verify
from creature_sim.score.summary import Odometer
from creature_sim.simulation import Simulation
from tests.scenes import scene

G = 9.81
LEGS = [(0, False), (0, True), (1, False), (1, True)]
"""Fore left, fore right, hind left, hind right."""
RUN = "forward 1; run 60"
REACH = 0.78
"""Of spider4's legs [m]."""


def with_gait(creature: str, pattern: str, duty: float, stride: float) -> WorldDef:
    """A meadow with a creature that runs in a gait of its own."""
    world = scene("meadow", creature, driver=RUN)
    plan = world.species[creature]
    faster = plan.gait.faster[-1].model_copy(
        update={"pattern": pattern, "duty_factor": duty, "stride_length": stride}
    )
    slower = plan.gait.faster[:-1]
    gait = plan.gait.model_copy(update={"faster": (*slower, faster)})
    return world.model_copy(update={"species": {creature: plan.model_copy(update={"gait": gait})}})


def ran(world: WorldDef, seconds: float) -> Iterator[tuple[Floats, int, Floats, float]]:
    """Centre, run, which feet stand, and pace, after each tick."""
    driver = make_driver(world)
    with Simulation(world) as simulation:
        for _ in range(round(seconds * world.tick_rate)):
            simulation.step(driver(simulation.snapshot))
            creature = simulation.snapshot.creatures[0]
            yield (
                creature.segments["position"].mean(axis=0),
                int(creature.gait["run"]),
                creature.feet["phase"] == STANDING,
                float(creature.gait["pace"]),
            )


@pytest.mark.parametrize(
    ("pattern", "order"),
    [
        ("pronk", [{0, 1, 2, 3}]),
        ("bound", [{0, 1}, {2, 3}]),
        ("gallop", [{2}, {3}, {0}, {1}]),
        ("trot", [{0, 3}, {1, 2}]),
    ],
)
def test_feet_fall_in_the_order_of_the_gait(pattern: str, order: list[set[int]]) -> None:
    """As in the diagrams of Alexander 1984 and Hildebrand 1989."""
    duty = 0.3
    lifts = (duty - np.array(offsets(pattern, LEGS, duty))).round(6) % 1.0
    groups = [set(np.flatnonzero(lifts == phase).tolist()) for phase in np.unique(lifts)]
    first = groups.index(order[0])
    assert groups[first:] + groups[:first] == order


@pytest.mark.slow
@pytest.mark.parametrize(
    ("creature", "rate", "drive"),
    [
        *(("biped", rate, RUN) for rate in (30, 60, 120, 240)),
        *(("spider4", rate, RUN) for rate in (30, 240)),
        ("spider4", 60, "forward 2; run 60"),  # what a leg held back as it took off stays so
    ],
)
def test_flights_are_ballistic_at_any_tick_rate(creature: str, rate: int, drive: str) -> None:
    world = scene("meadow", creature, driver=drive, tick_rate=rate)
    rows = list(ran(world, 5.0))
    centre, run = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    turns = np.diff(centre, n=2, axis=0) * rate * rate
    free = (run[2:] == FLIES) & (run[1:-1] == FLIES) & (run[:-2] == FLIES)
    assert free.sum() > 0.1 * rate
    assert abs(turns[free] + [0.0, 0.0, G]).max() < 0.01 * G
    runs = run != WALKS
    assert abs(turns[runs[2:] & runs[1:-1] & runs[:-2], 2]).max() < 4.0 * G  # no speed jumps


@pytest.mark.slow
@pytest.mark.parametrize(
    ("creature", "pattern", "duty", "stride"),
    [
        ("spider4", "gallop", 0.28, 0.72),
        ("spider4", "bound", 0.32, 0.8),
        ("spider4", "pronk", 0.5, 0.64),
        ("spider4", "trot", 0.4, 0.8),
        ("biped", "", 0.0, 0.0),
    ],
)
def test_who_is_told_to_run_flies_between_its_stances(
    creature: str, pattern: str, duty: float, stride: float
) -> None:
    world = scene("meadow", creature, driver=RUN)
    if pattern:
        world = with_gait(creature, pattern, duty, stride)
    rows = list(ran(world, 5.0))[-120:]
    run, stands = np.array([row[1] for row in rows]), np.array([row[2] for row in rows])
    assert (run == FLIES).mean() > 0.1
    assert (run == WALKS).mean() < 0.1
    assert not stands[run == FLIES].any()
    assert stands.mean() < (0.5 if pattern != "pronk" else 0.55)
    speed = load_creature(creature).motion.run_speed
    assert speed is not None
    assert np.mean([row[3] for row in rows]) > 0.9 * speed
    if creature == "biped":  # one foot after the other
        lifts = [
            leg for now, then in pairwise(stands) for leg in np.flatnonzero(now & ~then).tolist()
        ]
        assert all(a != b for a, b in pairwise(lifts))


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["biped", "spider4"])
@pytest.mark.parametrize("seed", [0, 2])
def test_who_walks_soon_runs_and_soon_walks_again(creature: str, seed: int) -> None:
    world = scene("meadow", creature, driver="forward 1; run 3; forward 3")
    rate = world.tick_rate
    rows = list(ran(world.model_copy(update={"seed": seed}), 7.0))
    run, pace = np.array([row[1] for row in rows]), np.array([row[3] for row in rows])
    assert (run[: 1 * rate] == WALKS).all()
    assert (run[round(2.5 * rate) : 4 * rate] != WALKS).all()  # it does not walk in between
    assert (run[2 * rate : 4 * rate] == FLIES).mean() > 0.15
    assert (run[round(5.5 * rate) :] == WALKS).all()
    assert abs(np.diff(pace)).max() < 0.15  # nor does it stop dead


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["biped", "spider4"])
def test_where_the_ground_is_rough_it_walks(creature: str) -> None:
    rows = list(ran(scene("stairs", creature, driver=RUN), 12.0))
    last = rows[-300:]
    assert np.mean([row[1] == FLIES for row in last]) < 0.15


@pytest.mark.slow
def test_only_who_can_runs() -> None:
    def paces(creature: str, drive: str) -> list[float]:
        return [row[3] for row in ran(scene("meadow", creature, driver=drive), 3.0)]

    assert paces("hexapod", "run 9") == paces("hexapod", "forward 9")
    assert max(paces("spider4", "forward 9")) < 0.65


def test_in_a_curve_nobody_flies_who_is_told_to_walk() -> None:
    """Its outer feet are as fast there as those of a run."""
    world = scene("meadow", "spider4", driver="forward left 4")
    plan = world.species["spider4"]
    trot, bound, _ = plan.gait.faster
    low = bound.model_copy(update={"froude": 0.055})
    gait = plan.gait.model_copy(update={"faster": (trot, low)})
    curve = world.model_copy(
        update={"species": {"spider4": plan.model_copy(update={"gait": gait})}}
    )
    rows = list(ran(curve, 4.0))
    assert max(row[3] for row in rows) ** 2 > 1.1 * low.froude * G * REACH
    assert {row[1] for row in rows} == {WALKS}


def test_the_axis_forward_goes_to_two() -> None:
    (command,) = Input.of([(9.0, 9.0, -9.0)]).commands
    assert command == (2 * FULL, FULL, -FULL, 0)


@pytest.mark.slow
def test_a_run_is_verified(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    record(scene("meadow", "spider4", driver="forward 1; run 3; stop 1"), path, 300)
    assert verify(open_replay(path)).ok


@pytest.mark.parametrize(
    ("world", "creature", "reason"),
    [
        ("meadow", "hexapod", NO_RUN_SPEED),
        ("stairs", "spider4", ROUGH),
        ("meadow", "spider4", None),
    ],
)
def test_a_run_that_is_not_run_is_told_once(world: str, creature: str, reason: str | None) -> None:
    made = scene(world, creature)
    if world == "meadow":
        flat = made.terrain.model_copy(update={"amplitude": 0.0})
        made = made.model_copy(update={"terrain": flat})
    driver = make_driver(made, "forward 1; run 2; stop 2.5; run 1")
    with Simulation(made) as simulation:
        odometer, asked = Odometer(made, [simulation.snapshot.creatures[0].position]), 0
        for _ in range(390):
            given = driver(simulation.snapshot)
            simulation.step(given)
            odometer.write(given, simulation.snapshot)
            asked += bool(list(refused_runs(simulation.snapshot)))
    told = odometer.summary()["creatures"][0].get("refused", [])
    assert [(one["motion"], one["reason"]) for one in told] == [("run", reason)] * bool(reason)
    assert (asked > 100) == bool(reason)


@pytest.mark.parametrize(
    ("drive", "reason"),
    [("forward 1; run 3; stop 1; run 2", NO_PLACE), ("lose 1; forward 1; run 2", LAME)],
)
def test_who_could_run_on_this_ground_is_told_what_else_keeps_it(drive: str, reason: str) -> None:
    """A runner that brakes hard leaves a foot far behind: it walks for 1.5 s, on flat ground."""
    made = scene("meadow", "spider4")
    flat = made.terrain.model_copy(update={"amplitude": 0.0})
    made = made.model_copy(update={"terrain": flat})
    driver = make_driver(made, drive)
    with Simulation(made) as simulation:
        odometer = Odometer(made, [simulation.snapshot.creatures[0].position])
        for _ in range(330):
            given = driver(simulation.snapshot)
            simulation.step(given)
            odometer.write(given, simulation.snapshot)
    told = odometer.summary()["creatures"][0]["refused"]
    assert [(one["motion"], one["reason"]) for one in told] == [("run", reason)]
