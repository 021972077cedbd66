"""Quaternions (x, y, z, w) from what files of robots write of turns."""

from creature_sim.maths import (
    Quat,
    Vec,
    cross,
    norm,
    quat_about,
    quat_between,
    quat_from_axes,
    quat_multiply,
    quat_unit,
    unit,
)

NONE: Quat = (0.0, 0.0, 0.0, 1.0)
AXES: dict[str, Vec] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
Z: Vec = AXES["z"]
TINY = 1e-9


def from_rpy(angles: Vec) -> Quat:
    """Roll, pitch and yaw about fixed axes X, Y, Z, one after another [rad]."""
    return from_euler(angles, "XYZ")


def from_euler(angles: Vec, order: str) -> Quat:
    """Turns about axes one after another: of the body if small letters, fixed ones if large."""
    found = NONE
    for letter, angle in zip(order, angles, strict=True):
        turn = quat_about(AXES[letter.lower()], angle)
        found = quat_multiply(found, turn) if letter.islower() else quat_multiply(turn, found)
    return found


def from_quat(written: tuple[float, ...]) -> Quat | None:
    """A quaternion that is written w, x, y, z; None if it has no length."""
    w, x, y, z = written
    size = (w * w + x * x + y * y + z * z) ** 0.5
    return quat_unit((x, y, z, w)) if size > TINY else None


def from_xy(written: tuple[float, ...]) -> Quat | None:
    """The turn that takes X to the first three numbers, and Y near the others; None if none."""
    x: Vec = written[:3]  # type: ignore[assignment]
    y: Vec = written[3:]  # type: ignore[assignment]
    z = cross(x, y)
    if norm(x) < TINY or norm(z) < TINY * norm(x):
        return None
    x, z = unit(x, x), unit(z, z)
    return quat_from_axes(x, cross(z, x), z)


def from_z(written: Vec) -> Quat | None:
    """The shortest turn that takes Z to a direction; None if it has no length."""
    return quat_between(Z, unit(written, Z)) if norm(written) > TINY else None
