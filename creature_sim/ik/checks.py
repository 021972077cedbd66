"""Checks at the boundary: arguments become arrays that the kernels can trust."""

from collections.abc import Sequence
from numbers import Integral, Real

import numpy as np

from creature_sim.ik.bones import SMALLEST
from creature_sim.ik.limits import Limit
from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel

LARGEST = 1e60
"""Largest coordinate [m]: its fourth power is still a number."""


def numbers(
    name: str, value: object, *shapes: tuple[int | None, ...], copies: bool = True
) -> Floats:
    """An argument as a float64 C-contiguous array, with one of the given shapes, all finite.

    Args:
        name: Of the argument.
        value: What was given.
        shapes: That it may have; None is any size.
        copies: Whether it is a copy in any case: whoever neither writes nor keeps it needs none.

    Raises:
        ValueError: It is not; the text names the argument, and the row where it has several.
    """
    try:
        if isinstance(value, np.ndarray) and value.dtype.kind in "cmM":
            raise TypeError(f"got {value.dtype}")  # numpy would take real parts, and dates as days
        array: Floats = (np.array if copies else np.asarray)(value, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name}: expected numbers of shape {_wanted(shapes)}: {error}") from None
    if not _fits(array.shape, shapes[0]) and not any(_fits(array.shape, s) for s in shapes[1:]):
        raise ValueError(f"{name}: expected shape {_wanted(shapes)}, got {array.shape}")
    if not _are_moderate(array.reshape(-1)):
        bad = np.argwhere(~(np.abs(array) <= LARGEST))[0]
        where = f" in row {bad[0]}" if array.ndim > 1 else ""
        raise ValueError(
            f"{name}: expected finite numbers up to {LARGEST:g}, got {array[tuple(bad)]}{where}"
            f" (index {tuple(int(i) for i in bad)})"
        )
    return array


@kernel
def _are_moderate(values: Floats) -> bool:
    """Whether all values (n,) are numbers, finite and not huge."""
    are_moderate = True
    for i in range(values.shape[0]):
        are_moderate &= abs(values[i]) <= LARGEST  # False for NaN
    return are_moderate


def _fits(shape: tuple[int, ...], wanted: tuple[int | None, ...]) -> bool:
    if shape == wanted:
        return True
    if len(shape) != len(wanted):
        return False
    return all(b is None or a == b for a, b in zip(shape, wanted, strict=True))


def _wanted(shapes: Sequence[tuple[int | None, ...]]) -> str:
    names = []
    for shape in shapes:
        sizes = ", ".join("n" if size is None else str(size) for size in shape)
        names.append(f"({sizes}{',' if len(shape) == 1 else ''})")
    return " or ".join(names)


def chains(name: str, value: object, axes: int, *, copies: bool = True) -> tuple[Floats, bool]:
    """Start poses with `axes` leading axes, as (..., J, 3); and whether they were flat, (..., 2).

    `copies` as of `numbers`.

    Raises:
        ValueError: As `numbers`, or there are fewer than two joints.
    """
    lead = (None,) * axes
    array = numbers(name, value, (*lead, None, 3), (*lead, None, 2), copies=copies)
    if array.shape[-2] < 2:
        raise ValueError(f"{name}: expected at least two joints, got {array.shape[-2]}")
    is_flat = array.shape[-1] == 2
    return raised(array), is_flat


def points(
    name: str, value: object, is_flat: bool, *leads: tuple[int | None, ...], copies: bool = True
) -> Floats:
    """Points with one of some leading shapes, made 3D; flat if the joints are. As `numbers`."""
    width = 2 if is_flat else 3
    return raised(numbers(name, value, *((*lead, width) for lead in leads), copies=copies))


def raised(array: Floats) -> Floats:
    """Points (..., 2) with z = 0 added; points (..., 3) as they are."""
    if array.shape[-1] == 3:
        return array
    return np.concatenate([array, np.zeros((*array.shape[:-1], 1))], axis=-1)


def bones(lengths: object, *shapes: tuple[int | None, ...]) -> Floats:
    """Bone lengths [m] that a user gave.

    Raises:
        ValueError: As `numbers`, or one is negative.
    """
    array = numbers("lengths", lengths, *shapes)
    if (array < 0.0).any():
        bad = np.argwhere(array < 0.0)[0]
        where = f" in row {bad[0]}" if array.ndim > 1 else ""
        raise ValueError(f"lengths: expected none negative, got {array[tuple(bad)]}{where}")
    array[array < SMALLEST] = 0.0
    return array


def direction(name: str, value: object, is_flat: bool) -> Floats:
    """A direction (3,) as a unit vector."""
    array = points(name, value, is_flat, ())
    length = float(np.sqrt((array * array)[0] + (array * array)[1] + (array * array)[2]))
    if length < 1e-30:
        raise ValueError(f"{name}: expected a direction, got {value!r}")
    return np.asarray(array / length, dtype=np.float64)


def rotations(name: str, value: object, *shapes: tuple[int | None, ...]) -> Floats:
    """Unit quaternions xyzw; any length but 0 is scaled to 1."""
    array = numbers(name, value, *shapes)
    squares = array * array
    lengths = np.sqrt(squares[..., 0] + squares[..., 1] + squares[..., 2] + squares[..., 3])
    if not (lengths > 1e-30).all():
        raise ValueError(f"{name}: expected quaternions xyzw, got one of length 0")
    return np.asarray(array / lengths[..., None], dtype=np.float64)


def limit_list(
    limits: Sequence[Limit | None], bone_count: int, is_flat: bool
) -> Sequence[Limit | None]:
    """Limits, one for each bone; the hinges of a flat chain turn about Z."""
    listed = list(limits) if isinstance(limits, Sequence) else []
    if len(listed) != bone_count or not all(x is None or isinstance(x, Limit) for x in listed):
        raise ValueError(
            f"limits: expected a list of {bone_count} Limit or None, one per bone, got {limits!r}"
        )
    for number, limit in enumerate(listed):
        axis = limit.axis if is_flat and limit and limit.kind == "hinge" else None
        if axis and (axis[0] != 0.0 or axis[1] != 0.0):
            raise ValueError(
                f"limits: expected hinges about (0, 0, 1) or (0, 0, -1) in a flat chain,"
                f" got {axis} for bone {number}"
            )
    return listed


def options(tolerance: object, max_iterations: object) -> tuple[float, int]:
    """The tolerance [m] and the iterations that a solve may take."""
    if not isinstance(max_iterations, Integral) or not 1 <= int(max_iterations) <= 10**6:
        raise ValueError(f"max_iterations: expected 1 to 1000000, got {max_iterations!r}")
    try:
        metres = float(tolerance) if isinstance(tolerance, Real) else 0.0
    except OverflowError:
        metres = np.inf
    if not 0.0 < metres <= LARGEST:
        raise ValueError(f"tolerance: expected a positive number of metres, got {tolerance!r}")
    return metres, int(max_iterations)
