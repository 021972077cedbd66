"""No planted foot is ever outrun: a body moves only as far as the legs it stands on reach."""

from creature_sim.components import Record, Records
from creature_sim.jit import kernel
from creature_sim.maths import Quat, Vec, add, distance, mix, nlerp, rotate, vec

FULL_STRETCH = 0.97
"""A planted leg never stretches beyond this share of its reach."""
COMFORT = 0.90
"""From this share of its reach on, a leg slows the body down."""


@kernel
def hip_of(position: Vec, orientation: Quat, leg: Record) -> Vec:
    """Where a leg is mounted [m, world]."""
    return add(position, rotate(orientation, vec(leg.mount)))


@kernel
def fits(
    legs: Records,
    feet: Records,
    old_position: Vec,
    old_orientation: Quat,
    position: Vec,
    orientation: Quat,
) -> bool:
    """Whether every planted foot stays in reach, or at least comes nearer to it.

    Args:
        legs: (L,) LEG.
        feet: (L,) FOOT.
        old_position: of the body [m, world].
        old_orientation: of the body.
        position: of the body, as wished [m, world].
        orientation: of the body, as wished.
    """
    for leg in range(legs.shape[0]):
        if feet[leg].is_swinging:
            continue
        foot = vec(feet[leg].position)
        new = distance(hip_of(position, orientation, legs[leg]), foot)
        if legs[leg].inner <= new <= FULL_STRETCH * legs[leg].reach:
            continue
        old = distance(hip_of(old_position, old_orientation, legs[leg]), foot)
        if new > old and new > legs[leg].inner:
            return False
        if new < old and new < legs[leg].inner:
            return False
    return True


@kernel
def allowed_share(
    legs: Records,
    feet: Records,
    old_position: Vec,
    old_orientation: Quat,
    position: Vec,
    orientation: Quat,
) -> float:
    """Share of a wished change of pose, 1 down to 0, that `fits`."""
    share = 1.0
    while share > 0.05:
        if fits(
            legs,
            feet,
            old_position,
            old_orientation,
            mix(old_position, position, share),
            nlerp(old_orientation, orientation, share),
        ):
            return share
        share -= 0.125
    return 0.0
