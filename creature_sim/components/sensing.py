"""Rays of a herd, and what they found: Q rays for each of N creatures."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.components.records import Part, Record, RecordTable, Vector, zeros
from creature_sim.maths import Floats

NARROW = 2
"""`hit.is_hit` of ground that is narrower than the feet of who climbs hold."""
FENCE = 3
"""`hit.is_hit` of a ray straight ahead that stands for the fence which is there."""


class HitRecord(Record):
    """What a ray found."""

    point: Vector  # of the ground [m, world]
    normal: Vector  # [world]
    is_hit: int  # whether there is ground at all; NARROW, FENCE: see there
    prop: int  # that was hit; -1: the ground


class Patches(NamedTuple):
    """Rays of the legs that survey a patch of ground in this tick, and what they found.

    There is room for all N L legs to do so at once. What was never used takes no memory.

    Attributes:
        rows: (N, L) where a leg's patch is in what follows; -1: it surveys none.
        start: (N L, R, 3) [m, world].
        end: (N L, R, 3) [m, world].
        is_active: (N L, R) whether the ray is cast.
        records: (N L, R) what they found.
        used: (1,) how many patches there are in this tick.
    """

    rows: NDArray[np.int64]
    start: Floats
    end: Floats
    is_active: NDArray[np.int8]
    records: RecordTable[HitRecord]
    used: NDArray[np.int64]


def room_for_patches(count: int, leg_count: int, rays: int) -> Patches:
    """Patches of so many creatures, none of which surveys anything yet."""
    size = count * leg_count
    return Patches(
        np.full((count, leg_count), -1),
        np.zeros((size, rays, 3)),
        np.zeros((size, rays, 3)),
        np.zeros((size, rays), np.int8),
        zeros(HitRecord, size, rays),
        np.zeros(1, np.int64),
    )


@dataclass
class Probes:
    """Rays of this tick; `locomotion/slots.py` says which is where.

    Attributes:
        start: (N, Q, 3) [m, world].
        end: (N, Q, 3) [m, world].
        is_active: (N, Q) whether the ray is cast in this tick.
        room: (N, S) between the centre of a segment and what hangs over it [m]; inf: nothing does.
        patches: rays of legs that survey the ground around.
    """

    start: Floats
    end: Floats
    is_active: NDArray[np.int8]
    room: Floats
    patches: Patches


@dataclass
class Sensed(Part):
    """The ground that the last ray of every slot found: (N, Q).

    Whoever writes it leaves no zero negative, as `spread` does: a tick does not look at it again.
    """

    name = "sensed"
    records: RecordTable[HitRecord]
