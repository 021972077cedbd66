"""M28: whether a body lives on its legs: it heaves, tilts and pulls in the rhythm of its steps."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.score.bodies import is_flat
from creature_sim.score.metric import Metric, Verdict, not_applicable
from creature_sim.score.reading import spans
from creature_sim.score.registry import register
from creature_sim.score.rhythm import steady, stride_ticks
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

BANDS = {
    "bob": (0.5, 6.0, "%"),
    "roll": (0.2, 3.0, "degrees"),
    "pitch": (0.2, 3.0, "degrees"),
    "yaw": (0.2, 3.0, "degrees"),
    "speed": (0.5, 6.0, "%"),
}
"""Peak to peak, smallest and largest: of the ride height, in degrees, of the speed."""
STRIDES = 3
"""It is looked at over so many strides at a time, without their trend."""
SETTLED = 4.0
"""A command has held for so long before [s]."""
NEAR = 0.15
"""A rhythm is that of the steps if it is so near to it or to its double, as a fraction of it."""


@register("M28", "liveliness", larger_is_better=True)
def liveliness(walk: Walk) -> Metric:
    """M28: how many of bob, roll, pitch, yaw and change of speed are in their bands, as a fraction.

    On flat ground, of the first segment, straight on: from 4 s after a change of command that asks
    for no turn. It passes if all are, and is excellent if each goes at the rhythm of the steps.
    """
    track = walk.track
    if not is_flat(walk) or track.gravity[0].is_central:
        return not_applicable("flat ground only")
    goes = (steady(track, SETTLED) > 0.0) & (track.wanted[:, 2] == 0.0) & ~track.runs
    found = [
        (first, last)
        for _, first, last in spans(goes[:, None])
        if stride_ticks(track, first, last) * STRIDES <= last - first
    ]
    if not found:
        return not_applicable(f"less than {STRIDES} strides straight on")
    first, last = max(found, key=lambda span: span[1] - span[0])
    stride = stride_ticks(track, first, last)
    values = motions(track, first, last)
    sizes = {name: _size(value, round(STRIDES * stride)) for name, value in values.items()}
    inside = [low <= sizes[name] <= high for name, (low, high, _) in BANDS.items()]
    verdict: Verdict = "fail"
    if all(inside):
        beats = all(_beats(value, stride) for value in values.values())
        verdict = "excellent" if beats else "pass"
    text = ", ".join(f"{name} {sizes[name]:.2g} {unit}" for name, (_, _, unit) in BANDS.items())
    return Metric(sum(inside) / len(inside), verdict, f"of five in their bands; {text}")


def motions(track: Track, first: int, last: int) -> dict[str, Floats]:
    """What a body does from a tick to another, (last - first - 1,) each, in the units of BANDS."""
    ticks = slice(first, last)
    turns = rotation_matrices(track.orientation[ticks])
    ups = track.level_ups(track.position[ticks])
    nose, side = turns[..., 0], turns[..., 1]
    level = nose - (nose * ups).sum(axis=1, keepdims=True) * ups
    start = level[0] / np.linalg.norm(level[0])
    beside = np.cross(ups[0], start)
    moves = np.diff(track.position[ticks], axis=0) * track.tick_rate
    moves -= (moves * ups[1:]).sum(axis=1, keepdims=True) * ups[1:]
    along = moves.mean(axis=0)
    speed = moves @ along / max(float(np.linalg.norm(along)), 1e-9)
    return {
        "bob": 100.0 * track.altitudes(track.position[ticks])[1:]
        / track.definition.body.ride_height,
        "roll": np.degrees(np.arcsin((side * ups).sum(axis=1)))[1:],
        "pitch": np.degrees(np.arcsin((nose * ups).sum(axis=1)))[1:],
        "yaw": np.degrees(np.unwrap(np.arctan2(level @ beside, level @ start)))[1:],
        "speed": 100.0 * speed / max(float(speed.mean()), 1e-9),
    }  # fmt: skip


def _without_trend(values: Floats) -> Floats:
    """Values (T,) without the parabola that fits them best."""
    times = np.linspace(-1.0, 1.0, len(values))
    straight: Floats = values - np.polyval(np.polyfit(times, values, 2), times)
    return straight


def _size(values: Floats, length: int) -> float:
    """Peak to peak of values (T,) over `length` ticks, the mean of all that fit."""
    count = len(values) - length + 1
    starts = range(0, max(count, 1), length)
    return float(np.mean([np.ptp(_without_trend(values[at : at + length])) for at in starts]))


def _beats(values: Floats, stride: float) -> bool:
    """Whether the strongest rhythm of values (T,) is one or two a stride."""
    power = np.abs(np.fft.rfft(_without_trend(values) * np.hanning(len(values))))
    rhythm = (1 + int(power[1:].argmax())) * stride / len(values)
    return any(abs(rhythm - beat) <= NEAR * beat for beat in (1.0, 2.0))
