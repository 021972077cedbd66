"""A robot's links as a skeleton, and the frames that its file may have."""

from collections.abc import Iterator

import numpy as np

from creature_sim.anatomy.frame import Frame, frame_of, upright_frame
from creature_sim.anatomy.robots.machine import Machine, Pose
from creature_sim.anatomy.robots.surfaces import Surfaces
from creature_sim.anatomy.skeleton import Skeleton
from creature_sim.errors import DefinitionError
from creature_sim.robots.robot import SLIDES


def skeleton_of(machine: Machine, surfaces: Surfaces, pose: Pose) -> Skeleton:
    """The groups of a robot in a pose as bones, with what is drawn of them as skins."""
    skins = []
    for group, shown in enumerate(surfaces.groups):
        points = [one.points @ pose.turns[group].T + pose.places[group] for one in shown]
        skins.append(np.concatenate(points) if points else np.zeros((0, 3)))
    return Skeleton(machine.names, tuple(machine.parents), pose.places, tuple(skins))


def frames_of(machine: Machine, surfaces: Surfaces) -> Iterator[Frame]:
    """Frames that a robot's file may have: Z up, or where its legs point as all joints are at 0."""
    pose = machine.posed([0.0] * len(machine.links), np.eye(3))
    skeleton = skeleton_of(machine, surfaces, pose)
    yield upright_frame(skeleton, "+Z")
    found = frame_of(skeleton, "+Z")
    if found.up != "+Z":
        doubts = {key: text for key, text in found.doubts.items() if key != "scale"}
        yield Frame(found.up, found.forward, 1.0, doubts)


def refuse_held(machine: Machine, file: str) -> None:
    """Refuse a robot that is held to the world by joints."""
    held: list[str] = []
    group = 0
    while not machine.shapes[group] and machine.mass(group) <= 0.0:
        below = machine.children(group)
        if len(below) != 1:
            break
        group = below[0]
        joint = machine.joint(group)
        held.append(f"{joint.name!r}, which {'slides' if joint.kind == SLIDES else 'turns'}")
    if held:
        raise DefinitionError(
            f"{file}: expected a robot that is free, found one that joints hold to the world: "
            f"{', '.join(held)}; it moves as they let it and no other way"
        )
