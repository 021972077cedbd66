"""Inverse kinematics of chains: FABRIK, exact and fast, with poles and limits; usable alone.

    from creature_sim.ik import Limit, solve
    solution = solve(joints, target, pole=knee)
    solution.joints, solution.rotations, solution.status

`solve` solves one chain, `solve_path` one chain along many targets, `solve_batch` many chains,
`solve_tree` chains that share joints. `solve_chain` and `solve_leg` are kernels: they work in the
caller's arrays, allocate nothing, check nothing, and can be called from compiled code.
"""

from creature_sim.ik.calls import solve, solve_batch, solve_path
from creature_sim.ik.chain import solve_chain
from creature_sim.ik.follow import METHODS
from creature_sim.ik.leg import solve_leg
from creature_sim.ik.limits import SHOULDER, WRIST, Limit, elbow
from creature_sim.ik.solution import Solution, Solutions, Status
from creature_sim.ik.tree_call import solve_tree

__all__ = [
    "METHODS",
    "SHOULDER",
    "WRIST",
    "Limit",
    "Solution",
    "Solutions",
    "Status",
    "elbow",
    "solve",
    "solve_batch",
    "solve_chain",
    "solve_leg",
    "solve_path",
    "solve_tree",
]
