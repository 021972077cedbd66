"""M26: joints within their limits, and how fast they turn; angles are read off the joints' places.

`LegChain.angles` say the same of the solver; here they follow from where the joints are, the frame
of the segment that a leg hangs on, and the limits of the plan (`CreatureDef.leg_joints`):

- a leg bends in a plane, that of its first hinge's axis, or of its first two bones;
- a first hinge turns a level bone about the segment's Z, 0 towards home; a universal first joint
  does so and pitches the bone; a ball swings it within an ellipse and twists it;
- hinges behind it turn in the plane, 0 straight on; a bone beside it is beyond a limit of 0;
- the ankle of a foot turns in the plane, and then out of it.
"""

from dataclasses import dataclass

import numpy as np

from creature_sim.definitions.hinging import BALL, HINGE, Joint
from creature_sim.maths import Floats
from creature_sim.maths.geometry import angles_between, lengths, rotation_matrices
from creature_sim.score.metric import Metric, Verdict
from creature_sim.score.registry import register
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

FASTEST = 15.0
"""Joints that turn faster than this pop [rad/s]."""
EXACT = 1e-6
"""Limits hold to this excess [rad]."""
STRAIGHT = 1e-6
"""Sine of the angle up to which two bones span no plane."""


@register("M26", "joint limits, joint speed")
def joint_limits(walk: Walk) -> Metric:
    """M26: fraction of ticks with a joint above 15 rad/s; the reason gives the excess over limits.

    Lost legs and resets have no speed.
    """
    track = walk.track
    excess, speed, who = 0.0, np.zeros(len(track.joints) - 1), ""
    counts = ~(track.is_lost[1:] | track.is_lost[:-1] | track.is_put_back[1:, None])
    counts &= ~track.leaps[1:, None]
    for leg in range(track.joints.shape[1]):
        bent = bends_of(track, leg)
        worst = bent.excess.max(axis=0)
        if worst.max() > excess:
            excess, joint = float(worst.max()), int(worst.argmax())
            who = f" (leg {leg}, joint {joint})" if excess > EXACT else ""
        turns = bent.turns.max(axis=1) * track.tick_rate
        speed = np.maximum(speed, np.where(counts[:, leg], turns, 0.0))
    share = float((speed > FASTEST).mean()) if len(speed) else 0.0
    verdict: Verdict = "fail"
    if excess <= EXACT and share <= 0.01:
        verdict = "excellent" if share <= 0.001 else "pass"
    text = "fraction of ticks with a joint above 15 rad/s"
    fastest = float(speed.max(initial=0.0))
    return Metric(share, verdict, f"{text}; fastest {fastest:.1f}; beyond limits {excess:.2g}{who}")


@dataclass(frozen=True)
class Bends:
    """The joints of a leg over a run.

    Attributes:
        angles: (T, B) in the plane of the leg; of a first hinge its yaw [rad].
        excess: (T, B) beyond limits [rad].
        turns: (T - 1, B) of bones against those before them from tick to tick [rad].
    """

    angles: Floats
    excess: Floats
    turns: Floats


def bends_of(track: Track, leg: int) -> Bends:
    """Read the joints of a leg off its places."""
    joints, record = track.leg_joints[leg], track.plan.legs[leg]
    points = track.joints[:, leg, : len(joints) + 1]
    frame = rotation_matrices(track.orientations[:, record.segment])
    bones = np.einsum("tji,tkj->tki", frame, np.diff(points, axis=1))
    bones /= np.maximum(lengths(bones), 1e-12)[..., None]
    home = np.array(record.home[:2]) - np.array(record.mount[:2])
    if not home.any():
        home = np.array((0.0, float(record.side)))
    over = 1.0 if record.pole[2] >= 0.0 else -1.0
    bent = bones[:, :-1] if record.ankle > 0.0 else bones  # a foot may lean out of the plane
    sides = [_read(bones, joints, normal, home, over) for normal in _normals(bent, joints[0], over)]
    best = np.argmin([excess.sum(axis=1) for _, excess in sides], axis=0)
    rows = np.arange(len(bones))
    angles, excess = (np.stack(parts)[best, rows] for parts in zip(*sides, strict=True))
    turns = np.abs(np.remainder(np.diff(angles, axis=0) + np.pi, 2.0 * np.pi) - np.pi).max(axis=2)
    turns[:, 0] = angles_between(bones[:-1, 0], bones[1:, 0])
    return Bends(angles[..., 0], excess, turns)


def _normals(bones: Floats, first: Joint, over: float) -> tuple[Floats, ...]:
    """Normals that the plane of a leg may have, about which its knees bend, (T, 3) [segment]."""
    if first.kind == BALL:
        normal = np.cross(bones[:, 0], bones[:, 1])
        usual = rotation_matrices(np.array(first.rotation))[:, 1]
        usual = usual - (bones[:, 0] @ usual)[:, None] * bones[:, 0]
        is_bent = lengths(normal) > STRAIGHT
        normal = np.where(is_bent[:, None], normal, usual)
    else:
        places = bones[:, :1] if first.kind == HINGE else np.cumsum(bones, axis=1)
        farthest = lengths(places[..., :2]).argmax(axis=1)
        out = places[np.arange(len(bones)), farthest]
        normal = over * np.stack((-out[:, 1], out[:, 0], np.zeros(len(out))), axis=1)
    normal = normal / np.maximum(lengths(normal), 1e-12)[:, None]
    return (normal,) if first.kind == HINGE else (normal, -normal)


def _read(
    bones: Floats, joints: tuple[Joint, ...], normal: Floats, home: Floats, over: float
) -> tuple[Floats, Floats]:
    """Angles (T, B, 2) and excess (T, B) of joints, with knees that bend about a normal [rad].

    Args:
        bones: (T, B, 3) unit directions [segment].
        joints: of the leg.
        normal: (T, 3) of its plane [segment].
        home: (2,) from the hip to where the foot rests [segment].
        over: 1 where knees point up, -1 where they point down.
    """
    angles = np.zeros((*bones.shape[:2], 2))
    excess = np.zeros(bones.shape[:2])
    for k, joint in enumerate(joints):
        bone = bones[:, k]
        aside = np.arcsin(np.clip((bone * normal).sum(axis=1), -1.0, 1.0))
        if k == 0 and joint.kind == BALL:
            excess[:, 0] = _ball_excess(joint, bone, normal)
        elif k == 0:
            level = over * np.stack((normal[:, 1], -normal[:, 0]), axis=1)
            yaw = np.arctan2(home[0] * level[:, 1] - home[1] * level[:, 0], level @ home)
            pitch = np.arctan2(-over * bone[:, 2], (bone[:, :2] * level).sum(axis=1))
            angles[:, 0] = np.stack((yaw, pitch), axis=1)
            turned = _beyond(yaw, joint.lo, joint.hi)
            pitched = _beyond(pitch, joint.second_lo, joint.second_hi)
            excess[:, 0] = np.maximum(np.maximum(turned, pitched), np.abs(aside))
        else:
            before = bones[:, k - 1]
            above = np.cross(before, normal)
            pitch = np.arctan2(-(bone * above).sum(axis=1), (bone * before).sum(axis=1))
            angles[:, k] = np.stack((pitch, aside), axis=1)
            out = _beyond(aside, joint.second_lo, joint.second_hi)
            excess[:, k] = np.maximum(_beyond(pitch, joint.lo, joint.hi), out)
    return angles, excess


def _ball_excess(joint: Joint, bone: Floats, normal: Floats) -> Floats:
    """How far a bone is beyond the limits of a ball, (T,) [rad]."""
    axes = np.stack((bone, normal, np.cross(bone, normal)), axis=-1)
    turns = rotation_matrices(np.array(joint.rotation)).T @ axes
    x, y, z = turns[:, :, 0].T  # of the bone, seen from rest
    swing = np.arctan2(np.hypot(y, z), x)
    size = np.maximum(np.hypot(y, z), 1e-12)
    about_y, about_z = -swing * z / size, swing * y / size
    ratio = np.hypot(about_y / max(joint.cone[0], 1e-9), about_z / max(joint.cone[1], 1e-9))
    beyond = np.where(ratio > 1.0, swing * (1.0 - 1.0 / np.maximum(ratio, 1.0)), 0.0)
    # The twist is what is left of the turn once the bone is swung back along the shortest way.
    axis = np.stack((np.zeros_like(y), -z / size, y / size), axis=1)
    second = turns[:, :, 1]
    cosine, sine = np.cos(swing)[:, None], np.sin(-swing)[:, None]
    along = axis * (axis * second).sum(axis=1, keepdims=True)
    back = second * cosine + np.cross(axis, second) * sine + along * (1.0 - cosine)
    twist = np.arctan2(back[:, 2], back[:, 1])
    return np.maximum(beyond, _beyond(twist, joint.twist_lo, joint.twist_hi))


def _beyond(angles: Floats, low: float, high: float) -> Floats:
    """How far angles are outside an interval [rad]."""
    return np.maximum(0.0, np.maximum(low - angles, angles - high))
