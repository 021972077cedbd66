"""Where the bones of a model are: for each, the matrix that takes it from its rest to a pose.

A box of the trunk, or the head, is where it is in the pose. A bone of a leg lies on its joint, and
turns from its place at rest by the shortest way after the bone before it, so that no skin on it
twists; the first one turns about itself as well, such that the plane that the leg bends in is the
one at rest. The last bone of a leg with a sole turns with the sole. What swings with a leg turns
about the axis from right to left, where it is on the bone that it hangs on. Parts keep their size.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    X,
    Y,
    Z,
    add,
    along,
    atan2,
    clamp,
    cross,
    dot,
    mix,
    norm,
    put,
    quat,
    quat_about,
    quat_between,
    quat_from_axes,
    quat_multiply,
    reject,
    rotate,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.geometry import lengths
from creature_sim.maths.jit import kernel
from creature_sim.models.binding import Binding

FLAT, BENT = 0.05, 0.30
"""Sines: a leg that bends by less than the first has no plane that it bends in; with the second it
has one wholly."""
ALONG = 0.4
"""A bone nearer to the axis that its leg bends about, as a sine, does not turn with it."""


class RestBones(NamedTuple):
    """The bones of a creature at rest.

    Attributes:
        boxes: (S, 3) centres of the boxes [m, body].
        joints: (L, J, 3) hip to tip [m, body].
        counts: (L,) of bones.
        carriers: (L,) box that each leg hangs on.
        soles: (L,) 1 where a leg ends in a sole, else 0.
        sides: (L, J - 2) 1 or -1, to which side each joint bends; 0: it does not.
        axes: (L, 3) unit vectors that legs bend about.
        trust: (L,) how much the first bone turns with them, 0 to 1.
        pivots: (K, 3) places of the nodes that swing with legs [m, body].
        bearers: (K,) the bone that each of those hangs on.
        partners: (K,) the leg that it swings with.
        gains: (K,) its angle over that of the leg.
    """

    boxes: Floats
    joints: Floats
    counts: NDArray[np.int64]
    carriers: NDArray[np.int64]
    soles: NDArray[np.int64]
    sides: Floats
    axes: Floats
    trust: Floats
    pivots: Floats
    bearers: NDArray[np.int64]
    partners: NDArray[np.int64]
    gains: Floats


def rest_bones(
    binding: Binding, carriers: NDArray[np.int64], soles: NDArray[np.int64]
) -> RestBones:
    """Measure in which planes legs bend at rest; arguments as in `RestBones`."""
    joints, swings = binding.joints, binding.swings
    bones = np.diff(joints, axis=1)
    bones = bones / np.maximum(lengths(bones), 1e-12)[..., None]
    bends = np.cross(bones[:, :-1], bones[:, 1:])
    most = np.take_along_axis(bends, lengths(bends).argmax(axis=1)[:, None, None], axis=1)
    sides = np.sign((bends * most).sum(axis=-1))
    axes = (bends * sides[..., None]).sum(axis=1)
    sizes = lengths(axes)
    axes = axes / np.maximum(sizes, 1e-12)[:, None]
    across = lengths(np.cross(axes, bones[:, 0]))
    trust = ((sizes - FLAT) / (BENT - FLAT)).clip(0.0, 1.0) * (across > ALONG)
    return RestBones(
        binding.boxes,
        joints,
        binding.counts,
        carriers,
        soles,
        sides,
        axes,
        trust,
        swings.places,
        swings.carriers,
        swings.legs,
        swings.gains,
    )


@kernel
def pose_bones(
    rest: RestBones,
    positions: Floats,
    orientations: Floats,
    joints: Floats,
    normals: Floats,
    headings: Floats,
    matrices: Floats,
) -> None:
    """Fill the matrices of N creatures; the other arrays are those of a `HerdPose`.

    Args:
        rest: of their bones.
        positions: (N, S, 3) of the boxes [m, world].
        orientations: (N, S, 4) of them.
        joints: (N, L, J, 3) of the legs [m, world].
        normals: (N, L, 3) of the soles.
        headings: (N, L, 3) of them.
        matrices: (N, B, 3, 4) they take points at rest to the world [m].
    """
    for n in range(len(positions)):
        bone = 0
        for box in range(len(rest.boxes)):
            turn = quat(orientations[n, box])
            _fill(matrices[n, bone], turn, vec(positions[n, box]), vec(rest.boxes[box]))
            bone += 1
        for leg in range(len(rest.counts)):
            turn = quat(orientations[n, rest.carriers[leg]])
            count = rest.counts[leg]
            for b in range(count):
                if b == count - 1 and rest.soles[leg] == 1:
                    ahead, up = vec(headings[n, leg]), vec(normals[n, leg])
                    turn = quat_from_axes(ahead, cross(up, ahead), up)
                else:
                    before = rotate(turn, _bone(rest.joints[leg], b))
                    now = unit(sub(vec(joints[n, leg, b + 1]), vec(joints[n, leg, b])), before)
                    turn = quat_multiply(quat_between(before, now), turn)
                    if b == 0 and rest.trust[leg] > 0.0:
                        turn = _rolled(rest, leg, turn, joints[n, leg])
                place, from_there = vec(joints[n, leg, b]), vec(rest.joints[leg, b])
                _fill(matrices[n, bone], turn, place, from_there)
                bone += 1
        for k in range(len(rest.pivots)):
            leg = rest.partners[k]
            body = quat(orientations[n, rest.carriers[leg]])
            swung = _swing(rest, leg, body, joints[n, leg])
            _swing_about(
                matrices[n, bone],
                quat_about(Y, -rest.gains[k] * swung),
                vec(rest.pivots[k]),
                matrices[n, rest.bearers[k]],
            )
            bone += 1


@kernel
def _swing(rest: RestBones, leg: int, body: Quat, joints: Floats) -> float:
    """Angle by which a leg reaches farther ahead than at rest [rad].

    Args:
        rest: of all bones.
        leg: its index.
        body: orientation of what it hangs on.
        joints: (J, 3) of the leg [m, world].
    """
    last = rest.counts[leg]
    now = unrotate(body, sub(vec(joints[last]), vec(joints[0])))
    then = sub(vec(rest.joints[leg, last]), vec(rest.joints[leg, 0]))
    return atan2(now[0], -now[2]) - atan2(then[0], -then[2])


@kernel
def _swing_about(matrix: Floats, turn: Quat, pivot: Vec, bearer: Floats) -> None:
    """The matrix (3, 4) of what turns about a point at rest, and is carried by a bone (3, 4)."""
    put(matrix[:, 0], _carried(bearer, rotate(turn, X)))
    put(matrix[:, 1], _carried(bearer, rotate(turn, Y)))
    put(matrix[:, 2], _carried(bearer, rotate(turn, Z)))
    moved = _carried(bearer, sub(pivot, rotate(turn, pivot)))
    put(matrix[:, 3], add(moved, vec(bearer[:, 3])))


@kernel
def _carried(bearer: Floats, v: Vec) -> Vec:
    """A vector turned by a matrix (3, 4)."""
    return (dot(vec(bearer[0]), v), dot(vec(bearer[1]), v), dot(vec(bearer[2]), v))


@kernel
def _bone(joints: Floats, b: int) -> Vec:
    """Direction of a bone; X where it has no length."""
    return unit(sub(vec(joints[b + 1]), vec(joints[b])), X)


@kernel
def _rolled(rest: RestBones, leg: int, turn: Quat, joints: Floats) -> Quat:
    """The turn of a leg's first bone, with the plane that the leg bends in as it is at rest.

    Args:
        rest: of all bones.
        leg: its index.
        turn: of the bone, so far.
        joints: (J, 3) of the leg [m, world].
    """
    axis = _bone(joints, 0)
    bend: Vec = (0.0, 0.0, 0.0)
    for b in range(rest.counts[leg] - 1):
        both = cross(_bone(joints, b), _bone(joints, b + 1))
        bend = along(bend, both, rest.sides[leg, b])
    now, wanted = reject(rotate(turn, vec(rest.axes[leg])), axis), reject(bend, axis)
    size = norm(wanted)
    trust = rest.trust[leg] * clamp((size - FLAT) / (BENT - FLAT), 0.0, 1.0)
    if trust == 0.0 or norm(now) < 1e-6:
        return turn
    now = unit(now, axis)
    mixed = mix(now, unit(wanted, now), trust)
    if norm(mixed) < 0.1 or dot(now, mixed) < 0.0:  # it bends to the other side
        return turn
    return quat_multiply(quat_between(now, unit(mixed, now)), turn)


@kernel
def _fill(matrix: Floats, turn: Quat, place: Vec, rest: Vec) -> None:
    """A matrix (3, 4) that turns about a point at rest, and puts that in its place."""
    put(matrix[:, 0], rotate(turn, X))
    put(matrix[:, 1], rotate(turn, Y))
    put(matrix[:, 2], rotate(turn, Z))
    put(matrix[:, 3], add(place, scale(rotate(turn, rest), -1.0)))
