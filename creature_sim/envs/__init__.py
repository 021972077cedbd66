"""Environments of Gymnasium: creatures learn where to go. Needs the extra `gym`.

    import gymnasium

    env = gymnasium.make("creature_sim.envs:CreatureWalk-v0", world="stairs", creature="hexapod")
    envs = gymnasium.make_vec("creature_sim.envs:CreatureWalk-v0", num_envs=256)

Importing this module registers them; the name before the colon makes Gymnasium import it.
"""

import gymnasium

from creature_sim.envs.field import Task
from creature_sim.envs.herd import HerdEnv
from creature_sim.envs.walk import WalkEnv

__all__ = ["HerdEnv", "Task", "WalkEnv"]

gymnasium.register(
    id="CreatureWalk-v0",
    entry_point="creature_sim.envs.walk:WalkEnv",
    vector_entry_point="creature_sim.envs.herd:HerdEnv",
)
