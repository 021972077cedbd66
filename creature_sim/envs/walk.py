"""One creature that learns to come to a goal."""

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from creature_sim.envs.field import LARGEST, Field, Words
from creature_sim.envs.machines import Machines
from creature_sim.envs.pictures import Camera, Screen
from creature_sim.envs.task import checked_mode, task_of
from creature_sim.envs.walkers import Walkers


class LoneEnv(gymnasium.Env[Words, Words]):
    """A creature of any kind that is to come to a goal over any ground.

    A seed decides the ground and the heading at the start, to the bit. Every reset builds the
    world anew; `gymnasium.make_vec` puts one creature back and lets the others go on.

    Attributes:
        field: what it is that learns.
    """

    field: ClassVar[type[Field]]
    # A process that has drawn without a screen can open no window any more: "human" comes first.
    metadata = {"render_modes": ["human", "rgb_array"], "render_fps": 10}  # noqa: RUF012

    def __init__(self, render_mode: str | None = None, **task: Any) -> None:  # noqa: ANN401
        """Read the files.

        Args:
            render_mode: "rgb_array": `render` returns a picture; "human": a window shows every
                step.
            task: keywords of `Task`.

        Raises:
            DefinitionError: a file, a keyword or its value is not valid.
        """
        self.render_mode = checked_mode(render_mode, self.metadata["render_modes"])
        self.task = task_of(task)
        self._field = self.field(self.task, 1)
        self.action_space = spaces.Box(-1.0, 1.0, (self._field.width,), np.float32)
        self.observation_space = spaces.Box(-LARGEST, LARGEST, (self._field.size,), np.float32)
        self._steps = 0
        self._shown: Camera | Screen | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Words, dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed, options=options)
        self._close_pictures()
        self._steps = 0
        seen = self._field.start(self.np_random)[0]
        self._show()
        return seen, {"digest": self.digest}

    def step(self, action: Words) -> tuple[Words, float, bool, bool, dict[str, Any]]:
        """Steer for a step."""
        found = self._field.step(action, np.zeros(1, np.bool_))
        self._steps += 1
        arrived, fell = bool(found.arrived[0]), bool(found.fell[0])
        info = {"distance": float(found.left[0]), "is_success": arrived, "fell": fell}
        self._show()
        is_over = self._steps >= self._field.last
        return found.observation[0], float(found.reward[0]), arrived or fell, is_over, info

    @property
    def digest(self) -> str:
        """Hash of all state, 32 hexadecimal digits."""
        assert self._field.simulation is not None
        return self._field.simulation.digest

    def render(self) -> NDArray[np.uint8] | None:
        """A picture (H, W, 3) of the creature, where that was asked for."""
        if self.render_mode != "rgb_array":
            return None
        assert self._field.simulation is not None
        if self._shown is None:
            self._shown = Camera(self._field.simulation)
        return self._shown.picture()

    def _show(self) -> None:
        if self.render_mode != "human":
            return
        assert self._field.simulation is not None
        if self._shown is None:
            self._shown = Screen(self._field.simulation)
        self._shown.picture()

    def _close_pictures(self) -> None:
        if self._shown is not None:
            self._shown.close()
            self._shown = None

    def close(self) -> None:
        """Free the world and the window."""
        self._close_pictures()
        self._field.close()


class WalkEnv(LoneEnv):
    """`CreatureWalk-v0`: a creature that walks by itself is steered.

    Actions, from -1 to 1. "commands": forward, turn, strafe and height. "offsets": so much is added
    to the commands that lead it straight to its goal at full speed; then the roll, pitch and yaw of
    its body, 0.2 rad, and its shift forward, left and up, 0.15 reaches, all against its feet; then
    forward and left, for each leg, where its feet land, 0.2 reaches.

    Observation: see `Field` and `Walkers`. Reward: the way that it came nearer to the goal, 1 a
    step at its top speed, less a little for sudden actions, stretched legs and tilt; 10 for an
    arrival, -10 for a fall, which both terminate the episode.
    """

    field = Walkers


class TwinEnv(LoneEnv):
    """`CreatureTwin-v0`: a creature that forces move, by motors at its joints.

    Actions, from -1 to 1. "joints": angles of its hinges, 0.6 rad to each side of how it stands.
    "offsets": how far they are beside those of its own walk to the goal, 0.2 rad to each side.

    Observation: see `Field` and `Machines`. Reward: as that of `WalkEnv`, less a little for the
    work of its motors, and where they are at their limits.
    """

    field = Machines
