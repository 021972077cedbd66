"""PPO learns to take a hexapod up and down stairs faster than who is led straight to the goal.

python -m pip install 'creature-sim[gym]' stable-baselines3 matplotlib
python learn.py                 # ten minutes on two cores; writes policy.zip and learning.png
python learn.py policy.zip      # scores that policy again
"""

import sys
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

TASK = {
    "world": "stairs",
    "creature": "hexapod",
    "distance": 8.0,
    "seconds": 20.0,
    "actions": "offsets",
}
COUNT = 48
MINUTES = 10.0
HELD_OUT = range(1000, 1008)


class Herd(VecEnv):
    """One herd as Stable-Baselines3 takes it."""

    def __init__(self) -> None:
        """Make it."""
        self.envs = gymnasium.make_vec(
            "creature_sim.envs:CreatureWalk-v0", COUNT, "vector_entry_point", **TASK
        )
        spaces = self.envs.single_observation_space, self.envs.single_action_space
        super().__init__(COUNT, *spaces)

    def reset(self) -> Any:
        """Put everybody to a start."""
        return self.envs.reset(seed=self._seeds[0])[0]

    def step_async(self, actions: Any) -> None:
        """Take what everybody shall do."""
        self.wanted = actions

    def step_wait(self) -> Any:
        """Do it. Who is done is put back by the next step: what it sees until then is its last."""
        seen, rewards, terminated, truncated, info = self.envs.step(self.wanted)
        infos: list[dict[str, Any]] = [{} for _ in range(COUNT)]
        for number in np.flatnonzero(terminated | truncated):
            infos[number] = {
                "terminal_observation": seen[number],
                "TimeLimit.truncated": bool(truncated[number] and not terminated[number]),
                "is_success": bool(info["is_success"][number]),
            }
        return seen, rewards.astype(np.float32), terminated | truncated, infos

    def close(self) -> None:
        """Free the world."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """What Stable-Baselines3 asks for."""
        return [getattr(self.envs, attr_name, None)] * COUNT

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Nothing can be set."""
        raise NotImplementedError

    def env_method(self, method_name: str, *args: Any, **kwargs: Any) -> list[Any]:
        """Nothing can be called."""
        raise NotImplementedError

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Nothing is wrapped."""
        return [False] * COUNT


class Curve(BaseCallback):
    """Notes successes and rewards of every roll-out, and stops when the time is over."""

    def __init__(self) -> None:
        """Begin."""
        super().__init__()
        self.begin, self.rows, self.ends = time.perf_counter(), [], []

    def _on_step(self) -> bool:
        infos = self.locals["infos"]
        self.ends += [one["is_success"] for one in infos if "is_success" in one]
        return time.perf_counter() - self.begin < 60.0 * MINUTES

    def _on_rollout_end(self) -> None:
        minutes = (time.perf_counter() - self.begin) / 60.0
        reward = float(self.model.rollout_buffer.rewards.mean())
        success = float(np.mean(self.ends[-4 * COUNT :])) if self.ends else np.nan
        self.rows.append((minutes, self.num_timesteps, reward, success))
        print(
            f"{minutes:5.1f} min {self.num_timesteps:8d} steps  reward {reward:.3f}  "
            f"arrivals {success:.2f}",
            flush=True,
        )


def score(act: Any) -> tuple[float, float, int]:
    """Fraction of arrivals, mean seconds to the end of an episode, and number of episodes."""
    envs = gymnasium.make_vec(
        "creature_sim.envs:CreatureWalk-v0", COUNT, "vector_entry_point", **TASK
    )
    successes, seconds = [], []
    for seed in HELD_OUT:
        seen, _ = envs.reset(seed=seed)
        running, step = np.ones(COUNT, bool), 0
        while running.any():
            seen, _, terminated, truncated, info = envs.step(act(seen))
            step += 1
            ends = running & (terminated | truncated)
            successes += info["is_success"][ends].tolist()
            seconds += [step / envs.metadata["render_fps"]] * int(ends.sum())
            running &= ~ends
    envs.close()
    return float(np.mean(successes)), float(np.mean(seconds)), len(seconds)


def draw(rows: list[tuple[float, int, float, float]]) -> None:
    """Write the curve."""
    from matplotlib.figure import Figure

    minutes, _, rewards, successes = np.array(rows).T
    figure = Figure(figsize=(7, 3), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot(minutes, rewards)
    left.set(xlabel="minutes", ylabel="reward of a step")
    right.plot(minutes, successes)
    right.set(xlabel="minutes", ylabel="arrivals", ylim=(0, 1))
    figure.savefig("learning.png", dpi=110)


def main() -> None:
    """Learn, or take what was learnt, and score it against who is led."""
    torch.set_num_threads(1)
    if len(sys.argv) > 1:
        model = PPO.load(sys.argv[1], device="cpu")
    else:
        model = PPO(
            "MlpPolicy",
            Herd(),
            n_steps=48,
            batch_size=512,
            n_epochs=5,
            gamma=0.98,
            learning_rate=1e-3,
            policy_kwargs={"net_arch": [64, 64], "log_std_init": -1.3},
            device="cpu",
            seed=1,
        )
        curve = Curve()
        model.learn(10**9, callback=curve)
        model.save("policy.zip")
        draw(curve.rows)
    policies = {
        "led straight": lambda seen: np.zeros((COUNT, model.action_space.shape[0]), np.float32),
        "learnt": lambda seen: model.predict(seen, deterministic=True)[0],
    }
    for name, act in policies.items():
        arrivals, seconds, count = score(act)
        print(f"{name:14} arrivals {arrivals:.3f}, {seconds:.2f} s, {count} episodes")


if __name__ == "__main__":
    main()
