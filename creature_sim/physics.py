"""The ground in pybullet and rays against it; nothing else imports pybullet."""

from collections.abc import Sequence
from itertools import chain
from operator import itemgetter
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import PropDef
from creature_sim.maths import Floats, quat, quat_conjugate, quat_multiply
from creature_sim.output import silence
from creature_sim.terrain import HeightTile, Terrain
from creature_sim.terrain.tiles import CELL

with silence():  # it prints its build time
    import pybullet

MAX_RAYS = 16_000  # pybullet answers nothing at all to 16,384 or more

BUILD = str(pybullet.getAPIVersion())
"""What tells builds of pybullet apart."""
BESIDE = np.array([1e-6, 1e-6, 1e-6])

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
_GROUND, _PUSHED, _PUSHER = 2, 32, 64  # collision groups; bodies without mass are in the first one

_fraction_of = itemgetter(2)
_normal_of = itemgetter(4)


class Physics:
    """One pybullet client that holds the ground of one simulation.

    Attributes:
        ray_count: rays cast so far.
    """

    def __init__(self, terrain: Terrain) -> None:
        """Upload every tile."""
        self.ray_count = 0
        self._dt = 0.0
        self._props: list[int] = []
        self._pushers: list[tuple[list[list[int]], tuple[Floats, Floats] | None]] = []
        self._client = pybullet.connect(pybullet.DIRECT)
        for tile in terrain.tiles:
            if isinstance(tile, HeightTile):
                self._add_heights(tile)
            else:
                shape = pybullet.createCollisionShape(
                    pybullet.GEOM_MESH,
                    vertices=tile.vertices.tolist(),
                    indices=tile.triangles.ravel().tolist(),
                    flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH,
                    physicsClientId=self._client,
                )
                self._add_body(shape, (0.0, 0.0, 0.0))

    def _add_heights(self, tile: HeightTile) -> None:
        columns, rows = tile.heights.shape
        shape = pybullet.createCollisionShape(
            pybullet.GEOM_HEIGHTFIELD,
            meshScale=[CELL, CELL, 1.0],
            heightfieldData=tile.heights.T.ravel().tolist(),
            numHeightfieldRows=columns,
            numHeightfieldColumns=rows,
            physicsClientId=self._client,
        )
        # The shape's origin is in the middle of its extent, in height too.
        middle = 0.5 * (float(tile.heights.min()) + float(tile.heights.max()))
        x, y = tile.origin
        self._add_body(shape, (x + 0.5 * CELL * (columns - 1), y + 0.5 * CELL * (rows - 1), middle))

    def _add_body(self, shape: int, position: tuple[float, float, float]) -> None:
        pybullet.createMultiBody(0.0, shape, basePosition=position, physicsClientId=self._client)

    def cast(self, starts: Floats, ends: Floats) -> tuple[Floats, Floats]:
        """Cast rays from `starts` to `ends`, (R, 3) [m, world] each.

        A ray that runs exactly along the border of two tiles can miss both: what misses is cast
        once more, a thousandth of a millimetre beside.

        Returns:
            fraction (R,) of the way at which each ray hits, 1.0 where it misses, and the normal
            of the ground there, (R, 3) [world].
        """
        fractions, normals = self._cast(starts, ends)
        missed = fractions == 1.0
        if missed.any():
            fractions[missed], normals[missed] = self._cast(
                starts[missed] + BESIDE, ends[missed] + BESIDE
            )
        return fractions, normals

    def _cast(self, starts: Floats, ends: Floats) -> tuple[Floats, Floats]:
        """Cast rays as they are."""
        count = len(starts)
        self.ray_count += count
        fractions, normals = np.empty(count), np.empty((count, 3))
        for begin in range(0, count, MAX_RAYS):
            part = slice(begin, min(begin + MAX_RAYS, count))
            hits = pybullet.rayTestBatch(
                starts[part],
                ends[part],
                numThreads=1,
                collisionFilterMask=_GROUND,
                physicsClientId=self._client,
            )
            size = len(hits)
            fractions[part] = np.fromiter(map(_fraction_of, hits), np.float64, size)
            normals[part] = np.fromiter(
                chain.from_iterable(map(_normal_of, hits)), np.float64, 3 * size
            ).reshape(size, 3)
        return fractions, normals

    # --- props that are pushed, in worlds that have such ------------------------------------------

    def add_props(
        self, written: Sequence[PropDef], hulls: Sequence[Floats], props: Any, dt: float
    ) -> None:
        """Create a body for every prop, so that forces act from the next tick on.

        Args:
            written: their definitions, P.
            hulls: corners (C, 3) of each [m, prop].
            props: (P,) PROP.
            dt: length of a tick [s].
        """
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=dt,
            numSubSteps=SUBSTEPS,
            numSolverIterations=ITERATIONS,
            deterministicOverlappingPairs=1,
            physicsClientId=self._client,
        )
        pybullet.setGravity(0.0, 0.0, -GRAVITY, physicsClientId=self._client)
        self._dt = dt
        for prop, hull, record in zip(written, hulls, props, strict=True):
            if prop.radius is not None:
                shape = self._shape(pybullet.GEOM_SPHERE, radius=prop.radius)
            elif prop.shape == "ramp":
                shape = self._shape(pybullet.GEOM_MESH, vertices=hull.tolist())
            else:
                shape = self._shape(pybullet.GEOM_BOX, halfExtents=hull.max(axis=0).tolist())
            if prop.motion == "dynamic":
                mass, group, mask = prop.mass or 0.0, _PUSHED, _GROUND | _PUSHED | _PUSHER
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

    def step_props(
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

    def close(self) -> None:
        """Free the client; further rays fail."""
        if self._client >= 0:
            pybullet.disconnect(self._client)
            self._client = -1

    def __enter__(self) -> "Physics":
        """Enter a block that closes the client at its end."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the client."""
        self.close()
