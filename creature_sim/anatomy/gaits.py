"""How a creature with so many legs walks: its gait and its speeds, by the reach of its legs."""

from math import sqrt
from typing import Any

from creature_sim.components import GRAVITY


def walk_of(
    leg_count: int, reach: float, wide: float, is_sideways: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The tables `motion` and `gait` of a creature's file.

    Numbers are those of the built-in creatures, as fractions of the reach of a leg and of the
    speed that goes with it.

    Args:
        leg_count: of the creature.
        reach: of its legs [m].
        wide: from its middle to its farthest foot [m].
        is_sideways: whether it walks to its left and right, as crabs do.
    """
    pace = sqrt(GRAVITY * reach)
    if leg_count == 2:
        motion = _motion(0.23 * pace, 1.2, 0.4)
        motion |= {"strafe_speed": 0.055 * pace, "lean": 0.15}
        gait = _phase({"offsets": [0.0, 0.5]}, 0.62, 0.75 * reach, 0.18 * reach)
    elif leg_count == 4:
        motion = _motion(0.19 * pace, min(1.0, 0.2 * pace / wide), 1.2)
        gait = _phase({"pattern": "wave"}, 0.8, 0.4 * reach, 0.13 * reach)
        trot = {"froude": 0.012, "pattern": "trot", "duty_factor": 0.6}
        gait["faster"] = [{**trot, "stride_length": 0.5 * reach}]
    elif leg_count == 8 and not is_sideways:
        motion = _motion(0.235 * pace, min(1.0, 0.25 * pace / wide), 1.6)
        gait = {
            "kind": "reactive",
            "trigger_distance": 0.3 * reach,
            "step_duration": 0.29 * sqrt(reach),
            "step_height": 0.12 * reach,
            "alternation": "opposite",
        }
    else:
        pattern = "tripod" if leg_count <= 8 else "metachronal"
        duty = 0.55 if leg_count == 6 else 0.58
        motion = _motion(0.26 * pace, min(1.0, 0.25 * pace / wide), 1.6)
        stride = 0.48 if is_sideways else 0.58
        gait = _phase({"pattern": pattern}, duty, stride * reach, 0.14 * reach)
    if is_sideways:
        motion |= {"heading": 1.5708, "strafe_speed": 0.4 * motion["speed"]}
    return motion, gait


def _motion(speed: float, turn_rate: float, acceleration: float) -> dict[str, Any]:
    return {
        "speed": speed,
        "turn_rate": turn_rate,
        "acceleration": acceleration,
        "turn_acceleration": 4.0,
    }


def _phase(order: dict[str, Any], duty: float, stride: float, step: float) -> dict[str, Any]:
    return {
        "kind": "phase",
        **order,
        "duty_factor": duty,
        "stride_length": stride,
        "step_height": step,
    }
