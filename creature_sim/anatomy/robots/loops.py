"""Legs that two chains hold together: loops, which a file that is a tree cannot write."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from creature_sim.anatomy.limbs import Limb
from creature_sim.anatomy.skeleton import Skeleton

NEAR = 0.3
"""Chains of one leg begin so near to each other, over their length; no hip turns their planes."""


def loop_in(limbs: Sequence[Limb], skeleton: Skeleton) -> str:
    """What is said of two limbs of one side that begin at one place; empty if there are none.

    Args:
        limbs: whose planes no hip turns.
        skeleton: that they are of.
    """
    sides = skeleton.heads[:, 1] > skeleton.middle
    for one, other in combinations(limbs, 2):
        if sides[one.root] != sides[other.root]:
            continue
        gap = float(np.linalg.norm((skeleton.heads[one.root] - skeleton.heads[other.root])[[0, 2]]))
        if gap < NEAR * max(one.length, other.length):
            names = f"{skeleton.names[one.root]!r} and {skeleton.names[other.root]!r}"
            return (
                f"expected legs that are one chain each, found {names} on one hip: legs of two "
                "chains that hold one foot are a closed loop, which a tree of links does not say"
            )
    return ""
