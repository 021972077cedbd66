"""Scores of climbs: heights, margins and falls count from what the feet hold on to."""

from dataclasses import replace

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.definitions.creature import ClimbDef
from creature_sim.drivers import make_driver
from creature_sim.library.loader import load_creature
from creature_sim.score import Surface, Track, Walk, tracks
from creature_sim.score.bodies import SOUND, fall_of
from creature_sim.session import Session
from creature_sim.simulation import Simulation

WALL = {"shape": "box", "size": (0.5, 8.0, 4.0), "position": (2.0, 0.0, 1.9)}


def climbed(seconds: int, creature: str = "hexapod") -> tuple[Track, Simulation]:
    """A walk up a wall, and the simulation with its ground."""
    climber = load_creature(creature).model_copy(update={"climb": ClimbDef()})
    world = WorldDef.model_validate(
        {
            "name": "wall",
            "terrain": {"kind": "solids", "solids": [WALL]},
            "driver": f"forward {seconds}",
            "creatures": [{"creature": creature}],
            "species": {creature: climber.model_dump()},
        }
    )
    simulation = Simulation(world)
    session = Session(simulation, make_driver(world, world.driver))
    states = [simulation.snapshot, *(session.advance() for _ in range(60 * seconds))]
    (track,) = tracks(states, 60)
    return track, simulation


def test_a_climb_is_scored_along_the_wall() -> None:
    track, simulation = climbed(7)
    with simulation:
        walk = Walk(track, Surface(simulation.physics))
        assert track.up[-1] @ (-1.0, 0.0, 0.0) > 0.8  # it is on the wall
        assert track.held[-1] @ (-1.0, 0.0, 0.0) > 0.8
        assert fall_of(walk) == ""
        assert {key for key, measure in SOUND.items() if measure(walk).verdict == "fail"} == set()
        standing = walk.heights[~track.is_swinging]
        assert np.abs(standing).max() < 1e-4
        walker = replace(track, plan=walker_on_level_ground().plan)
        assert "tipped" in fall_of(Walk(walker, Surface(simulation.physics)))


def walker_on_level_ground() -> Track:
    """A moment of the same creature, which does not climb."""
    with Simulation(
        WorldDef.model_validate(
            {
                "name": "level",
                "terrain": {"kind": "flat"},
                "creatures": [{"creature": "hexapod"}],
                "species": {"hexapod": load_creature("hexapod").model_dump()},
            }
        )
    ) as simulation:
        first = simulation.snapshot
        simulation.step()
        (track,) = tracks([first, simulation.snapshot], 60)
    return track


def test_without_climbing_up_is_against_gravity() -> None:
    track = walker_on_level_ground()
    for ups in (track.foot_ups, track.held, track.body_ups(track.position)):
        assert ups.reshape(-1, 3) == pytest.approx(
            np.broadcast_to([0.0, 0.0, 1.0], ups.shape).reshape(-1, 3)
        )
