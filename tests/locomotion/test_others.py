"""Creatures meet: bodies stay apart whoever steers, and all can part again."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import cos, pi, sin

import numpy as np
import pytest

from creature_sim.components import HELD_BY_OTHER
from creature_sim.definitions import PlacementDef, WorldDef
from creature_sim.drivers import go_round, go_to, make_driver
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature
from creature_sim.score.meetings import bodies_overlap, leg_depths, meet
from creature_sim.score.rows import tracks
from creature_sim.score.track import Track
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.scenes import scene

Place = tuple[str, float, float, float]
"""Name, x, y [m] and heading [rad] of a creature."""


def company(places: Sequence[Place], world: str = "meadow", **changes: object) -> WorldDef:
    """A built-in world with creatures of any kinds."""
    made = scene(world, places[0][0], **changes)
    placements = tuple(
        PlacementDef(creature=name, position=(x, y), heading=turn) for name, x, y, turn in places
    )
    species = {name: load_creature(name) for name, *_ in places}
    return made.model_copy(update={"creatures": placements, "species": species})


def run(
    world: WorldDef, ticks: int, driver: Callable[[Snapshot], Input] | None = None
) -> list[Track]:
    """Tracks of all creatures."""
    with Simulation(world) as simulation:

        def snapshots() -> Iterator[Snapshot]:
            yield simulation.snapshot
            for _ in range(ticks):
                simulation.step(driver(simulation.snapshot) if driver else None)
                yield simulation.snapshot

        return tracks(snapshots(), world.tick_rate)


def overlaps(found: Sequence[Track]) -> int:
    """Pairs of creatures and ticks in which bodies overlap."""
    return sum(int(bodies_overlap(meet(a, b)).sum()) for a, b in combinations(found, 2))


STICKS = {
    "head-on": ((1.0,), (1.0,)),
    "along each other": ((1.0, 0.0, 0.6), (1.0, 0.0, -0.6)),
    "turning": ((1.0, 0.3), (1.0, -0.2)),
}


@pytest.mark.slow
@pytest.mark.parametrize("sticks", STICKS)
@pytest.mark.parametrize("kinds", [("hexapod", "hexapod"), ("biped", "crab"), ("centipede", "ant")])
def test_sticks_cannot_bring_bodies_into_each_other(kinds: tuple[str, str], sticks: str) -> None:
    first, second = kinds
    world = company([(first, -1.2, 0.0, 0.0), (second, 1.2, 0.1, pi)])
    given = Input.of(STICKS[sticks])
    found = run(world, 300, lambda _: given)
    assert overlaps(found) == 0
    if sticks == "head-on" and first == "hexapod":
        a, b = found
        assert np.linalg.norm(a.position[-1] - b.position[-1]) < 1.3  # they have met
        assert a.is_held_back[-60:].all()


def test_what_stands_in_the_way_is_told_from_a_wall() -> None:
    world = company([("hexapod", -1.2, 0.0, 0.0), ("hexapod", 1.2, 0.0, pi)])
    with Simulation(world) as simulation:
        for _ in range(200):
            simulation.step(Input.of([(1.0,), ()]))
        walker, other = simulation.snapshot.creatures
        assert walker.gait["is_held"] == HELD_BY_OTHER
        assert other.gait["is_held"] == 0


@pytest.mark.slow
def test_a_body_slides_along_another_one() -> None:
    world = company([("hexapod", -1.2, 0.0, 0.0), ("hexapod", 0.2, 0.3, 0.0)])
    a, b = run(world, 300, lambda _: Input.of([(1.0, 0.0, -0.5), ()]))
    assert overlaps([a, b]) == 0
    assert a.position[-1, 1] < -0.5
    assert a.position[-1, 0] > -0.9


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hexapod", "centipede"])
def test_whoever_was_put_onto_another_one_can_leave(kind: str) -> None:
    """A reset puts the first back to where the second stands now."""
    world = company([(kind, 0.0, 0.0, 0.0), (kind, 0.0, -1.6, 0.0)])
    with Simulation(world) as simulation:
        for _ in range(240):
            simulation.step(Input.of([(1.0,), (0.0, 0.0, 0.0)]))
        for _ in range(400):
            simulation.step(Input.of([(1.0,), (0.0, 0.0, 1.0)]))
            if simulation.snapshot.creatures[1].position[1] > -0.1:
                break
        simulation.step(Input.of([(), ()], [Event("reset", 0)]))
        before = [creature.position for creature in simulation.snapshot.creatures]
        assert np.linalg.norm(before[0] - before[1]) < 0.5
        way = 1.0 if before[0][0] > before[1][0] else -1.0
        for _ in range(240):
            simulation.step(Input.of([(way,), (-way,)]))
        away = [creature.position[0] for creature in simulation.snapshot.creatures]
    assert way * (away[0] - away[1]) > 1.0


@pytest.mark.slow
def test_creatures_that_start_at_one_place_part() -> None:
    world = company([("hexapod", 0.0, 0.0, 0.0), ("hexapod", 0.0, 0.0, 0.0)])
    a, b = run(world, 240, lambda _: Input.of([(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)]))
    c, d = run(world, 240, lambda _: Input.of([(0.0, 0.0, -1.0), (0.0, 0.0, 1.0)]))
    gaps = [float(np.linalg.norm(x.position[-1] - y.position[-1])) for x, y in ((a, b), (c, d))]
    assert max(gaps) > 1.2  # one of the two ways leads out


@pytest.mark.slow
def test_order_and_herds_change_no_bit_of_a_meeting() -> None:
    places: list[Place] = [
        ("hexapod", -1.0, 0.0, 0.0), ("ant", 1.0, 0.2, pi), ("hexapod", 0.1, 1.3, -pi / 2),
    ]  # fmt: skip

    def digests(alone: bool) -> tuple[dict[str, str], ...]:
        world = company(places, driver="forward 9")
        placements = [one.model_copy(update={"alone": alone}) for one in world.creatures]
        with Simulation(world.model_copy(update={"creatures": tuple(placements)})) as simulation:
            for _ in range(150):
                simulation.step()
            return simulation.snapshot.digests

    assert digests(True) == digests(False)


def crossing(places: Sequence[Place], ticks: int) -> tuple[list[Track], dict[int, int]]:
    """Creatures go to the other side of the origin: their tracks, and when they arrived [ticks]."""
    world = company(places)
    goals = {index: (-x, -y, 0.0) for index, (_, x, y, _) in enumerate(places)}
    arrived: dict[int, int] = {}

    def drive(snapshot: Snapshot) -> Input:
        axes = go_to(snapshot, goals)
        for number, own in axes.items():
            if own is None:
                arrived.setdefault(number, snapshot.tick)
        return Input.of([axes[number] or () for number in range(len(places))])

    return run(world, ticks, drive), arrived


def ring(kinds: Sequence[str], radius: float) -> list[Place]:
    """Creatures on a circle that look at its middle."""
    count = len(kinds)
    turns = [2.0 * pi * index / count for index in range(count)]
    return [
        (kind, radius * cos(turn), radius * sin(turn), (turn + 2.0 * pi) % (2.0 * pi) - pi)
        for kind, turn in zip(kinds, turns, strict=True)
    ]


@pytest.mark.slow
def test_two_who_go_head_on_pass_on_the_right() -> None:
    places = ring(["hexapod", "hexapod"], 2.0)
    found, arrived = crossing(places, 600)
    assert overlaps(found) == 0
    assert len(arrived) == 2
    for track in found:
        aside = track.position[:, 1] * np.sign(track.position[0, 0])
        assert aside.max() > 0.3  # the right of who walks towards the middle


@pytest.mark.slow
def test_a_mixed_company_crosses_a_circle() -> None:
    found, arrived = crossing(ring(["hexapod", "biped", "crab", "ant", "spider8"], 2.5), 1200)
    assert overlaps(found) == 0
    assert len(arrived) == 5


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [("hexapod", "hexapod"), ("ant", "crab")])
def test_feet_do_not_step_on_the_feet_of_others(kinds: tuple[str, str]) -> None:
    """Two rows go through each other: feet that stand are never as near as they are thick."""
    places: list[Place] = [(kinds[0], -2.0, 1.3 * row, 0.0) for row in (-1.0, 0.0, 1.0)] + [
        (kinds[1], 2.0, 1.3 * row + 0.5, pi) for row in (-1.0, 0.0, 1.0)
    ]
    found, _ = crossing(places, 500)
    nearest = np.inf
    for a, b in combinations(found, 2):
        gaps = np.linalg.norm(a.position - b.position, axis=1)
        for tick in np.flatnonzero(gaps < 2.0):
            mine = a.tips[tick][~a.is_swinging[tick]]
            theirs = b.tips[tick][~b.is_swinging[tick]]
            if len(mine) and len(theirs):
                apart = np.linalg.norm(mine[:, None] - theirs, axis=-1).min()
                nearest = min(nearest, apart)
    assert nearest > 0.05


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hexapod", "spider4"])
def test_legs_stay_out_of_the_legs_of_others(kind: str) -> None:
    """Two rows go through each other: legs are in others in no more ticks than M23 lets pass."""
    places: list[Place] = [(kind, -2.0, 1.3 * row, 0.0) for row in (-1.0, 0.0, 1.0)] + [
        (kind, 2.0, 1.3 * row + 0.3, pi) for row in (-1.0, 0.0, 1.0)
    ]
    found, arrived = crossing(places, 1300)
    assert len(arrived) == 6
    for a, b in combinations(found, 2):
        meeting = meet(a, b)
        if len(meeting.ticks_a):
            assert (leg_depths(meeting) > 0.002).sum() <= 0.005 * 1300


@pytest.mark.slow
@pytest.mark.thorough
def test_twenty_cross_a_circle() -> None:
    """All arrive in 1.5 times the time that one alone takes, and no bodies overlap."""
    places = ring(["hexapod"] * 20, 5.0)
    _, alone = crossing(places[:1], 1000)
    found, arrived = crossing(places, int(1.5 * alone[0]))
    assert len(arrived) == 20
    assert overlaps(found) == 0


@pytest.mark.slow
def test_all_who_go_to_one_point_come_to_rest_around_it() -> None:
    places = ring(["hexapod"] * 5, 2.5)
    world = company(places, driver="goto 0,0")
    drive = make_driver(world)
    found = run(world, 900, drive)
    assert overlaps(found) == 0
    for track in found:
        assert np.linalg.norm(track.position[-1, :2]) < 2.2
        assert np.linalg.norm(track.position[-1] - track.position[-60]) < 0.1


def test_who_meets_nobody_keeps_the_command() -> None:
    axes = [(1.0, 0.2), (0.5,), ()]
    far = company([("hexapod", 8.0 * n, 0.0, 0.0) for n in range(3)])
    with Simulation(far) as simulation:
        assert go_round(simulation.snapshot, axes) == axes
    near = company([("hexapod", 1.8 * n, 0.0, 0.0) for n in range(3)])
    with Simulation(near) as simulation:
        found = go_round(simulation.snapshot, axes)
        assert found[0] != axes[0]
        assert found[2] == axes[2]
