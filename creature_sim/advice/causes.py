"""Causes of a poor walk: what a run shows, and the key of the plan that explains it."""

from collections.abc import Iterator
from dataclasses import replace
from math import sqrt

import numpy as np

from creature_sim.advice.advice import Advice, rounded
from creature_sim.advice.folds import crouched
from creature_sim.advice.footing import beneath, tipping, trailing
from creature_sim.advice.plans import (
    FASTEST_TURN,
    bobbing,
    leaning,
    stretched,
    sunken,
)
from creature_sim.advice.shape import Shape
from creature_sim.advice.sizes import size_advice
from creature_sim.components import BY_DISTANCE, GRAVITY, TO_RECOVER
from creature_sim.locomotion.balance import BRAKING
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_angles, rotation_matrices
from creature_sim.score import Walk

STEEP = 15.0
"""Slopes from here on are worth a word [degrees]."""
SELDOM = 0.02
"""What happens in less than this fraction of the time explains nothing."""


def strained(walk: Walk) -> Iterator[Advice]:
    """Legs that were stretched beyond their comfort, because they are long stretched at rest."""
    fraction = straining(walk)
    if fraction < SELDOM:
        return
    shape = Shape(walk.track.definition)
    seen = f"they were stretched beyond comfort {100 * fraction:.0f} % of the time"
    found = list(stretched(shape))
    for advice in found:
        yield replace(advice, reason=f"{advice.reason}; {seen}")
    height = walk.track.definition.body.ride_height
    if not found and shape.is_tall:
        text = f"the legs are at {100 * shape.stretch:.0f} % of their reach at rest; {seen}"
        yield Advice("body.ride_height", height, shape.lower(), text)


def straining(walk: Walk) -> float:
    """Fraction of ticks with a standing leg that is stretched beyond its comfort."""
    track = walk.track
    is_beyond = (track.stretch > track.plan.legs["soft_reach"]) & ~track.is_swinging
    return float(is_beyond.any(axis=1).mean())


def narrow(walk: Walk) -> Iterator[Advice]:
    """Feet under the body, which let its weight come near the edge of what carries it."""
    if walk.track.definition.is_dynamic:
        seen = ""
    else:
        near = float((walk.margins < BRAKING * walk.track.reach.mean()).mean())
        seen = f"; its weight was near their edge or beyond {100 * near:.0f} % of the time"
    for advice in beneath(Shape(walk.track.definition)):
        yield replace(advice, reason=advice.reason + seen)


def awry(walk: Walk) -> Iterator[Advice]:
    """Legs that rest folded up, and tails that draw the weight away from the feet."""
    shape = Shape(walk.track.definition)
    yield from crouched(shape)
    yield from trailing(shape)


def toppling(walk: Walk) -> Iterator[Advice]:
    """Strides that bring the weight to the edge of its feet."""
    near = float((walk.margins < BRAKING * walk.track.reach.mean()).mean())
    for advice in tipping(Shape(walk.track.definition)):
        seen = f"; it was near it or beyond {100 * near:.0f} % of the time"
        yield replace(advice, reason=advice.reason + seen)


def outsized(walk: Walk) -> Iterator[Advice]:
    """Lengths in other units, with which nothing else is worth a word."""
    yield from size_advice(walk.track.definition)


def buried(walk: Walk) -> Iterator[Advice]:
    """Knees that are in the ground even at rest."""
    yield from sunken(Shape(walk.track.definition))


def tilted(walk: Walk) -> Iterator[Advice]:
    """A body that leans too far into what it is asked for."""
    yield from leaning(Shape(walk.track.definition))


def scraping(walk: Walk) -> Iterator[Advice]:
    """Feet that pass too low over the ground in mid-swing."""
    track, lowest = walk.track, np.inf
    for leg, first, last in track.swings():
        progress = track.progress[first:last, leg]
        middle = (progress > 0.15) & (progress < 0.85)
        heights = walk.heights[first:last, leg][middle]
        if len(heights):
            lowest = min(lowest, float(heights.min()))
    step, reach = track.definition.gait.step_height, float(track.reach.max())
    if np.isinf(lowest) or lowest < -0.3 * reach:
        return
    # At the edges of mid-swing an arc has half of its height.
    better = max(0.13 * reach, step + 2.0 * (0.05 * reach - lowest))
    if better > step:
        text = (
            f"feet pass over the ground at {lowest:.2g} m in mid-swing, and 3 % of a reach of "
            f"{reach:.2g} m is {0.03 * reach:.2g} m"
        )
        yield Advice("gait.step_height", step, rounded(min(better, 0.3 * reach)), text)


def sluggish(walk: Walk) -> Iterator[Advice]:
    """A body that takes more than a second to reach its speed, or to stop."""
    track = walk.track
    speed = float(np.linalg.norm(track.wanted[:, :2], axis=1).max())
    acceleration = track.definition.motion.acceleration
    if speed > 0.9 * acceleration:
        text = f"it takes {speed / acceleration:.1f} s to reach {speed:.2g} m/s, and to stop"
        yield Advice("motion.acceleration", acceleration, rounded(2.0 * speed), text)


def swaying(walk: Walk) -> Iterator[Advice]:
    """A body that rises and falls as its plan says."""
    motion, height = walk.track.definition.motion, walk.track.definition.body.ride_height
    if list(bobbing(Shape(walk.track.definition))) or motion.bob > 0.03 * height:
        text = f"the body bobs by {motion.bob:g} m on a ride height of {height:g} m"
        yield Advice("motion.bob", motion.bob, rounded(0.02 * height), text)


def lifeless(walk: Walk) -> Iterator[Advice]:
    """A body that shows nothing of its weight, or that its legs hardly hold."""
    motion, plan = walk.track.definition.motion, walk.track.plan.body[0]
    if motion.weight < 0.5:
        text = "the body goes as on rails"
        yield Advice("motion.weight", motion.weight, 1.0, text)
    usual = sqrt(GRAVITY / walk.track.definition.body.ride_height)
    if not 0.7 * usual <= plan.frequency <= 2.0 * usual:
        text = f"the body oscillates {plan.frequency:.2g} times in a second on its legs"
        yield Advice("motion.frequency", motion.frequency, rounded(usual), text)


def frozen(walk: Walk) -> Iterator[Advice]:
    """A body that hardly lives while it stands."""
    idle = walk.track.definition.motion.idle
    if 0.0 < idle < 0.5:
        yield Advice("motion.idle", idle, 1.0, "it stands like a statue")


def whirling(walk: Walk) -> Iterator[Advice]:
    """A body, or feet, that turn by more than the eye follows in the tick that turns most."""
    track = walk.track
    turns = _degrees(track.orientation, track.tick_rate)
    yaw = np.degrees(np.abs(track.yaw_rate[1:])) / 60.0
    worst = int(turns.argmax())
    feet = np.where(track.is_lost[1:], 0.0, _degrees(track.foot_rotation, track.tick_rate))
    if feet.max() / 5.0 > turns[worst] / 2.0:
        worst = int(feet.max(axis=1).argmax())
    motion = track.definition.motion
    if yaw[worst] > 0.6 * turns[worst] and yaw[worst] > 1.0:
        text = f"the body turns by {yaw[worst]:.1f} degrees in a 60th of a second"
        better = min(0.75 * FASTEST_TURN, rounded(1.5 * motion.turn_rate / yaw[worst]))
        yield Advice("motion.turn_rate", motion.turn_rate, better, text)
    elif turns[worst] > 1.0 and motion.lean > 0.0:
        text = f"the body tilts by {turns[worst]:.1f} degrees in a 60th of a second"
        better = rounded(motion.lean / turns[worst])
        yield Advice("motion.lean", motion.lean, better, text)


def _degrees(rotations: Floats, tick_rate: int) -> Floats:
    """Turns between ticks (T - 1, ...), scaled to a 60th of a second [degrees]."""
    turns: Floats = np.degrees(rotation_angles(rotations[:-1], rotations[1:]))
    return turns * (tick_rate / 60.0)


def racing(walk: Walk) -> Iterator[Advice]:
    """A speed at which legs of this length do not walk."""
    track = walk.track
    speed = track.definition.motion.speed
    walks = float(np.sqrt(0.5 * track.gravity[0].acceleration * track.reach.mean()))
    if speed > walks:
        text = f"legs of {track.reach.mean():.2g} m walk at {walks:.2g} m/s at most"
        yield Advice("motion.speed", speed, rounded(0.93 * walks), text)


def coarse(walk: Walk) -> Iterator[Advice]:
    """Ticks so long that feet are past the ground between two of them."""
    rate = walk.track.tick_rate
    if rate < 30:
        text = f"a foot moves for {1000 / rate:.0f} ms between two ticks"
        yield Advice("tick_rate", float(rate), 60.0, text)


def hindered(walk: Walk) -> Iterator[Advice]:
    """Ground that holds the creature back, or that is steep."""
    track = walk.track
    held, nothing = float(track.is_held_back.mean()), float(track.finds_nothing.mean())
    normals = rotation_matrices(track.level_rotation)[..., 2][~track.is_swinging]
    tilts = (normals * track.ups_at(track.tips[~track.is_swinging])).sum(axis=-1)
    slope = float(np.degrees(np.arccos(np.clip(tilts, -1.0, 1.0))).mean()) if len(tilts) else 0.0
    found = []
    if held > 0.005:
        found.append(f"the ground held it back {100 * held:.1f} % of the time")
    if nothing > 0.005:
        found.append(f"in {100 * nothing:.1f} % a foot found nothing to step on")
    if slope > STEEP and not track.climbs:  # which is what that does
        found.append(f"it walked on slopes of {slope:.0f} degrees")
    if found:
        other = "choose gentler ground, or longer legs"
        yield Advice("terrain", walk.terrain, None, ", ".join(found), other)


def irregular(walk: Walk) -> Iterator[Advice]:
    """Steps out of turn, which tell that legs come too far from home."""
    track = walk.track
    lifts = track.is_swinging[1:] & ~track.is_swinging[:-1]
    count = int(lifts.sum())
    reasons = track.reason[1:][lifts]
    early = np.isin(reasons, (BY_DISTANCE, TO_RECOVER)).sum() / max(1, count)
    if early > 0.05:
        text = f"{100 * early:.0f} % of {count} steps were out of turn, as legs were far from home"
        stride = track.definition.gait
        found = getattr(stride, "stride_length", None)
        better = None if found is None else rounded(0.8 * found)
        yield Advice("gait.stride_length", found, better, text)


def crippled(walk: Walk) -> Iterator[Advice]:
    """Legs that an event took, or led elsewhere."""
    track = walk.track
    lost = int((track.is_lost & ~track.is_led).any(axis=0).sum())
    if lost:
        yield Advice("", None, None, f"{lost} of its legs were lost on the way")
    led = int(track.is_led.any(axis=0).sum())
    if led:
        yield Advice("", None, None, f"events led {led} of its feet elsewhere")
