"""The body of a creature in pybullet: links on hinges that are turned by torques."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import TwinRecord
from creature_sim.files.silence import silence
from creature_sim.ground.bodies import GROUND_GROUP
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    along,
    quat_from_axes,
    vec,
)
from creature_sim.props.dynamics import PUSHED, PUSHER, TWIN
from creature_sim.robots.reading.solids import matrix_of
from creature_sim.robots.robot import Link, Robot, Shape
from creature_sim.twin.motion import state_of, take_state

with silence():  # it prints its build time
    import pybullet

MEETS = GROUND_GROUP | PUSHED | PUSHER | TWIN
"""Collision groups that a twin meets."""
GROUND_FRICTION = 0.5
"""pybullet's own of all ground: of two bodies that touch the frictions are multiplied."""
LINK, NORMAL, PRESS = 3, 7, 9
"""Columns of a contact: our link, the way the other pushes us, and how hard."""


class Multibody:
    """A robot without fixed joints in a client of pybullet."""

    def __init__(self, robot: Robot, client: int, friction: float) -> None:
        """Create it at the origin."""
        self._client = client
        base, *others = robot.links
        self._hinges = list(range(len(others)))
        frames = [_principal(link) for link in robot.links]
        shapes = [self._collision(link) for link in robot.links]
        x, y, z, w = map(float, frames[0][1])
        self._centre: Vec = vec(np.array(base.centre))
        self._axes: Quat = (x, y, z, w)
        self.number: int = pybullet.createMultiBody(
            baseMass=base.mass,
            baseCollisionShapeIndex=shapes[0],
            baseInertialFramePosition=base.centre,
            baseInertialFrameOrientation=frames[0][1],
            linkMasses=[link.mass for link in others],
            linkCollisionShapeIndices=shapes[1:],
            linkVisualShapeIndices=[-1] * len(others),
            linkPositions=[link.position for link in others],
            linkOrientations=[link.orientation for link in others],
            linkInertialFramePositions=[link.centre for link in others],
            linkInertialFrameOrientations=[turn for _, turn in frames[1:]],
            linkParentIndices=[link.parent for link in others],
            linkJointTypes=[pybullet.JOINT_REVOLUTE] * len(others),
            linkJointAxis=[link.joint.axis for link in others if link.joint],
            physicsClientId=client,
        )
        for index, (link, (moments, _)) in enumerate(zip(robot.links, frames, strict=True)):
            limits = {}
            if link.joint:
                limits = {"jointLowerLimit": link.joint.lo, "jointUpperLimit": link.joint.hi}
            pybullet.changeDynamics(
                self.number,
                index - 1,
                localInertiaDiagonal=moments,
                lateralFriction=friction / GROUND_FRICTION,
                linearDamping=0.0,
                angularDamping=0.0,
                jointDamping=0.0,
                physicsClientId=client,
                **limits,
            )
            pybullet.setCollisionFilterGroupMask(
                self.number, index - 1, TWIN, MEETS, physicsClientId=client
            )
        pybullet.setJointMotorControlArray(  # the motors that it has by itself
            self.number,
            self._hinges,
            pybullet.VELOCITY_CONTROL,
            forces=[0.0] * len(others),
            physicsClientId=client,
        )

    def _collision(self, link: Link) -> int:
        """A shape of all that a link touches with."""
        solids = [_solid(shape) for shape in link.shapes if shape.collides]
        if not solids:
            return -1
        if len(solids) == 1:
            sizes, where, turn = solids[0]
            kind = sizes.pop("shapeType")
            frame = {"collisionFramePosition": where, "collisionFrameOrientation": turn}
            found = pybullet.createCollisionShape(
                kind, physicsClientId=self._client, **sizes, **frame
            )
            return int(found)
        parts = [one for one, _, _ in solids]
        found = pybullet.createCollisionShapeArray(
            [one["shapeType"] for one in parts],
            radii=[one.get("radius", 0.0) for one in parts],
            halfExtents=[one.get("halfExtents", [0.0, 0.0, 0.0]) for one in parts],
            lengths=[one.get("height", 0.0) for one in parts],
            collisionFramePositions=[where for _, where, _ in solids],
            collisionFrameOrientations=[turn for _, _, turn in solids],
            physicsClientId=self._client,
        )
        return int(found)

    def place(self, base: TwinRecord, angles: Floats, rates: Floats) -> None:
        """Put it into a state: all that it is goes out of components into pybullet, and back."""
        client = self._client
        position, turn, velocity, spin = state_of(base, self._centre, self._axes)
        pybullet.resetBasePositionAndOrientation(
            self.number, position, turn, physicsClientId=client
        )
        pybullet.resetBaseVelocity(self.number, velocity, spin, physicsClientId=client)
        pybullet.resetJointStatesMultiDof(
            self.number,
            self._hinges,
            angles[:, None].tolist(),
            rates[:, None].tolist(),
            physicsClientId=client,
        )

    def read(self, base: TwinRecord, angles: Floats, rates: Floats) -> None:
        """Write its state."""
        position, orientation = pybullet.getBasePositionAndOrientation(self.number, self._client)
        velocity, spin = pybullet.getBaseVelocity(self.number, self._client)
        states = pybullet.getJointStates(self.number, self._hinges, self._client)
        angles[:], rates[:] = [state[0] for state in states], [state[1] for state in states]
        take_state(base, position, orientation, velocity, spin, self._centre, self._axes)

    def turn(self, torques: Floats) -> None:
        """Give its hinges torques for the next step [N m]."""
        pybullet.setJointMotorControlArray(
            self.number,
            self._hinges,
            pybullet.TORQUE_CONTROL,
            forces=torques.tolist(),
            physicsClientId=self._client,
        )

    def touch(
        self, feet: Sequence[int], forces: Floats, contacts: NDArray[np.int64], trunk: Sequence[int]
    ) -> Vec:
        """Write what pushes feet, and say what pushes a trunk [N, world]. Friction is left out.

        Args:
            feet: (L,) links.
            forces: (L, 3) on them [N, world]; written.
            contacts: (L,) whether anything touches them; written.
            trunk: (S,) links.
        """
        forces[:], contacts[:] = 0.0, 0
        where = {link - 1: index for index, link in enumerate(feet)}
        segments = {link - 1 for link in trunk}
        push = (0.0, 0.0, 0.0)
        for contact in pybullet.getContactPoints(bodyA=self.number, physicsClientId=self._client):
            index = where.get(contact[LINK])
            if index is not None:
                contacts[index] = 1
                forces[index] += np.multiply(contact[PRESS], contact[NORMAL])
            elif contact[LINK] in segments:
                push = along(push, contact[NORMAL], contact[PRESS])
        return push

    def remove(self) -> None:
        """Take it out of the client."""
        pybullet.removeBody(self.number, physicsClientId=self._client)


def _principal(link: Link) -> tuple[list[float], list[float]]:
    """Moments of inertia of a link about its principal axes [kg m^2], and their turn, xyzw."""
    matrix = matrix_of(link.inertia)
    if not np.any(matrix - np.diag(np.diag(matrix))):
        return np.diag(matrix).tolist(), [0.0, 0.0, 0.0, 1.0]
    moments, axes = np.linalg.eigh(matrix)
    x, y = vec(axes[:, 0]), vec(axes[:, 1])
    z = np.cross(axes[:, 0], axes[:, 1])
    return moments.tolist(), list(quat_from_axes(x, y, vec(z)))


def _solid(shape: Shape) -> tuple[dict[str, Any], Sequence[float], Sequence[float]]:
    """A shape as pybullet has it: sizes, position and turn [link]."""
    where = shape.position, shape.orientation
    if shape.kind == "sphere":
        return {"shapeType": pybullet.GEOM_SPHERE, "radius": shape.size[0]}, *where
    if shape.kind == "box":
        halves = [0.5 * size for size in shape.size]
        return {"shapeType": pybullet.GEOM_BOX, "halfExtents": halves}, *where
    radius, length = shape.size
    kind = pybullet.GEOM_CAPSULE if shape.kind == "capsule" else pybullet.GEOM_CYLINDER
    return {"shapeType": kind, "radius": radius, "height": length}, *where
