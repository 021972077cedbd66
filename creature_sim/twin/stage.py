"""Where twins live: a client of pybullet with the ground, in which time goes in small steps."""

from math import ceil

from creature_sim.components import PropRecord, Records
from creature_sim.files.silence import silence
from creature_sim.ground.rays import Physics
from creature_sim.maths import Floats
from creature_sim.props.dynamics import ITERATIONS, Dynamics, load_ground
from creature_sim.twin.building import RATE

with silence():  # it prints its build time
    import pybullet


class Stage:
    """The client, which is that of the dynamic props, where there are any. A component.

    Exact on one machine only: pybullet's results change with the C library.

    Attributes:
        client: its number.
        is_endless: whether its ground has no border, and has to be loaded.
        count: of steps in a tick.
    """

    def __init__(
        self, physics: Physics, dynamics: Dynamics | None, gravity: float, dt: float, is_own: bool
    ) -> None:
        """Say how time goes there.

        Args:
            physics: holds the ground; closed with this if `is_own`.
            dynamics: of the props, if any of them are.
            gravity: acceleration down the world's Z [m/s^2].
            dt: length of a tick [s].
            is_own: whether nobody else casts rays there.
        """
        self._physics = dynamics.physics if dynamics else physics
        self._dynamics, self._is_own = dynamics, is_own
        self.client, self.is_endless = self._physics.client, self._physics.is_endless
        self.count = ceil(RATE * dt - 1e-9)
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=dt / self.count,
            numSubSteps=0,
            numSolverIterations=ITERATIONS,
            deterministicOverlappingPairs=1,
            collisionFilterMode=0,
            physicsClientId=self.client,
        )
        pybullet.setGravity(0.0, 0.0, -gravity, physicsClientId=self.client)

    def load_ground(self, balls: Floats) -> None:
        """Have endless ground below twins: balls (T, 4) that hold them [m, world]."""
        load_ground(self._physics, balls)

    def step(self) -> None:
        """Let forces act for one step."""
        if self._dynamics:
            self._dynamics.load()
        pybullet.stepSimulation(physicsClientId=self.client)

    def read(self, props: Records[PropRecord]) -> None:
        """Write where dynamic props (P,) are."""
        if self._dynamics:
            self._dynamics.read(props)

    def close(self) -> None:
        """Free the client, if it is its own."""
        if self._is_own:
            self._physics.close()
