"""M17: a creature that is pushed while it walks is back at its speed within two strides."""

from math import sqrt

import numpy as np

from creature_sim.components import GRAVITY
from creature_sim.definitions import CreatureDef
from creature_sim.ground.rays import Physics
from creature_sim.lab.rates import WORLD, walked
from creature_sim.library.loader import load_world
from creature_sim.score import Metric, Surface, Track, Walk, tracks
from creature_sim.score.bodies import fall_of
from creature_sim.terrain import build_terrain

WALK, WATCH = 4, 6
"""Seconds of walking before a push and after it."""
DIRECTIONS = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
SETTLED = 0.1
"""A push is over when the error of the velocity is at most this fraction of the speed asked for."""
MAX_STRIDES = 2.0


def push_recovery(creature: CreatureDef) -> Metric:
    """M17 of a creature on rolling ground: strides until the slowest of four pushes is over.

    Pushes are of sqrt(g L) / 3, ahead, behind and to both sides.
    """
    legs = creature.all_legs
    speed = sqrt(GRAVITY * sum(leg.reach for leg in legs) / len(legs)) / 3.0
    worst, falls = 0.0, []
    for x, y in DIRECTIONS:
        track, strides_a_second = _walk(creature, speed * x, speed * y)
        seconds = _recovery(track)
        worst = max(worst, seconds * strides_a_second)
        falls += _falls(track)
    text = f"strides until it is back at its speed, after pushes of {speed:.2f} m/s"
    if falls:
        return Metric(worst, "fail", f"{text}; {falls[0]}")
    return Metric(worst, "pass" if worst <= MAX_STRIDES else "fail", f"{text}; no fall")


def _walk(creature: CreatureDef, x: float, y: float) -> tuple[Track, float]:
    """A walk that is pushed, and its strides per second before the push."""
    rate = load_world(WORLD).tick_rate
    drive = f"forward {WALK}; push {x},{y}; forward {WATCH}"
    states = walked(creature, drive, WALK + WATCH, rate)
    gait = states[WALK * rate].creatures[0].gait
    stride = gait.stroke + gait.swing_length
    return tracks(states, rate)[0], float(gait.pace / stride)


def _recovery(track: Track) -> float:
    """Time after the push until the velocity is what is asked for [s]."""
    first = WALK * track.tick_rate + 1
    asked = np.linalg.norm(track.wanted[first:, :2], axis=1)
    off = np.linalg.norm(track.velocity - track.wanted[:, :2], axis=1)[first:]
    late = np.flatnonzero(off > SETTLED * asked)
    return float(late[-1] + 1) / track.tick_rate if len(late) else 0.0


def _falls(track: Track) -> list[str]:
    """How it fell; empty if it did not."""
    world = load_world(WORLD)
    with Physics(build_terrain(world.terrain, world.seed)) as physics:
        fall = fall_of(Walk(track, Surface(physics)))
    return [fall] if fall else []
