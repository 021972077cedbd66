"""Ways over floors, walls and ceilings, and who is led along them."""

from threading import Event
from typing import Any

import numpy as np
import pytest

from creature_sim.cli.running import _with_ways, run
from creature_sim.definitions import PlacementDef, WorldDef
from creature_sim.definitions.climbing import ClimbDef
from creature_sim.drivers import ARRIVED, Led, go_to, make_driver
from creature_sim.errors import DefinitionError
from creature_sim.ground.routes import Routes
from creature_sim.guides import Guide, Way, _ahead
from creature_sim.library.loader import load_creature
from creature_sim.maths import Vec
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.simulation import Simulation
from creature_sim.terrain import build_terrain, read_ground
from creature_sim.view.shows.keyboard import Keyboard
from creature_sim.view.shows.live import LiveShow

ROOM = {"kind": "room", "length": 4.0, "width": 5.0, "height": 2.4}
LOW, HIGH = np.array([-4.0, -4.0, -1.0]), np.array([4.0, 4.0, 4.0])


def world_of(
    terrain: dict[str, Any] = ROOM, driver: str = "stop 1", climbs: bool = True
) -> WorldDef:
    ant = load_creature("ant")
    return WorldDef(
        name="room",
        seed=1,
        driver=driver,
        terrain=read_ground(terrain),
        creatures=(PlacementDef(creature="ant"),),
        species={"ant": ant.model_copy(update={"climb": ClimbDef() if climbs else None})},
    )


def way(terrain: dict[str, Any], start: Vec, goal: Vec, width: float = 0.3) -> tuple[float, Any]:
    """Length of the shortest way of a body .24 m high [m], and where it leads, (K, 3)."""
    routes = Routes.over(build_terrain(read_ground(terrain), 1), 0.24, width, LOW, HIGH)
    first, last = (routes.nearest(np.array(point))[0] for point in (start, goal))
    field = routes.field(last)
    nodes = [first]
    while field.nexts[nodes[-1]] >= 0:
        nodes.append(int(field.nexts[nodes[-1]]))
    return float(field.distances[first]), routes.places[nodes]


@pytest.mark.slow
def test_a_ceiling_is_reached_over_the_nearest_wall() -> None:
    far, places = way(ROOM, (0.0, 0.0, 0.0), (0.0, 0.0, 2.4))
    assert far == pytest.approx(2.0 * 1.76 + 1.92 + 2.0 * 0.24, rel=0.15)  # to the wall, up, back
    middle = np.abs(places - (0.0, 0.0, 1.2))
    assert (middle.max(axis=0) <= (2.0 - 0.23, 2.5 - 0.23, 1.2 - 0.23)).all()
    assert (middle[:, 2] < 0.8).sum() >= 3  # it does not fly


def test_ways_lead_round_edges_and_not_through_rock() -> None:
    table = {"shape": "box", "size": (2.0, 2.0, 0.3), "position": (0.0, 0.0, 1.85)}
    leg = {"shape": "cylinder", "radius": 0.2, "length": 1.7, "position": (0.0, 0.0, 0.85)}
    ground = {"kind": "solids", "solids": [table, leg]}
    far, places = way(ground, (0.0, 0.0, 2.0), (0.5, 0.0, 1.7))
    assert np.abs(places[:, :2]).max() > 1.0  # over the edge
    assert 2.0 < far < 4.5
    beside, _ = way({**ground, "solids": [table]}, (0.0, 0.0, 2.0), (0.0, 0.0, 0.0))
    assert beside == np.inf  # it hangs in the air


@pytest.mark.slow
def test_ways_are_straight_across_edges() -> None:
    """Round a plank a body is led along a plane, wherever the places of the graph lie."""
    plank = {"shape": "box", "size": (4.0, 4.0, 0.5), "position": (-2.0, 0.0, 2.0)}
    bare = world_of({"kind": "solids", "solids": [plank]})
    for y in (-0.3, 0.0, 0.45):
        there = PlacementDef(creature="ant", position=(-1.0, y))
        world = bare.model_copy(update={"creatures": (there,)})
        guide = Guide(world)
        with Simulation(world) as simulation:
            guide.lead(simulation.snapshot.creatures[0], (-1.0, y, 1.75))
        places = guide._ways[0].places
        assert np.abs(places[:, 0]).max() < 1.5
        assert (places[:, 2] < 1.75).any()
        assert np.abs(places[:, 1] - y).max() < 0.03


def planned(terrain: dict[str, Any], position: tuple[float, float], goal: Vec) -> tuple[Any, Guide]:
    """A creature on the floor of a world, and a guide that has led it once."""
    there = PlacementDef(creature="ant", position=position, up=(0.0, 0.0, 1.0), height=0.3)
    world = world_of(terrain).model_copy(update={"creatures": (there,)})
    guide = Guide(world)
    with Simulation(world) as simulation:
        creature = simulation.snapshot.creatures[0]
        guide.lead(creature, goal)
    return creature, guide


def test_no_way_is_pulled_straight_through_a_thin_wall() -> None:
    """Though there is floor within a step on both sides of it."""
    wall = {"shape": "box", "size": (0.3, 2.4, 3.0), "position": (1.0, 0.0, 1.5)}
    roof = {"shape": "box", "size": (2.5, 2.4, 0.3), "position": (1.0, 0.0, 3.1)}
    _, guide = planned({"kind": "solids", "solids": [wall, roof]}, (0.0, 0.0), (2.0, 0.0, 0.0))
    places = guide._ways[0].places
    within = (np.abs(places[:, 0] - 1.0) < 0.15) & (np.abs(places[:, 1]) < 1.1)
    assert not (within & (places[:, 2] < 2.9)).any()
    assert np.abs(places[:, 1]).max() > 1.2  # round its end


def test_below_a_table_nobody_has_passed_its_underside() -> None:
    """On the floor a body is led on to the table's leg, not along the underside above its back."""
    places = np.array([(0.0, 0.0, 0.24), (0.5, 0.0, 0.3), (0.2, 0.0, 0.46), (-0.3, 0.0, 0.46)])
    normals = np.array([(0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 0.0, -1.0)])
    way = Way((-0.3, 0.0, 0.7), None, places, normals)  # type: ignore[arg-type]
    position, up = np.array((0.25, 0.0, 0.24)), np.array((0.0, 0.0, 1.0))
    assert not Guide(world_of())._is_lost(way, position, up, 0.24)
    assert way.passed == 0
    for way.passed in (0, 1):
        point, normal, _, left = _ahead(way, position, up, 0.24)
        assert point.tolist() == places[1].tolist()
        assert normal.tolist() == normals[1].tolist()
        assert left > 0.9


def test_a_goal_without_a_way_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"shape": "box", "size": (2.0, 2.0, 0.3), "position": (0.0, 0.0, 1.85)}
    creature, guide = planned({"kind": "solids", "solids": [table]}, (1.5, 1.5), (0.0, 0.0, 2.0))
    assert not guide._ways
    monkeypatch.setattr(guide, "_plan", lambda *_: pytest.fail("looked for again"))
    assert guide.lead(creature, (0.0, 0.0, 2.0)) is None


def test_a_body_is_led_a_set_way_ahead() -> None:
    """However far the places of its way are from each other, and wherever beside it is."""
    random = np.random.default_rng(2)
    for _ in range(200):
        x = np.cumsum(random.uniform(0.05, 0.7, 12))
        places = np.stack((x, 0.0 * x, 0.0 * x), axis=1)
        way = Way((0.0, 0.0, 0.0), None, places, np.tile([0.0, 0.0, 1.0], (12, 1)))  # type: ignore[arg-type]
        at = random.uniform(x[0], x[1])
        position = np.array((at, random.uniform(-0.2, 0.2), random.uniform(-0.1, 0.1)))
        point, normal, step, left = _ahead(way, position, np.array((0.0, 0.0, 1.0)), 0.24)
        assert point[0] == pytest.approx(min(at + 0.48, x[-1]))
        assert normal.tolist() == [0.0, 0.0, 1.0]
        assert step.tolist() == [1.0, 0.0, 0.0]
        assert left == pytest.approx(x[-1] - x[0] + np.linalg.norm(places[0] - position))


@pytest.mark.slow
def test_between_floor_and_ceiling_nobody_changes_sides() -> None:
    tunnel = {"kind": "tunnel", "width": 1.0, "height": 0.4, "length": 6.0}
    routes = Routes.over(build_terrain(read_ground(tunnel), 1), 0.2, 0.3, LOW, HIGH)
    up = routes.normals[:, 2]
    ends = np.repeat(np.arange(len(up)), np.diff(routes.first))
    sees = (routes.points[routes.others] - routes.points[ends])[:, 2] * up[ends] > 0.0
    assert not ((up[ends] * up[routes.others] < -0.5) & sees).any()


@pytest.mark.parametrize(
    ("goal", "where"),
    [("0,0,-0.5", "inside rock"), ("2.1,0,1", "inside rock"), ("0,0,1.2", "farther away")],
)
def test_goals_in_rock_and_in_the_air_are_refused(goal: str, where: str) -> None:
    """And the form is named that needs no height."""
    level = f"'goto {goal.rsplit(',', 1)[0]}' finds the ground by itself"
    with pytest.raises(DefinitionError, match=rf"'goto X,Y,Z' .*found {goal} {where}; {level}"):
        make_driver(world_of(), f"goto {goal}")
    make_driver(world_of(), "goto 0,0,2.4")
    make_driver(world_of(), "goto 0,0,0")
    make_driver(world_of(), "goto 2,0,1.0")


def test_a_run_says_for_whom_no_way_leads_to_its_goal() -> None:
    """It stood still, and nobody was told."""
    plate = {"shape": "box", "size": (2.0, 2.0, 0.3), "position": (0.0, 0.0, 1.85)}
    there = PlacementDef(creature="ant", up=(0.0, 0.0, 1.0), height=0.3)  # below the plate
    world = world_of({"kind": "solids", "solids": [plate]})
    world = world.model_copy(update={"creatures": (there,)})
    driver = make_driver(world, "goto 0,0,2.0")
    assert isinstance(driver, Led)
    with Simulation(world) as simulation:
        for _ in range(3):
            simulation.step(driver(simulation.snapshot))
        last = simulation.snapshot
    (creature,) = _with_ways({"creatures": [{"name": "ant"}]}, driver, last)["creatures"]
    refusal = {"tick": 0, "motion": "goto", "reason": "no way leads there"}
    assert creature == {"name": "ant", "refused": [refusal]}


def pipe_at(height: float) -> dict[str, Any]:
    pipe = {"shape": "cylinder", "radius": 0.25, "length": 3.0, "rotation": (0.0, 1.5708, 0.0)}
    return {"kind": "solids", "solids": [{**pipe, "position": (2.0, 0.0, height + 0.25)}]}


def test_no_way_leads_through_the_air() -> None:
    """To a pipe that hangs over the floor none does, though its sides are near to that."""
    for height, is_there in ((0.0, True), (0.3, True), (0.6, False)):
        for goal in ((2.0, 0.0, height + 0.5), (2.0, 0.25, height + 0.25)):
            assert np.isfinite(way(pipe_at(height), (0.0, 0.0, 0.0), goal)[0]) == is_there
    assert np.isfinite(way(pipe_at(0.7), (1.0, 0.0, 1.2), (2.0, 0.0, 0.7))[0])  # round the pipe
    driver = make_driver(world_of(pipe_at(0.7)), "goto 2,0,1.2")
    assert isinstance(driver, Led)
    with Simulation(world_of(pipe_at(0.7))) as simulation:
        assert driver(simulation.snapshot).commands[0][:2] == (0, 0)
    assert driver.lost == {0: 0}


def test_a_run_looks_at_its_goal_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run without a window made its driver twice, and the ground that it leads over with it."""
    made: list[Vec] = []
    monkeypatch.setattr(Guide, "check", lambda _guide, goal, _name: made.append(goal))
    run("room", climb=True, ticks=1, headless=True, drive="goto 1,0,0")
    assert made == [(1.0, 0.0, 0.0)]


def test_goto_takes_two_numbers_or_three() -> None:
    for wrong in ("goto 1", "goto 1,2,3,4", "goto 1,2,x"):
        with pytest.raises(DefinitionError):
            make_driver(world_of(), wrong)


@pytest.mark.slow
def test_who_climbs_is_sent_to_the_ceiling() -> None:
    goal = (0.3, -0.2, 2.4)
    world = world_of(driver="goto 0.3,-0.2,2.4")
    drive = make_driver(world)
    with Simulation(world) as simulation:
        for _ in range(60 * 25):
            simulation.step(drive(simulation.snapshot))
        creature = simulation.snapshot.creatures[0]
        assert rotation_matrices(creature.orientation)[2, 2] < -0.9
        assert np.hypot(*(creature.position - goal)[:2]) < 2.0 * ARRIVED


def test_who_does_not_climb_is_led_as_before() -> None:
    world = world_of(climbs=False)
    with Simulation(world) as simulation:
        snapshot = simulation.snapshot
        goals = {0: (1.0, 0.5, 2.4)}
        assert go_to(snapshot, goals, Guide(world)) == go_to(snapshot, goals)


@pytest.mark.slow
def test_a_click_on_a_wall_sends_who_climbs_there() -> None:
    world = world_of()
    with Simulation(world) as simulation:
        keyboard = Keyboard(1, guide=Guide(world, simulation.terrain))
        keyboard.send((2.0, 0.0, 1.2))
        forward, turn, *_ = keyboard(simulation.snapshot).commands[0]
        assert forward > 0  # straight on, up the wall
        assert abs(turn) < forward
        keyboard.send((0.0, 0.0, -40.0))  # nowhere
        assert keyboard(simulation.snapshot).commands[0][0] == 0
        assert keyboard.goal is None


def advanced(show: LiveShow) -> None:
    """Advance a window by a tick; it may have to wait for a way first."""
    begin = show.simulation.snapshot.tick
    while show.simulation.snapshot.tick == begin:
        show.advance(1.5 / show.world.tick_rate)


@pytest.mark.slow
def test_a_window_says_where_no_way_leads() -> None:
    """A click on the outside of a room without a doorway did nothing, and nobody was told."""
    with Simulation(world_of()) as simulation:
        show = LiveShow(simulation)
        for goal, is_said in (((1.0, 0.0, 0.0), False), ((9.0, 0.0, 1.0), True)):
            show.send(goal)
            advanced(show)
            assert (show.notice == "no way leads there") == is_said
            assert (show.goal == goal) != is_said


FLOOR = {
    "kind": "solids",
    "solids": [{"shape": "box", "size": (3.0, 3.0, 0.3), "position": (0.0, 0.0, -0.1)}],
}


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Graphs are not made before this is set."""
    opened, over = Event(), Routes.over

    def wait(*given: Any) -> Routes:
        assert opened.wait(60)
        return over(*given)

    monkeypatch.setattr(Routes, "over", staticmethod(wait))
    return opened


def test_a_click_does_not_stop_the_window(gate: Event) -> None:
    """It froze until the ground was known. Now it is drawn meanwhile, and no tick is lost."""
    goal = (0.8, 0.3, 0.05)
    with Simulation(world_of(FLOOR)) as simulation:
        show = LiveShow(simulation)
        show.send(goal)
        for _ in range(3):
            show.advance(1.0)
            assert (simulation.snapshot.tick, show.notice) == (0, "looking for a way there")
        gate.set()
        advanced(show)
        assert (simulation.snapshot.tick, show.notice) == (1, "")
        walked = simulation.input
    with Simulation(world_of(FLOOR)) as simulation:
        keyboard = Keyboard(1, guide=Guide(world_of(FLOOR)))
        keyboard.send(goal)
        assert walked == keyboard(simulation.snapshot)  # as if it had waited for the way


def test_an_arrow_key_ends_the_wait_for_a_way(gate: Event) -> None:
    with Simulation(world_of(FLOOR)) as simulation:
        show = LiveShow(simulation)
        show.send((0.8, 0.3, 0.05))
        show.press("forward", is_shifted=False)
        advanced(show)
        assert simulation.input.commands[0][0] > 0
        gate.set()


def test_who_is_sent_on_while_it_waits_goes_to_the_last_goal(gate: Event) -> None:
    with Simulation(world_of(FLOOR)) as simulation:
        show = LiveShow(simulation)
        show.send((0.8, 0.3, 0.05))
        show.send((-0.8, 0.3, 0.05))
        gate.set()
        advanced(show)
        assert show.goal == (-0.8, 0.3, 0.05)
        assert simulation.input.commands[0][0] == 0  # it turns round first
