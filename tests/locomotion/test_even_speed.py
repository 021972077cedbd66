"""Bodies on many feet shift their weight no more than these ask."""

import numpy as np
import pytest

from creature_sim.definitions import CreatureDef
from creature_sim.library.loader import load_world
from creature_sim.library.variants import with_creature
from creature_sim.score import Walk, tracks
from creature_sim.score.evenness import even_speed
from creature_sim.score.halts import sudden_stops
from tests.scenes import walk

WAVE = {
    "kind": "phase",
    "pattern": "wave",
    "duty_factor": 0.8,
    "stride_length": 0.25,
    "step_height": 0.07,
}


def star() -> CreatureDef:
    """Five legs all around, one of them ahead."""
    legs = []
    for k, (pair, side) in enumerate([(0, "left"), (1, "left"), (2, "left"), (2, "right")]):
        angle = 2.0 * np.pi * k / 5.0
        legs.append(leg(pair, side, angle))
    legs.append(leg(1, "right", -2.0 * np.pi / 5.0))
    return CreatureDef.model_validate(
        {
            "name": "star",
            "body": {"size": [0.28, 0.28, 0.1], "ride_height": 0.22, "mass": 2.0},
            "motion": {
                "speed": 0.25,
                "turn_rate": 1.0,
                "acceleration": 1.0,
                "turn_acceleration": 4.0,
            },
            "gait": WAVE,
            "legs": legs,
        }
    )


def leg(pair: int, side: str, angle: float) -> dict[str, object]:
    """One that points straight out at an angle from ahead [rad]."""
    ahead, aside = float(np.cos(angle)), float(np.sin(angle))
    return {
        "side": side,
        "pair": pair,
        "mount": [0.13 * ahead, 0.13 * aside, 0.0],
        "bones": [0.1, 0.28, 0.36],
        "home": [0.4 * ahead, 0.4 * aside],
    }


@pytest.mark.slow
def test_a_wave_over_five_legs_goes_evenly() -> None:
    """No two of its feet are ever up: the weight that was to leave both was thrown about."""
    made = with_creature(load_world("meadow"), star())
    (track,) = tracks(walk(made.model_copy(update={"driver": "forward 6"}), 360), 60)
    metric = even_speed(Walk(track))
    assert metric.value is not None
    assert metric.value < 0.15
    assert sudden_stops(Walk(track)).verdict == "excellent"
