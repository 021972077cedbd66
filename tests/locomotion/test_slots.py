"""Rays of a creature: every one has a slot of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.locomotion.search import ARC_FIRST, ARC_LAST, arc_fraction
from creature_sim.locomotion.slots import (
    ARC_RAYS,
    BEND_RAYS,
    FRONT_RAYS,
    HULL_RAYS,
    RING,
    SHIN_RAYS,
    ahead_slot,
    along_shin_slot,
    arc_slot,
    bend_slot,
    foothold_slot,
    front_slot,
    hip_slot,
    hull_slot,
    ring_slot,
    shin_slot,
    slot_count,
)
from creature_sim.locomotion.walls import AHEAD_RAYS


@pytest.mark.slow
@given(st.integers(1, 40), st.integers(2, 40))
def test_slots_are_disjoint_and_cover_all_rays(segments: int, legs: int) -> None:
    below_segments = range(segments)
    used = [*below_segments]
    for leg in range(legs):
        arc, ring = arc_slot(segments, legs, leg), ring_slot(segments, legs, leg)
        used += [foothold_slot(segments, leg), shin_slot(segments, legs, leg)]
        used += [*range(arc, arc + ARC_RAYS), *range(ring, ring + len(RING))]
        shin = along_shin_slot(segments, legs, leg)
        used += range(shin, shin + SHIN_RAYS)
        used.append(hip_slot(segments, legs, leg))
    for segment in range(segments):
        ahead = ahead_slot(segments, legs, segment)
        used += range(ahead, ahead + AHEAD_RAYS)
    assert sorted(used) == list(range(slot_count(segments, legs)))
    for leg in range(legs):
        bend = bend_slot(segments, legs, leg)
        used += range(bend, bend + BEND_RAYS)
    for segment in range(segments):
        front = front_slot(segments, legs, segment)
        used += range(front, front + FRONT_RAYS)
        hull = hull_slot(segments, legs, segment)
        used += range(hull, hull + HULL_RAYS)
    assert sorted(used) == list(range(slot_count(segments, legs, climbs=1)))


@pytest.mark.slow
@given(st.integers(0, 10**9))
def test_rays_along_an_arc_are_in_order_and_within_it(tick: int) -> None:
    found = [arc_fraction(tick, k) for k in range(ARC_RAYS)]
    assert found == sorted(set(found))
    assert found[0] >= ARC_FIRST
    assert found[-1] <= ARC_LAST
