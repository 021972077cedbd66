"""Forces on props, in the pybullet client that holds the ground."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import PropDef
from creature_sim.maths import Floats, quat, quat_conjugate, quat_multiply
from creature_sim.output import silence
from creature_sim.physics import Physics
from creature_sim.tile_bodies import GROUND_GROUP

with silence():  # it prints its build time
    import pybullet

GRAVITY = 9.81
"""[m/s^2], down along the world's Z."""
SUBSTEPS, ITERATIONS = 4, 50
"""Of pybullet's solver in one tick."""
HEAVY = 1e6
"""Mass of what pushes and is not pushed back [kg]."""
STIFFNESS, DAMPING = 5000.0, 100.0
"""Of the contact of legs and bodies with what they push [N/m, N s/m]: the ground is harder."""
ROLLING = 0.002
"""Friction that stops what rolls [m]."""
SPRINT = 20.0
"""Nothing pushes that is faster than this: it was put there [m/s]."""
_PUSHED, _PUSHER = 32, 64  # collision groups


class Dynamics:
    """Bodies of props, and heavy ones that push them: where forces act. A component of the props.

    Exact on one machine only: pybullet's results change with the C library.
    """

    def __init__(
        self,
        physics: Physics,
        written: Sequence[PropDef],
        hulls: Sequence[Floats],
        props: Any,
        dt: float,
    ) -> None:
        """Create a body for every prop.

        Args:
            physics: holds the ground, and keeps the client open.
            written: their definitions, P.
            hulls: corners (C, 3) of each [m, prop].
            props: (P,) PROP.
            dt: length of a tick [s].
        """
        self._client = physics.client
        self._dt = dt
        self._props: list[int] = []
        self._pushers: list[tuple[list[list[int]], tuple[Floats, Floats] | None]] = []
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=dt,
            numSubSteps=SUBSTEPS,
            numSolverIterations=ITERATIONS,
            deterministicOverlappingPairs=1,
            physicsClientId=self._client,
        )
        pybullet.setGravity(0.0, 0.0, -GRAVITY, physicsClientId=self._client)
        for prop, hull, record in zip(written, hulls, props, strict=True):
            if prop.radius is not None:
                shape = self._shape(pybullet.GEOM_SPHERE, radius=prop.radius)
            elif prop.shape == "ramp":
                shape = self._shape(pybullet.GEOM_MESH, vertices=hull.tolist())
            else:
                shape = self._shape(pybullet.GEOM_BOX, halfExtents=hull.max(axis=0).tolist())
            if prop.motion == "dynamic":
                mass, group, mask = prop.mass or 0.0, _PUSHED, GROUND_GROUP | _PUSHED | _PUSHER
            else:
                mass, group, mask = HEAVY if prop.motion == "kinematic" else 0.0, _PUSHER, _PUSHED
            body = self._add_free(shape, mass, group, mask, prop.friction)
            self._place(body, record["position"], record["orientation"])
            self._props.append(body)

    def add_pushers(self, halves: Floats, capsules: Floats, count: int) -> None:
        """Create what pushes props, for `count` creatures: see `systems.pushers.Pushers`."""
        shapes = [self._shape(pybullet.GEOM_BOX, halfExtents=half) for half in halves.tolist()]
        for radius, height in capsules.tolist():
            if radius > 0.0:
                shapes.append(self._shape(pybullet.GEOM_CAPSULE, radius=radius, height=height))
            else:
                shapes.append(-1)
        bodies = [
            [self._add_free(shape, HEAVY, _PUSHER, _PUSHED, 0.6) for shape in shapes]
            for _ in range(count)
        ]
        for body in chain.from_iterable(bodies):
            pybullet.changeDynamics(
                body,
                -1,
                contactStiffness=STIFFNESS,
                contactDamping=DAMPING,
                physicsClientId=self._client,
            )
        self._pushers.append((bodies, None))

    def step(
        self, props: Any, is_dynamic: NDArray[np.bool_], creatures: Sequence[tuple[Floats, Floats]]
    ) -> None:
        """Let forces act for one tick, and write where they have brought dynamic props.

        What pushes is heavy beyond measure and moves from where it was to where it is with the
        velocity of that; what jumped farther than SPRINT is put there, and pushes nothing on its
        way.

        Args:
            props: (P,) PROP, kinematic ones moved already; changed.
            is_dynamic: (P,).
            creatures: positions (N, K, 3) [m, world] and orientations (N, K, 4) of what pushes, of
                each herd, in the order of `add_pushers`.
        """
        for body, prop, flag in zip(self._props, props, is_dynamic.tolist(), strict=True):
            if not flag:
                old = prop["old_position"], prop["old_orientation"]
                self._drive(body, *old, prop["position"], prop["orientation"])
        for index, (positions, orientations) in enumerate(creatures):
            bodies, before = self._pushers[index]
            old_positions, old_orientations = before or (positions, orientations)
            for n, row in enumerate(bodies):
                for k, body in enumerate(row):
                    old = old_positions[n, k], old_orientations[n, k]
                    self._drive(body, *old, positions[n, k], orientations[n, k])
            self._pushers[index] = (bodies, (positions.copy(), orientations.copy()))
        pybullet.stepSimulation(physicsClientId=self._client)
        for body, prop, flag in zip(self._props, props, is_dynamic.tolist(), strict=True):
            if flag:
                prop["position"], prop["orientation"] = pybullet.getBasePositionAndOrientation(
                    body, physicsClientId=self._client
                )
                prop["velocity"], prop["spin"] = pybullet.getBaseVelocity(
                    body, physicsClientId=self._client
                )

    def _shape(self, kind: int, **sizes: Any) -> int:
        shape: int = pybullet.createCollisionShape(kind, physicsClientId=self._client, **sizes)
        return shape

    def _add_free(self, shape: int, mass: float, group: int, mask: int, friction: float) -> int:
        """Create a body that meets only what the mask names."""
        body: int = pybullet.createMultiBody(mass, shape, physicsClientId=self._client)
        pybullet.setCollisionFilterGroupMask(body, -1, group, mask, physicsClientId=self._client)
        pybullet.changeDynamics(
            body,
            -1,
            lateralFriction=friction,
            rollingFriction=ROLLING,
            linearDamping=0.0,
            angularDamping=0.0,
            physicsClientId=self._client,
        )
        return body

    def _place(self, body: int, position: Floats, orientation: Floats) -> None:
        pybullet.resetBasePositionAndOrientation(
            body, position.tolist(), orientation.tolist(), physicsClientId=self._client
        )

    def _drive(
        self, body: int, old: Floats, old_turn: Floats, position: Floats, orientation: Floats
    ) -> None:
        """Put a heavy body where it was, with the velocity that brings it to where it is."""
        velocity = (position - old) / self._dt
        x, y, z, w = quat_multiply(quat(orientation), quat_conjugate(quat(old_turn)))
        sign = 2.0 / self._dt if w >= 0.0 else -2.0 / self._dt
        spin = (sign * x, sign * y, sign * z)
        if abs(velocity).max() > SPRINT:
            old, old_turn, velocity, spin = position, orientation, 0.0 * velocity, (0.0, 0.0, 0.0)
        self._place(body, old, old_turn)
        vx, vy, vz = velocity.tolist()
        pybullet.resetBaseVelocity(
            body, (vx, vy, vz + 0.5 * GRAVITY * self._dt), spin, physicsClientId=self._client
        )
