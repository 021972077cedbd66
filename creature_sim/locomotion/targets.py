"""Targets of chains and trees, along splines."""

from creature_sim.components import (
    EASE_EACH,
    EASE_WHOLE,
    SPLINE,
    Records,
    TargetRecord,
    TrackRecord,
)
from creature_sim.locomotion.frames import into_world
from creature_sim.maths import Floats, put, quat, smoothstep, spline_point, vec
from creature_sim.maths.jit import kernel


@kernel
def run_along(
    tracks: Records[TrackRecord],
    keys: Floats,
    targets: Records[TargetRecord],
    position: Floats,
    orientation: Floats,
    dt: float,
) -> None:
    """Move targets (E,) along their splines by one tick.

    Args:
        tracks: (E,) TRACK.
        keys: (E, K, 3) keyframes [m, frame].
        targets: (E,) TARGET, changed.
        position: (3,) of the frame's origin [m, world].
        orientation: (4,) of the frame, xyzw.
        dt: length of a tick [s].
    """
    for e in range(targets.shape[0]):
        track = tracks[e]
        if track.kind == SPLINE:
            targets[e].ticks += 1
            turns = track.shift + targets[e].ticks * dt / track.period
            done = segments_done(track, turns - int(turns))
            point = spline_point(keys[e, : track.key_count], track.is_closed == 1, done)
            put(targets[e].point, into_world(vec(position), quat(orientation), point))


@kernel
def segments_done(track: TrackRecord, fraction: float) -> float:
    """Segments of a spline done after a fraction of its period, eased by smoothstep."""
    segments: int = track.key_count
    if not track.is_closed:  # there and back
        segments -= 1
        fraction = 2.0 * fraction if fraction < 0.5 else 2.0 - 2.0 * fraction
    if track.ease == EASE_WHOLE:
        fraction = smoothstep(fraction)
    done: float = fraction * segments
    if track.ease == EASE_EACH:
        whole = int(done)
        done = whole + smoothstep(done - whole)
    return done
