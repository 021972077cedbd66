"""Environments of Gymnasium: creatures learn where to go, or how. Needs the extra `gym`.

    import gymnasium

    env = gymnasium.make("creature_sim.envs:CreatureWalk-v0", world="stairs", creature="hexapod")
    envs = gymnasium.make_vec("creature_sim.envs:CreatureWalk-v0", num_envs=256)

`CreatureTwin-v0` is the same with motors at the joints. Importing this module registers both; the
name before the colon makes Gymnasium import it.
"""

import gymnasium

from creature_sim.envs.herd import HerdEnv, TwinHerdEnv
from creature_sim.envs.task import Task
from creature_sim.envs.walk import TwinEnv, WalkEnv

__all__ = ["HerdEnv", "Task", "TwinEnv", "TwinHerdEnv", "WalkEnv"]

gymnasium.register(
    id="CreatureWalk-v0",
    entry_point="creature_sim.envs.walk:WalkEnv",
    vector_entry_point="creature_sim.envs.herd:HerdEnv",
)
gymnasium.register(
    id="CreatureTwin-v0",
    entry_point="creature_sim.envs.walk:TwinEnv",
    vector_entry_point="creature_sim.envs.herd:TwinHerdEnv",
)
