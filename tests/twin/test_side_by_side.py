"""Creatures without forces beside those that forces move: in a window, and in scores."""

import json
from pathlib import Path

import numpy as np
import pytest

from creature_sim.figures.insight import insight_of
from creature_sim.figures.overlay import FORCE, PRESSURE, Layer, overlay
from creature_sim.library.loader import load_creature
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.view.shows.live import LiveShow
from tests.commands import sim
from tests.scenes import scene
from tests.twin.test_twins import LEVEL, STILL, first, physical, run

SUPPORTS: tuple[Layer, ...] = ("support",)


@pytest.mark.slow
def test_what_no_force_moves_walks_over_what_forces_move() -> None:
    with Simulation(physical(terrain=LEVEL)) as simulation:
        show = LiveShow(simulation, has_companion=True)
        try:
            show.press("forward", False)
            for _ in range(60):
                pose = show.advance(1 / 60)
            (ghost,) = show.ghosts
            assert ghost.is_tinted
            assert not ghost.world.creatures[0].physical
            moved = pose.positions[0, :2], ghost.pose.positions[0, :2]
            assert min(np.linalg.norm(place) for place in moved) > 0.2
            assert 0.0 < np.linalg.norm(moved[0] - moved[1]) < 0.1
        finally:
            show.close()


def test_a_window_without_it_has_no_ghosts() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        assert not LiveShow(simulation).ghosts


def test_the_window_only() -> None:
    done = sim("run", "meadow", "--twin", "--headless")
    assert done.returncode == 2
    assert "--twin: expected a window, found --headless" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--physical",)])
def test_scores_compare_both(words: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "walk.mcap"
    run_words = ("run", "meadow", *words, "--headless", "--ticks", "120", "--drive", "forward 2")
    assert sim(*run_words, "--record", str(path)).returncode == 0
    done = sim("score", str(path), "--compare", "--json")
    (creature,) = json.loads(done.stdout)[0]["creatures"]
    pair = creature["metrics"], creature["other"]
    without, moved = pair[::-1] if words else pair
    assert without["M40"]["verdict"] == "n/a"
    assert moved["M40"]["verdict"] in ("pass", "excellent")
    table = sim("score", str(path), "--compare").stdout
    assert "without and with forces" in table


def drawn(creature: str) -> list[int]:
    """How many arrows and discs of forces are drawn over a creature that stands."""
    state = run(physical(creature=creature, terrain=LEVEL), 60, STILL)[-1]
    pose = pose_of(state).creatures[0]
    seen = insight_of(first(state))
    solids = overlay(load_creature(creature), pose, state.gravity[0], SUPPORTS, seen)
    return [
        int((np.abs(rows[:, 12:15] - colour[:3]).max(axis=1) < 1e-6).sum())
        for rows, colour in ((solids.limbs, FORCE), (solids.spheres, PRESSURE))
    ]


@pytest.mark.slow
def test_forces_on_feet_add_up_to_the_weight_and_are_drawn() -> None:
    state = run(physical(terrain=LEVEL), 60, STILL)[-1]
    forces = insight_of(first(state)).forces
    assert forces.shape == (6, 3)
    assert forces.sum(axis=0) == pytest.approx((0.0, 0.0, 1.0), abs=0.1)
    assert drawn("hexapod") == [6, 1]


@pytest.mark.slow
def test_loads_are_carried() -> None:
    """Half its own weight on its back: it stands as high, and its feet bear it."""
    plan = load_creature("hexapod")
    loaded = plan.model_copy(update={"motion": plan.motion.model_copy(update={"load": 0.5})})
    world = physical(terrain=LEVEL)
    found = []
    for one in (plan, loaded):
        states = run(world.model_copy(update={"species": {"hexapod": one}}), 120, STILL)[60:]
        forces = [first(state).herd.parts["twin"]["forces"][0, :, 2].sum() for state in states]
        found.append((first(states[-1]).body.position[2], float(np.mean(forces))))
    (height, force), (loaded_height, loaded_force) = found
    assert loaded_height == pytest.approx(height, abs=0.01)
    assert loaded_force / force == pytest.approx(1.5, rel=0.05)
