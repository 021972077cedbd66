"""A model as a chain of a world: an arm, a crane, a tentacle."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from creature_sim.anatomy.frame import Frame, frame_of
from creature_sim.anatomy.limbs import end_of
from creature_sim.anatomy.skeleton import Skeleton, skeleton_of
from creature_sim.anatomy.values import numbers, shown
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats
from creature_sim.models import open_model

SHORTEST = 2e-3
"""Bones of a chain are longer [m]."""
ROUND = ((0.7, 0.0, 0.35), (0.35, 0.55, 0.55), (-0.1, 0.6, 0.2), (0.5, -0.5, 0.45))
"""Where the tip goes one after another, from the root, over the reach."""
WORLD = """\
#:schema {schema}
# A chain found in a model. Lengths in metres, angles in radians; Z up.
# Try it: creature-sim run {name}.toml
name = "{name}"
seed = 1

[terrain]
kind = "flat"

[[chains]]
name = "{name}"
root = {root}
bones = {bones}   # those of [chains.model]
# directions of the bones at the start:
pose = {pose}
# limits = [{{ kind = "ball", cone = 1.0 }}] # one for all bones, or one for each

[chains.model]
file = {file}
scale = {scale}   # metres for one unit of the file
up = "{up}"
forward = "{forward}"
bones = {nodes}
{tip}
[chains.target]               # what the tip follows; kind = "mouse" lets you drag it
kind = "spline"
period = 8.0
keyframes = {keyframes}
"""


@dataclass(frozen=True)
class ChainFound:
    """A chain in a model.

    Attributes:
        frame: of the world in the file.
        names: of the nodes where its bones begin, root first.
        joints: (J, 3) of them, and the tip [m].
        tip: name of the node at the tip, if there is one.
    """

    frame: Frame
    names: tuple[str, ...]
    joints: Floats
    tip: str | None


def chain_of(path: str | Path) -> ChainFound:
    """The chain in the model of a file: its first bone stands, and those after it move.

    Raises:
        DefinitionError: it is no model, or has no bones one after another.
    """
    written = skeleton_of(open_model(path), str(path))
    frame = frame_of(written)
    skeleton = frame.moved(written)
    bones = _bones(skeleton)
    last = bones[-1]
    below = skeleton.children(last)
    end = skeleton.heads[below].mean(axis=0) if below else end_of(skeleton, last)
    points, names, tip = [*skeleton.heads[bones], end], [skeleton.names[b] for b in bones], None
    if float(np.linalg.norm(points[-1] - points[-2])) < SHORTEST:  # a node without skin is the tip
        points, tip = points[:-1], names.pop()
    joints = np.array(points)
    if not names or (np.linalg.norm(np.diff(joints, axis=0), axis=1) < SHORTEST).any():
        raise DefinitionError(
            f"{path}: expected a chain of bones longer than {SHORTEST:g} m after the first one, "
            f"found {len(bones)} bones"
        )
    return ChainFound(frame, tuple(names), joints, tip)


def _bones(skeleton: Skeleton) -> list[int]:
    """Bones one after another behind the first one, up to where they branch."""

    def run(bone: int) -> list[int]:
        found = [bone]
        while len(skeleton.children(found[-1])) == 1:
            found += skeleton.children(found[-1])
        return found

    return max((run(child) for child in skeleton.children(0)), key=len, default=[0])


def chain_text(chain: ChainFound, name: str, file: str, schema: str) -> str:
    """The text of a world's file with a chain.

    Args:
        chain: what was found.
        name: of the world and of the chain.
        file: of the model, from the folder of the world's file.
        schema: file that the first line names.
    """
    ways = np.diff(chain.joints, axis=0)
    sizes = np.linalg.norm(ways, axis=1)
    root, reach = chain.joints[0], float(sizes.sum())
    low = max(float(root[2]), 0.2 * reach)  # keyframes stay above the ground
    keyframes = reach * np.array(ROUND) + [root[0], root[1], low]
    end = chain.frame.in_file(chain.joints[-1])
    nodes = [*chain.names, *([chain.tip] if chain.tip else [])]
    return WORLD.format(
        schema=schema,
        name=name,
        file=shown(file),
        root=_numbers(root),
        bones=_numbers(sizes, 5),
        pose=_rows(ways / sizes[:, None]),
        scale=chain.frame.scale,
        up=chain.frame.up,
        forward=chain.frame.forward,
        nodes=shown(nodes),
        tip="" if chain.tip else f"tip = {_numbers(end, 6)}   # axes of the file\n",
        keyframes=_rows(keyframes),
    )


def _rows(points: Floats) -> str:
    """Points (N, 3), each in a line."""
    return "[\n" + "".join(f"    {_numbers(point)},\n" for point in points) + "]"


def _numbers(values: Floats, digits: int = 4) -> str:
    return shown(numbers(values, digits))
