"""Shortest paths over a graph, by Dijkstra 1959 with a binary heap."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths.jit import kernel
from creature_sim.maths.vectors import Floats

Indices = NDArray[np.int64]


@kernel
def paths_to(
    goal: int, first: Indices, others: Indices, lengths: Floats, distances: Floats, nexts: Indices
) -> None:
    """Find the shortest paths of all nodes to one.

    Args:
        goal: the node to which they lead.
        first: (N + 1,) where the edges of each node begin.
        others: (E,) the nodes to which they lead; each edge is there in both directions.
        lengths: (E,) of them [m].
        distances: (N,) of the nodes from the goal [m]; inf where no path leads; written.
        nexts: (N,) the next node on the path, -1 at its end and where there is none; written.
    """
    distances[:] = np.inf
    nexts[:] = -1
    keys, nodes = np.empty(len(others) + 1), np.empty(len(others) + 1, np.int64)
    distances[goal] = keys[0] = 0.0
    nodes[0] = goal
    count = 1
    while count:
        key, node = keys[0], nodes[0]
        count -= 1
        _sift_down(keys, nodes, count)
        if key > distances[node]:
            continue  # a shorter path was found since
        for edge in range(first[node], first[node + 1]):
            other, far = others[edge], key + lengths[edge]
            if far < distances[other]:
                distances[other] = far
                nexts[other] = node
                _sift_up(keys, nodes, count, far, other)
                count += 1


@kernel
def _sift_down(keys: Floats, nodes: Indices, count: int) -> None:
    """Take the first of a heap of count + 1 away."""
    key, node, place = keys[count], nodes[count], 0
    while True:
        child = 2 * place + 1
        if child >= count:
            break
        if child + 1 < count and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        keys[place], nodes[place] = keys[child], nodes[child]
        place = child
    keys[place], nodes[place] = key, node


@kernel
def _sift_up(keys: Floats, nodes: Indices, count: int, key: float, node: int) -> None:
    """Put a node into a heap of `count`."""
    place = count
    while place > 0:
        parent = (place - 1) // 2
        if keys[parent] <= key:
            break
        keys[place], nodes[place] = keys[parent], nodes[parent]
        place = parent
    keys[place], nodes[place] = key, node
