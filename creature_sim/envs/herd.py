"""Many creatures that learn at once: one herd, one tick for all."""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from creature_sim.envs.field import LARGEST, Field, Flags, Words
from creature_sim.envs.machines import Machines
from creature_sim.envs.pictures import Camera
from creature_sim.envs.task import checked_mode, is_whole, task_of
from creature_sim.envs.walkers import Walkers
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats


class HerdEnv(VectorEnv[Words, Words, Any]):
    """`CreatureWalk-v0` for a herd on one ground: see `WalkEnv`.

    Creatures start in rows, three reaches apart, and keep out of each other's way. Whoever is done
    is put back to its start in the next step, whose action does not count for it.
    """

    field: ClassVar[type[Field]] = Walkers
    metadata = {  # noqa: RUF012 - as Gymnasium has it
        "render_modes": ["rgb_array"],
        "render_fps": 10,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        render_mode: str | None = None,
        **task: Any,  # noqa: ANN401
    ) -> None:
        """Read the files; arguments are those of `WalkEnv`.

        Raises:
            DefinitionError: a file, a keyword or its value is not valid, or so many do not fit on
                the ground.
        """
        if not is_whole(num_envs) or num_envs < 1:
            raise DefinitionError(f"num_envs: expected 1 or more, found {num_envs!r}")
        self.num_envs = int(num_envs)
        self.render_mode = checked_mode(render_mode, self.metadata["render_modes"])
        self.task = task_of(task)
        self._field = self.field(self.task, self.num_envs)
        self.single_action_space = spaces.Box(-1.0, 1.0, (self._field.width,), np.float32)
        self.single_observation_space = spaces.Box(
            -LARGEST, LARGEST, (self._field.size,), np.float32
        )
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._steps = np.zeros(num_envs, np.int64)
        self._done: Flags = np.zeros(num_envs, np.bool_)
        self._camera: Camera | None = None

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Words, dict[str, Any]]:
        """Begin anew, all of them; of a list of seeds the first one counts."""
        super().reset(seed=seed[0] if isinstance(seed, list) else seed, options=options)
        self.close_extras()
        self._steps[:], self._done[:] = 0, False
        return self._field.start(self.np_random), {}

    def step(self, actions: Words) -> tuple[Words, Floats, Flags, Flags, dict[str, Any]]:
        """Steer all of them for a step."""
        renewed = self._done.copy()
        found = self._field.step(actions, renewed)
        self._steps[:] = np.where(renewed, 0, self._steps + 1)
        terminated = found.arrived | found.fell
        truncated = self._steps >= self._field.last
        self._done = terminated | truncated
        info = {"distance": found.left, "is_success": found.arrived, "fell": found.fell}
        return found.observation, found.reward, terminated, truncated, info

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """A picture of the herd, (H, W, 3), from behind the first of them."""
        if self.render_mode != "rgb_array":
            return None
        assert self._field.simulation is not None
        if self._camera is None:
            self._camera = Camera(self._field.simulation)
        return (self._camera.picture(),)

    def close_extras(self, **_: Any) -> None:  # noqa: ANN401 - as Gymnasium calls it
        """Free the world."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None
        self._field.close()


class TwinHerdEnv(HerdEnv):
    """`CreatureTwin-v0` for a herd on one ground: see `TwinEnv`."""

    field = Machines
