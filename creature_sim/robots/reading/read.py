"""Reads a robot from a file, whatever its format."""

from dataclasses import dataclass
from pathlib import Path

from creature_sim.errors import DefinitionError
from creature_sim.robots.reading.elements import Element, parsed
from creature_sim.robots.robot import Robot

SUFFIXES = (".urdf", ".xml", ".mjcf")


@dataclass(frozen=True)
class Reading:
    """What a file says.

    Attributes:
        file: as it was named.
        robot: in the frame of the file.
        notes: what was left out, or read otherwise than written.
        faults: what a simulation with forces would refuse; a walk without forces need not.
    """

    file: str
    robot: Robot
    notes: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def is_robot(path: str | Path) -> bool:
    """Whether a file's name is one of a robot's."""
    return Path(path).suffix.lower() in SUFFIXES


def read_robot(path: str | Path) -> Reading:
    """A robot from a URDF or an MJCF.

    Raises:
        DefinitionError: it is neither, is damaged, or is no tree of links.
    """
    from creature_sim.robots.reading.mjcf import read_mjcf
    from creature_sim.robots.reading.urdf import read_urdf

    file = Path(path)
    root: Element = parsed(file)
    if root.tag == "robot":
        return read_urdf(root)
    if root.tag == "mujoco":
        return read_mjcf(root)
    raise DefinitionError(
        f"{file}: line {root.line}: expected <robot> of a URDF or <mujoco> of an MJCF, found "
        f"{root.shown}"
    )
