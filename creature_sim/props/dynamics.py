"""Forces on props, in the pybullet client that holds the ground."""

from collections.abc import Sequence

import numpy as np

from creature_sim.components import PropRecord, Records, SolidRecord, zeros
from creature_sim.definitions import PropDef
from creature_sim.files.silence import silence
from creature_sim.ground.bodies import GROUND_GROUP
from creature_sim.ground.rays import Physics
from creature_sim.maths import Floats, norm, vec
from creature_sim.props.motions import NEAR, MotionRecord, find_motions
from creature_sim.terrain.tiles.tiling import TILE

with silence():  # it prints its build time
    import pybullet

SUBSTEPS, ITERATIONS = 2, 50
"""Of pybullet's solver in one tick."""
HEAVY = 1e6
"""Mass of what pushes and is not pushed back [kg]."""
STIFFNESS, DAMPING = 5000.0, 100.0
"""Of the contact of legs and bodies with what they push [N/m, N s/m]: the ground is harder."""
ROLLING = 0.002
"""Friction that stops what rolls [m]."""
DEPTH, ASIDE = -1000.0, 10.0
"""Where those wait that are farther away: so deep, so far from each other [m]."""
NOBODY = np.zeros((0, 4))
PUSHED, PUSHER, TWIN = 32, 64, 128
"""Collision groups: props that are pushed, what pushes them, creatures that forces move."""
_BOTH = 0  # of two bodies each must name the other's group in its mask
_ASLEEP = pybullet.ACTIVATION_STATE_SLEEP | pybullet.ACTIVATION_STATE_ENABLE_SLEEPING
_AWAKE = pybullet.ACTIVATION_STATE_WAKE_UP | pybullet.ACTIVATION_STATE_DISABLE_SLEEPING


class Dynamics:
    """Bodies of props, and heavy ones that push them: where forces act. A component of the props.

    Exact on one machine only: pybullet's results change with the C library.
    """

    def __init__(
        self,
        physics: Physics,
        written: Sequence[PropDef],
        hulls: Sequence[Floats],
        solids: Records[SolidRecord],
        props: Records[PropRecord],
        gravity: float,
        dt: float,
        is_own: bool,
    ) -> None:
        """Create a body for every prop.

        Args:
            physics: holds the ground; closed with this if `is_own`.
            written: their definitions, P.
            hulls: corners (C, 3) of each [m, prop].
            solids: (P,).
            props: (P,).
            gravity: acceleration down the world's Z [m/s^2].
            dt: length of a tick [s].
            is_own: whether nobody else casts rays there.
        """
        self._physics, self._client, self._is_own = physics, physics.client, is_own
        self._gravity, self._dt = gravity, dt
        self._pushed: dict[int, int] = {}  # prop, body
        self._fixed: list[int] = []  # bodies of static props
        self._ridden: list[int] = []  # kinematic props
        self._pushers: list[int] = []  # bodies: of kinematic props, then of creatures
        self._limbs: list[tuple[int, float]] = []  # shape and bound of what creatures push with
        self._solids = solids
        self._bounds = np.zeros(0)
        self._before: tuple[Floats, Floats] | None = None
        self._loads: Sequence[tuple[int, Floats, Floats]] = ()
        self._there: set[int] = set()  # places in it of those that do not wait
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=dt,
            numSubSteps=SUBSTEPS,
            numSolverIterations=ITERATIONS,
            deterministicOverlappingPairs=1,
            collisionFilterMode=_BOTH,
            physicsClientId=self._client,
        )
        pybullet.setGravity(0.0, 0.0, -gravity, physicsClientId=self._client)
        self._written = written
        self._shapes = [
            self._shape_of(prop, hull) for prop, hull in zip(written, hulls, strict=True)
        ]
        self._add_props(props)

    def add_pushers(self, halves: Floats, capsules: Floats, count: int) -> None:
        """Create what pushes props, for `count` creatures: see `props.pushers.Pushers`."""
        shapes = [
            (self._shape(pybullet.GEOM_BOX, halfExtents=half.tolist()), norm(vec(half)))
            for half in halves
        ]
        for radius, height in capsules.tolist():
            shape = -1
            if radius > 0.0:
                shape = self._shape(pybullet.GEOM_CAPSULE, radius=radius, height=height)
            shapes.append((shape, radius + 0.5 * height))
        for shape, bound in shapes * count:
            self._add_limb(shape, bound)

    def insert_pushers(self, index: int, halves: Floats, capsules: Floats) -> None:
        """Create what pushes props for one creature more, at an index among the pushers."""
        self._put_all_away()
        begin = len(self._pushers)
        self.add_pushers(halves, capsules, 1)
        new, bounds = self._pushers[begin:], self._bounds[begin:]
        self._pushers[begin:] = []
        self._pushers[index:index] = new
        self._bounds = np.insert(self._bounds[:begin], index, bounds)
        limb, last = index - self.ridden_count, begin - self.ridden_count
        limbs = self._limbs[last:]
        self._limbs[last:] = []
        self._limbs[limb:limb] = limbs

    def remove_pushers(self, index: int, count: int) -> None:
        """Remove so many bodies that push props, from an index among the pushers on."""
        self._put_all_away()
        for body in self._pushers[index : index + count]:
            pybullet.removeBody(body, physicsClientId=self._client)
        del self._pushers[index : index + count]
        del self._limbs[index - self.ridden_count : index - self.ridden_count + count]
        self._bounds = np.delete(self._bounds, slice(index, index + count))

    @property
    def physics(self) -> Physics:
        """The ground in the client that all of it lives in."""
        return self._physics

    @property
    def ridden_count(self) -> int:
        """Kinematic props: they are the first of the pushers."""
        return len(self._ridden)

    def _put_all_away(self) -> None:
        """Let all that pushes wait, and forget where it was."""
        for index in sorted(self._there):
            self._put_away(index)
        self._there, self._before = set(), None

    def step(
        self,
        props: Records[PropRecord],
        solids: Records[SolidRecord],
        creatures: Sequence[tuple[Floats, Floats]],
        loads: Sequence[tuple[int, Floats, Floats]],
    ) -> None:
        """Let forces act for one tick, and write where they have brought dynamic props.

        See `prepare` for its arguments.
        """
        self.prepare(props, solids, creatures, loads, NOBODY)
        self.load()
        pybullet.stepSimulation(physicsClientId=self._client)
        self.read(props)

    def prepare(
        self,
        props: Records[PropRecord],
        solids: Records[SolidRecord],
        creatures: Sequence[tuple[Floats, Floats]],
        loads: Sequence[tuple[int, Floats, Floats]],
        twins: Floats,
    ) -> None:
        """Put all that pushes where it is at the begin of a tick, with its speed.

        Pushers are far heavier than what they push, and move from where they were to where they
        are. One that was put elsewhere (see SPRINT) pushes nothing on the line between. Pushers far
        from all that can be pushed wait elsewhere.

        Args:
            props: (P,), kinematic ones moved already.
            solids: (P,).
            creatures: positions (N, K, 3) [m, world] and orientations (N, K, 4) of pushers, of each
                herd, in the order of `add_pushers`.
            loads: what stands on them: prop, where (3,) [m, world] and its weight (3,) [N, world].
            twins: (T, 4) where creatures are that forces move, and the radius of a ball that holds
                each [m, world].
        """
        ridden = props[self._ridden]
        positions = np.concatenate(
            [ridden["position"], *(where.reshape(-1, 3) for where, _ in creatures)]
        )
        orientations = np.concatenate(
            [ridden["orientation"], *(turn.reshape(-1, 4) for _, turn in creatures)]
        )
        old_positions, old_orientations = self._before or (positions, orientations)
        motions = zeros(MotionRecord, len(self._pushers))
        count = find_motions(
            old_positions,
            old_orientations,
            positions,
            orientations,
            self._bounds,
            solids,
            props,
            twins,
            self._gravity,
            self._dt,
            motions,
        )
        self._before = positions, orientations
        near = motions["index"][:count].tolist()
        for index in sorted(self._there.difference(near)):
            self._put_away(index)
        for index, position, turn, velocity, spin in motions[:count].tolist():
            if index not in self._there:
                self._change(self._pushers[index], activationState=_AWAKE)
            self._place(self._pushers[index], position, turn)
            pybullet.resetBaseVelocity(
                self._pushers[index], velocity, spin, physicsClientId=self._client
            )
        self._there = set(near)
        self._load_ground(props, solids)
        self._loads = loads

    def load(self) -> None:
        """Let what stands on props weigh on them in the next step."""
        for number, where, weight in self._loads:
            self._change(self._pushed[number], activationState=pybullet.ACTIVATION_STATE_WAKE_UP)
            pybullet.applyExternalForce(
                self._pushed[number],
                -1,
                weight,
                where,
                pybullet.WORLD_FRAME,
                physicsClientId=self._client,
            )

    def read(self, props: Records[PropRecord]) -> None:
        """Write where dynamic props are."""
        for index, body in self._pushed.items():
            prop = props[index]
            prop.position[:], prop.orientation[:] = pybullet.getBasePositionAndOrientation(
                body, physicsClientId=self._client
            )
            prop.velocity[:], prop.spin[:] = pybullet.getBaseVelocity(
                body, physicsClientId=self._client
            )

    def reset(self, props: Records[PropRecord]) -> None:
        """Put dynamic props where `props` (P,) says that they are, at rest.

        All bodies are made anew, so that nothing that pybullet remembers of contacts is left.
        """
        for body in (*self._pushed.values(), *self._fixed, *self._pushers):
            pybullet.removeBody(body, physicsClientId=self._client)
        limbs = self._limbs
        self._pushed, self._fixed, self._ridden = {}, [], []
        self._pushers, self._limbs, self._bounds = [], [], np.zeros(0)
        self._there, self._before = set(), None
        self._add_props(props)
        for shape, bound in limbs:
            self._add_limb(shape, bound)

    def close(self) -> None:
        """Free the client, if it is its own."""
        if self._is_own:
            self._physics.close()

    def _load_ground(self, props: Records[PropRecord], solids: Records[SolidRecord]) -> None:
        """Have endless ground below all that can fall: rays load what they meet."""
        if not self._physics.is_endless:
            return
        balls = [(*props[index].position, solids[index].bound) for index in self._pushed]
        load_ground(self._physics, np.array(balls))

    def _shape(self, kind: int, **sizes: object) -> int:
        shape: int = pybullet.createCollisionShape(kind, physicsClientId=self._client, **sizes)
        return shape

    def _shape_of(self, prop: PropDef, hull: Floats) -> int:
        if prop.radius is not None and prop.length is not None:
            return self._shape(pybullet.GEOM_CYLINDER, radius=prop.radius, height=prop.length)
        if prop.radius is not None:
            return self._shape(pybullet.GEOM_SPHERE, radius=prop.radius)
        if prop.shape == "ramp":
            return self._shape(pybullet.GEOM_MESH, vertices=hull.tolist())
        return self._shape(pybullet.GEOM_BOX, halfExtents=hull.max(axis=0).tolist())

    def _add_props(self, props: Records[PropRecord]) -> None:
        """Create a body for every prop (P,)."""
        made = zip(self._written, self._shapes, props, strict=True)
        for index, (prop, shape, record) in enumerate(made):
            if prop.motion == "kinematic":
                self._add_pusher(shape, prop.friction, self._solids[index].bound)
                self._ridden.append(index)
                continue
            if prop.motion == "dynamic":
                mask = GROUND_GROUP | PUSHED | PUSHER | TWIN
                body = self._add_free(shape, prop.mass or 0.0, PUSHED, mask, prop.friction)
                self._change(body, activationState=pybullet.ACTIVATION_STATE_ENABLE_SLEEPING)
                self._pushed[index] = body
            else:
                body = self._add_free(shape, 0.0, PUSHER, PUSHED | TWIN, prop.friction)
                self._fixed.append(body)
            self._place(body, record.position.tolist(), record.orientation.tolist())

    def _add_limb(self, shape: int, bound: float) -> None:
        """Create a bone or segment that pushes."""
        body = self._add_pusher(shape, 0.6, bound)
        self._change(body, contactStiffness=STIFFNESS, contactDamping=DAMPING)
        self._limbs.append((shape, bound))

    def _add_free(self, shape: int, mass: float, group: int, mask: int, friction: float) -> int:
        """Create a body that meets only what the mask names."""
        body: int = pybullet.createMultiBody(mass, shape, physicsClientId=self._client)
        pybullet.setCollisionFilterGroupMask(body, -1, group, mask, physicsClientId=self._client)
        self._change(
            body,
            lateralFriction=friction,
            rollingFriction=ROLLING,
            linearDamping=0.0,
            angularDamping=0.0,
        )
        return body

    def _add_pusher(self, shape: int, friction: float, bound: float) -> int:
        """Create a heavy body that waits until it is needed."""
        body = self._add_free(shape, HEAVY, PUSHER, PUSHED | TWIN, friction)
        self._pushers.append(body)
        self._bounds = np.append(self._bounds, bound)
        self._put_away(len(self._pushers) - 1)
        return body

    def _put_away(self, index: int) -> None:
        """Let what pushes sleep where nothing is, apart from all others."""
        body = self._pushers[index]
        self._place(body, (ASIDE * index, 0.0, DEPTH), (0.0, 0.0, 0.0, 1.0))
        pybullet.resetBaseVelocity(
            body, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), physicsClientId=self._client
        )
        self._change(body, activationState=_ASLEEP)

    def _change(self, body: int, **values: float) -> None:
        pybullet.changeDynamics(body, -1, physicsClientId=self._client, **values)

    def _place(self, body: int, position: Sequence[float], orientation: Sequence[float]) -> None:
        pybullet.resetBasePositionAndOrientation(
            body, position, orientation, physicsClientId=self._client
        )


def load_ground(physics: Physics, balls: Floats) -> None:
    """Have endless ground below balls (B, 4), middle and radius [m]: rays load what they meet."""
    if not len(balls):
        return
    rays = []
    for x, y, z, radius in balls.tolist():
        reach = NEAR + radius
        rays += [
            ((x - reach, y + aside, z), (x + reach, y + aside, z))
            for aside in np.linspace(-reach, reach, 2 + int(2.0 * reach / TILE))
        ]
    physics.cast(*np.array(rays).swapaxes(0, 1))
