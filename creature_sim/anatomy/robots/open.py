"""A robot's file as an anatomy, and as a model to draw."""

from pathlib import Path

from creature_sim.anatomy.anatomy import Anatomy
from creature_sim.anatomy.robots.found import found_in_robot
from creature_sim.anatomy.robots.rigid import rigid_glb
from creature_sim.robots.reading import read_robot


def robot_anatomy(path: str | Path) -> tuple[Anatomy, bytes]:
    """The anatomy of a robot, and the .glb that shows it.

    Raises:
        DefinitionError: its file is none, or it has no legs that it could stand on.
    """
    found = found_in_robot(read_robot(path))
    return found.anatomy, rigid_glb(found)
