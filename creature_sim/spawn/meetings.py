"""Which legs of a creature may touch, and how wide they are, seen from above."""

from math import hypot

from creature_sim.components import YAWS, LegRecord, Records
from creature_sim.definitions import CreatureDef
from creature_sim.locomotion.reach import FULL_STRETCH
from creature_sim.locomotion.strips import Strip, gap_between
from creature_sim.maths import PI, Floats, put, sin_cos, vec

STEP = PI / 180.0
"""Yaws are tried in steps of one degree [rad]."""
ROAMS = 0.35
"""A foot keeps within this fraction of its reach of its home: legs that meet then may touch."""
SHARE = 0.39
"""Two hips side by side count as no wider than this share of the way between them: their first
bones turn where they are."""


def write_meetings(definition: CreatureDef, legs: Records[LegRecord], radii: Floats) -> None:
    """Write how wide legs are from above, how far they turn, and which may touch one another.

    Args:
        definition: the creature.
        legs: (L,) with their joints; written.
        radii: (L, J) at their joints [m].
    """
    centres = definition.centres
    for i, leg in enumerate(legs):
        gaps = [_distance(centres, leg, other) for k, other in enumerate(legs) if k != i]
        leg.hip_radius = min(radii[i, 0], SHARE * min(gaps, default=1.0))
        leg.foot_radius = radii[i, leg.bone_count - 1]
        leg.knee_radius = radii[i, leg.first + max(1, leg.bend_count // 2)]
        if leg.hip == YAWS and leg.coxa > 0.0:
            part = definition.trunk[leg.segment]
            _stop_at_body(leg, 0.5 * part.size[0], 0.5 * part.size[1], radii[i, leg.first])
        sine, cosine = sin_cos(0.5 * (leg.yaw_lo + leg.yaw_hi))
        x, y, _ = vec(leg.out)
        put(leg.middle, (x * cosine - y * sine, y * cosine + x * sine, 0.0))
        width = leg.yaw_hi - leg.yaw_lo
        leg.widest[:] = sin_cos(0.5 * width)
        leg.nearly[:] = sin_cos(FULL_STRETCH * 0.5 * width)
        leg.soft_lo[:] = sin_cos(leg.soft_reach * leg.yaw_lo)
        leg.soft_hi[:] = sin_cos(leg.soft_reach * leg.yaw_hi)
    regions = [_region(centres[leg.segment], leg) for leg in legs]
    for i, leg in enumerate(legs):
        found = sorted(
            (gap_between(regions[i], region).size, k) for k, region in enumerate(regions)
        )
        near = [k for gap, k in found if k != i and gap < 0.0][: len(leg.meets)]
        leg.meets[:] = near + [-1] * (len(leg.meets) - len(near))


def _stop_at_body(leg: LegRecord, front: float, side: float, radius: float) -> None:
    """Let a hip yaw no farther than its arm goes past its own segment, seen from above.

    Args:
        leg: its yaw limits are drawn in where they are wider.
        front: half of the segment's length [m].
        side: half of its width [m].
        radius: of the arm, at the shoulder [m].
    """
    corners = [(front, side), (-front, side), (-front, -side), (front, -side)]
    edges = [
        Strip(*a, 0.0, *b, 0.0, 1.0, 0.0, 0.0)
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    ]
    out_x, out_y = leg.out[0], leg.out[1]  # fields of a record take long to read
    mount_x, mount_y, coxa, length = leg.mount[0], leg.mount[1], leg.coxa, leg.arm

    def passes(yaw: float) -> bool:
        """Whether the arm does at a yaw."""
        sine, cosine = sin_cos(yaw)
        x, y = out_x * cosine - out_y * sine, out_y * cosine + out_x * sine
        shoulder = (mount_x + coxa * x, mount_y + coxa * y)
        end = (shoulder[0] + length * x, shoulder[1] + length * y)
        arm = Strip(*shoulder, radius, *end, radius, 1.0, 0.0, 0.0)
        return all(gap_between(arm, edge).size >= 0.0 for edge in edges)

    if passes(0.0):
        for sign in (-1.0, 1.0):
            farthest = 0.0
            while farthest < PI and passes(sign * (farthest + STEP)):
                farthest += STEP
            if sign < 0.0:
                leg.yaw_lo = max(leg.yaw_lo, -farthest)
            else:
                leg.yaw_hi = min(leg.yaw_hi, farthest)


def _region(x: float, leg: LegRecord) -> Strip:
    """Where a leg of a segment at x goes, seen from above, in a straight trunk [m]."""
    home_x, home_y = x + leg.home[0], leg.home[1]
    width = leg.foot_radius + ROAMS * leg.reach
    hip_x, hip_y = x + leg.mount[0], leg.mount[1]
    return Strip(hip_x, hip_y, leg.hip_radius, home_x, home_y, width, 1.0, 0.0, 0.0)


def _distance(centres: tuple[float, ...], leg: LegRecord, other: LegRecord) -> float:
    """Between the hips of two legs of a straight trunk [m]."""
    x = centres[leg.segment] + leg.mount[0] - centres[other.segment] - other.mount[0]
    return hypot(x, leg.mount[1] - other.mount[1])
