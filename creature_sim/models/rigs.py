"""Chains and trees as boxes and limbs, so that models of theirs follow as those of creatures do.

A joint with several bones is a box: it turns as they turn. Joints one after another, of one bone
each, are a limb on the box before. A chain is one limb, on a box at its root that does not turn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import ChainDef, RigDef
from creature_sim.definitions.model import ChainModelDef, RigModelDef
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.models.model import Model
from creature_sim.models.naming import SHORTEST, Named, RestPose, Swings, ours

LEAST = 3
"""Joints of the longest limb, at least: with fewer there is nothing that bends."""


@dataclass(frozen=True)
class Limbs:
    """The joints of a chain or a tree, 0 the root, as boxes and limbs.

    Attributes:
        boxes: joint of each box: the root, whatever branches, and what hangs on that alone.
        above: box that each of them hangs on; -1 for the root.
        arms: (S, C) joints that a box turns with, -1 where there are no more; none where there
            would be less than two.
        rows: joints of each limb, root to tip.
        carriers: box that each limb hangs on.
    """

    boxes: tuple[int, ...]
    above: tuple[int, ...]
    arms: NDArray[np.int64]
    rows: tuple[tuple[int, ...], ...]
    carriers: tuple[int, ...]

    @property
    def bone_joints(self) -> tuple[int, ...]:
        """The joint at which each bone lies: boxes first, then those of all limbs."""
        return (*self.boxes, *(joint for row in self.rows for joint in row[:-1]))

    @property
    def joint_bones(self) -> tuple[int, ...]:
        """The bone that a node at each joint turns with."""
        found = dict(zip(self.boxes, range(len(self.boxes)), strict=True))
        bone = len(self.boxes)
        for row in self.rows:
            for joint in row[:-1]:
                found[joint] = bone
                bone += 1
            found.setdefault(row[-1], bone - 1)
        return tuple(found[joint] for joint in range(len(found)))

    def spread(self, joints: Floats) -> Floats:
        """Joints (J, 3) limb by limb, (L, K, 3); short limbs repeat their tip."""
        longest = max(LEAST, *(len(row) for row in self.rows)) if self.rows else LEAST
        rows = [[*row, *([row[-1]] * (longest - len(row)))] for row in self.rows]
        return joints[np.array(rows, np.int64).reshape(-1, longest)]


def limbs_of(rig: RigDef) -> Limbs:
    """The boxes and limbs of a chain or a tree."""
    parents = parents_of(rig)
    children: list[list[int]] = [[] for _ in parents]
    for joint, parent in enumerate(parents[1:], 1):
        children[parent].append(joint)
    boxes, above, rows, carriers = [0], [-1], [], []
    todo = [(0, 0)] if len(children[0]) == 1 else [(child, 0) for child in children[0]]
    while todo:
        joint, box = todo.pop(0)
        row = [joint]
        while len(children[row[-1]]) == 1:
            row.append(children[row[-1]][0])
        if len(row) > 1:
            rows.append(tuple(row))
            carriers.append(box)
        if len(row) == 1 or children[row[-1]]:
            boxes.append(row[-1])
            above.append(box)
            todo += [(child, len(boxes) - 1) for child in children[row[-1]]]
    arms = [children[joint] if len(children[joint]) > 1 else [] for joint in boxes]
    most = max(1, *(len(row) for row in arms)) if arms else 1
    padded = np.array([[*row, *([-1] * (most - len(row)))] for row in arms], np.int64)
    return Limbs(tuple(boxes), tuple(above), padded, tuple(rows), tuple(carriers))


def parents_of(rig: RigDef) -> tuple[int, ...]:
    """The parent of every joint, before it; -1 for the root."""
    return tuple(range(-1, len(rig.bones))) if isinstance(rig, ChainDef) else rig.parents


def rig_at_rest(rig: RigDef, given: RigModelDef, model: Model) -> RestPose:
    """A chain or a tree as its model stands at rest.

    Raises:
        DefinitionError: nodes are missing; every line begins with a key of the rig.
    """
    limbs, named = limbs_of(rig), Named(given, model)
    places = np.array(list(_places(rig, given, limbs.joint_bones, named)))
    apart = named.below({})
    if isinstance(given, ChainModelDef) and given.only:
        apart = named.below({"model.bones[0]": given.bones[0]})
    bones = named.followed()
    _check_lengths(rig, given, places)
    joints = limbs.spread(places)
    none = np.zeros(0, np.int64)
    return RestPose(
        places[list(limbs.boxes)],
        joints,
        np.array([len(row) - 1 for row in limbs.rows], np.int64),
        Swings((), np.zeros((0, 3)), none, none, np.zeros(0)),
        bones,
        apart,
        "model.bones" if isinstance(given, ChainModelDef) else "model.nodes",
    )


def _places(
    rig: RigDef, given: RigModelDef, bones: Sequence[int], named: Named
) -> Iterator[Floats]:
    """Where each joint is at rest; nodes there are taken."""
    for joint, (key, node, place) in enumerate(_givens(rig, given)):
        if node is not None:
            yield named.take(key, node, bones[joint])
        else:
            assert place is not None
            yield ours(given, np.array(place))


def _givens(
    rig: RigDef, given: RigModelDef
) -> Iterator[tuple[str, str | None, tuple[float, ...] | None]]:
    """The key, the node and the place of each joint."""
    if isinstance(given, ChainModelDef):
        for index, name in enumerate(given.bones):
            yield f"model.bones[{index}]", name, None
        if given.tip is not None:
            yield "model.tip", None, given.tip
    else:
        assert not isinstance(rig, ChainDef)
        for name in rig.joint_names:
            yield f"model.nodes.{name}", given.nodes.get(name), given.places.get(name)


def _check_lengths(rig: RigDef, given: RigModelDef, places: Floats) -> None:
    """Refuse bones that the model has too short to say where they point."""
    parents = parents_of(rig)
    wanted = (
        rig.bones
        if isinstance(rig, ChainDef)
        else [float(size) for size in lengths(np.array([joint.offset for joint in rig.joints]))]
    )
    found = lengths(places[1:] - places[list(parents[1:])]).tolist()
    keys = [key for key, *_ in _givens(rig, given)]
    problems = [
        f"{keys[parents[bone + 1]]}: expected a node about {size:g} m from the next joint, found "
        f"{have:.3g} m (scale)"
        for bone, (size, have) in enumerate(zip(wanted, found, strict=True))
        if have < SHORTEST * size
    ]
    if problems:
        raise DefinitionError("\n".join(problems))
