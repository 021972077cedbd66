"""The body of a creature in pybullet: links on hinges that are turned by torques."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from creature_sim.files.silence import silence
from creature_sim.ground.bodies import GROUND_GROUP
from creature_sim.maths import Quat, Vec, quat_from_axes, vec
from creature_sim.props.dynamics import PUSHED, PUSHER, TWIN
from creature_sim.robots.reading.solids import matrix_of
from creature_sim.robots.robot import Link, Robot, Shape
from creature_sim.twin.motion import BASE

with silence():  # it prints its build time
    import pybullet

MEETS = GROUND_GROUP | PUSHED | PUSHER
"""Collision groups that a twin meets, besides other twins."""
OWN, OWN_BITS = 8, 11
"""Twins have groups of their own from this bit on: so many, and so many again."""
GROUND_FRICTION = 0.5
"""pybullet's own of all ground: of two bodies that touch the frictions are multiplied."""
LINK, NORMAL, PRESS = 3, 7, 9
"""Columns of a contact: our link, the way the other pushes us, and how hard."""


class Multibody:
    """A robot without fixed joints in a client of pybullet.

    Attributes:
        number: in pybullet.
        centre: of mass of its base [m, base].
        axes: turn of its base's principal axes, xyzw [base].
    """

    def __init__(self, robot: Robot, client: int, friction: float) -> None:
        """Create it at the origin."""
        self._client = client
        base, *others = robot.links
        self._hinges = list(range(len(others)))
        frames = [_principal(link) for link in robot.links]
        shapes = [self._collision(link) for link in robot.links]
        x, y, z, w = map(float, frames[0][1])
        self.centre: Vec = vec(np.array(base.centre))
        self.axes: Quat = (x, y, z, w)
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
        group, meets = groups_of(self.number)
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
                self.number, index - 1, group, meets, physicsClientId=client
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

    def place(self, state: Sequence[float]) -> None:
        """Put it somewhere: all that it is goes out of components into pybullet, and back.

        Args:
            state: position [m, world], orientation, velocity [m/s, world] and spin [rad/s, world]
                of its base's principal axes, then angles of its hinges [rad], and rates [rad/s].
        """
        client, rates = self._client, BASE + len(self._hinges)
        pybullet.resetBasePositionAndOrientation(
            self.number, state[:3], state[3:7], physicsClientId=client
        )
        pybullet.resetBaseVelocity(self.number, state[7:10], state[10:BASE], physicsClientId=client)
        pybullet.resetJointStatesMultiDof(
            self.number,
            self._hinges,
            [(angle,) for angle in state[BASE:rates]],
            [(rate,) for rate in state[rates:]],
            physicsClientId=client,
        )

    def read(self) -> list[float]:
        """Where it is, as in `place`."""
        position, orientation = pybullet.getBasePositionAndOrientation(self.number, self._client)
        velocity, spin = pybullet.getBaseVelocity(self.number, self._client)
        hinges = pybullet.getJointStates(self.number, self._hinges, self._client)
        found = [*position, *orientation, *velocity, *spin]
        found += [hinge[0] for hinge in hinges]
        found += [hinge[1] for hinge in hinges]
        return found

    def turn(self, torques: Sequence[float]) -> None:
        """Give its hinges torques for the next step [N m]."""
        pybullet.setJointMotorControlArray(
            self.number,
            self._hinges,
            pybullet.TORQUE_CONTROL,
            forces=torques,
            physicsClientId=self._client,
        )

    def touched(self) -> list[tuple[float, ...]]:
        """What touches it: our link, how hard it presses us [N], and where to, x, y, z [world].

        Friction is left out.
        """
        found = pybullet.getContactPoints(bodyA=self.number, physicsClientId=self._client)
        return [(contact[LINK] + 1, contact[PRESS], *contact[NORMAL]) for contact in found]

    def remove(self) -> None:
        """Take it out of the client."""
        pybullet.removeBody(self.number, physicsClientId=self._client)


def groups_of(number: int) -> tuple[int, int]:
    """Groups of a twin with a number in pybullet, and those that it meets.

    Links of one body pass through each other, and need not be looked at in pairs. So each twin has
    groups that no other one has all of, and meets all but those: bits of its number, and then the
    bits that are not in it.
    """
    most = (1 << OWN_BITS) - 1
    bits = number & most
    mine, all_of_them = bits | (most ^ bits) << OWN_BITS, (1 << 2 * OWN_BITS) - 1
    return TWIN | mine << OWN, MEETS | (all_of_them ^ mine) << OWN


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
