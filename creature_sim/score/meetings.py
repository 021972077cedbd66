"""M23: creatures that pass through each other.

Segments of trunks are the boxes of their size; bones are round bars with the radii that are drawn.
A leg counts against legs and bodies of others; legs that are lost do not count.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, rotation_matrices
from creature_sim.score.bars import bones_of, depths_between, depths_in_bodies, is_bone
from creature_sim.score.metric import Metric, judge, not_applicable
from creature_sim.score.overlap import UNSEEN
from creature_sim.score.reading import Flags
from creature_sim.score.registry import register
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk


@dataclass(frozen=True)
class Meeting:
    """Two creatures in K ticks in which they are near to each other.

    Attributes:
        a: the track of the first one.
        b: the track of the second one.
        ticks_a: (K,) of the first track.
        ticks_b: (K,) the same ones of the second.
    """

    a: Track
    b: Track
    ticks_a: NDArray[np.int64]
    ticks_b: NDArray[np.int64]

    @property
    def swapped(self) -> "Meeting":
        """The same, as the second one sees it."""
        return Meeting(self.b, self.a, self.ticks_b, self.ticks_a)


@register("M23", "creature overlap")
def creature_overlap(walk: Walk) -> Metric:
    """M23: fraction of ticks with a body in a body, or a leg more than 2 mm in another creature.

    Bodies may never overlap.
    """
    if not walk.others:
        return not_applicable("no other creature was there")
    bodies, legs = np.zeros((2, len(walk.track.tips)), bool)
    deepest = 0.0
    for other in walk.others:
        meeting = meet(walk.track, other)
        if not len(meeting.ticks_a):
            continue
        bodies[meeting.ticks_a] |= bodies_overlap(meeting)
        depths = np.maximum(leg_depths(meeting), body_depths(meeting))
        depths = np.maximum(depths, body_depths(meeting.swapped))
        legs[meeting.ticks_a] |= depths > UNSEEN
        deepest = max(deepest, float(depths.max()))
    share = float((bodies | legs).mean())
    text = f"fraction of ticks in another creature; legs {1e3 * deepest:.1f} mm deep at most"
    if bodies.any():
        text += f", bodies in {100 * float(bodies.mean()):.2f} % of ticks"
        return Metric(share, "fail", text)
    return judge(share, 0.005, 0.001, text)


def meet(a: Track, b: Track) -> Meeting:
    """The ticks in which two creatures are as near to each other as they are large."""
    first, last = max(a.begin, b.begin), min(a.begin + len(a.tips), b.begin + len(b.tips))
    ticks = np.arange(first, max(first, last))
    apart = lengths(a.centre[ticks - a.begin] - b.centre[ticks - b.begin])
    ticks = ticks[apart < _size(a) + _size(b)]
    return Meeting(a, b, ticks - a.begin, ticks - b.begin)


def _size(track: Track) -> float:
    """Radius of a ball around its centre that holds a creature at all times [m]."""
    halves = 0.5 * np.array([segment.size for segment in track.definition.trunk])
    legs = lengths(track.joints - track.centre[:, None, None]).max() + track.plan.radii.max()
    trunk = (lengths(track.positions - track.centre[:, None]) + lengths(halves)).max()
    return float(max(legs, trunk))


def bodies_overlap(meeting: Meeting) -> Flags:
    """Whether any two boxes of two trunks overlap, (K,).

    They do not where an axis separates them: a normal of a face, or at right angles to an edge of
    each (Gottschalk, Lin and Manocha 1996).
    """
    a, b = meeting.a, meeting.b
    turns_a = rotation_matrices(a.orientations[meeting.ticks_a])
    turns_b = rotation_matrices(b.orientations[meeting.ticks_b])
    halves_a = 0.5 * np.array([segment.size for segment in a.definition.trunk])
    halves_b = 0.5 * np.array([segment.size for segment in b.definition.trunk])
    found = np.zeros(len(meeting.ticks_a), bool)
    for s, half in enumerate(halves_a):
        for k, other in enumerate(halves_b):
            between = a.positions[meeting.ticks_a, s] - b.positions[meeting.ticks_b, k]
            (near,) = np.nonzero(lengths(between) < lengths(half) + lengths(other))
            own, its = turns_a[near, s], turns_b[near, k]
            edges = np.cross(own[:, :, :, None], its[:, :, None, :], axis=1).reshape(-1, 3, 9)
            axes = np.concatenate((own, its, edges), axis=2)
            axes = axes / np.maximum(lengths(axes.swapaxes(1, 2)), 1e-9)[:, None]
            gaps = abs(np.einsum("ki,kia->ka", between[near], axes))
            gaps -= np.einsum("j,kja->ka", half, abs(np.einsum("kij,kia->kja", own, axes)))
            gaps -= np.einsum("j,kja->ka", other, abs(np.einsum("kij,kia->kja", its, axes)))
            found[near] |= (gaps < 0.0).all(axis=1)
    return found


def leg_depths(meeting: Meeting) -> Floats:
    """How deep legs of two creatures are in each other, (K,) [m]; -inf where none are near."""
    a, b = meeting.a, meeting.b
    found = np.full(len(meeting.ticks_a), -np.inf)
    bones_a, bones_b = is_bone(a.plan), is_bone(b.plan)
    for leg in range(len(bones_a)):
        for other in range(len(bones_b)):
            one, two = a.joints[meeting.ticks_a, leg], b.joints[meeting.ticks_b, other]
            far = lengths(one - one[:, :1]).max() + lengths(two - two[:, :1]).max()
            far += a.plan.radii[leg].max() + b.plan.radii[other].max()
            near = lengths(one[:, 0] - two[:, 0]) < far
            near &= ~a.is_lost[meeting.ticks_a, leg] & ~b.is_lost[meeting.ticks_b, other]
            counted = bones_a[leg][:, None] & bones_b[other]
            tick, first, second = np.nonzero(near[:, None, None] & counted)
            legs, others = np.full(len(tick), leg), np.full(len(tick), other)
            bars = bones_of(a.plan, one[tick], legs, first)
            depths = depths_between(bars, bones_of(b.plan, two[tick], others, second))
            np.maximum.at(found, tick, depths)
    return found


def body_depths(meeting: Meeting) -> Floats:
    """How deep legs of the first are in the body of the second, (K,) [m]; -inf: none is near."""
    a, b = meeting.a, meeting.b
    found = np.full(len(meeting.ticks_a), -np.inf)
    bones = is_bone(a.plan)
    for s, segment in enumerate(b.definition.trunk):
        half = 0.5 * np.array(segment.size)
        turns = rotation_matrices(b.orientations[meeting.ticks_b, s])
        joints = a.joints[meeting.ticks_a] - b.positions[meeting.ticks_b, s][:, None, None]
        reach = lengths(np.diff(joints, axis=2)).max() + a.plan.radii.max() + lengths(half)
        near = (lengths(joints) < reach).any(axis=2) & ~a.is_lost[meeting.ticks_a]
        tick, leg, bone = np.nonzero(near[:, :, None] & bones)
        own = np.matmul(joints[tick, leg], turns[tick])
        bars = bones_of(a.plan, own, leg, bone)
        depths = depths_in_bodies(bars, np.broadcast_to(half, (len(tick), 3)))
        np.maximum.at(found, tick, depths)
    return found
