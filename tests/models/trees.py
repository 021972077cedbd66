"""A person who marches on the spot: a tree with the measures of the library's humanoid."""

import shutil
from pathlib import Path

from creature_sim.definitions import WorldDef
from creature_sim.library import loader

MODEL = Path(loader.__file__).parent / "models" / "humanoid.glb"
SIDES = (("left", "Left", 1.0), ("right", "Right", -1.0))
TRUNK = (
    ("belly", "root", "Spine1", 0.24),
    ("chest", "belly", "Spine2", 0.14),
    ("neck", "chest", "Neck", 0.16),
    ("head", "neck", "Head", 0.08),
)
LIMBS = (
    ("shoulder", "chest", "Arm", (0.0, 0.19, 0.1)),
    ("elbow", "shoulder", "ForeArm", (-0.02, 0.05, -0.27)),
    ("hand", "elbow", "Hand", (0.05, 0.03, -0.24)),
    ("hip", "root", "UpLeg", (0.0, 0.1, -0.03)),
    ("knee", "hip", "Leg", (0.03, 0.01, -0.42)),
    ("ankle", "knee", "Foot", (-0.05, 0.0, -0.41)),
    ("toe", "ankle", "ToeBase", (0.11, 0.005, -0.06)),
)
POLES = {"elbow": (-1.0, 0.3, 0.0), "knee": (1.0, 0.1, 0.0)}
TARGETS = (
    ("hand", 1.6, 0.0, ((-0.15, 0.27, 0.9), (0.05, 0.28, 0.86), (0.3, 0.2, 1.0))),
    ("ankle", 1.6, 0.5, ((0.2, 0.11, 0.1), (0.0, 0.11, 0.1), (-0.2, 0.11, 0.12), (0.0, 0.11, 0.3))),
)


def people_text() -> str:
    """The file of a world."""
    joints = [_joint(name, parent, (0.0, 0.0, up)) for name, parent, _, up in TRUNK]
    nodes = [_node("root", "Hips"), *(_node(name, node) for name, _, node, _ in TRUNK)]
    targets = []
    for side, title, sign in SIDES:
        for name, parent, node, (x, y, z) in LIMBS:
            above = parent if parent in ("root", "chest") else f"{side}_{parent}"
            pole = POLES.get(name)
            bend = (pole[0], sign * pole[1], pole[2]) if pole else None
            joints.append(_joint(f"{side}_{name}", above, (x, sign * y, z), bend))
            nodes.append(_node(f"{side}_{name}", title + node))
        for name, period, shift, frames in TARGETS:
            keyframes = [[x, sign * y, z] for x, y, z in frames]
            is_late = 0.5 * (sign < 0.0) + shift
            targets.append(
                f"[[trees.targets]]\njoint = '{side}_{name}'\n[trees.targets.target]\n"
                f"kind = 'spline'\nperiod = {period}\nshift = {is_late % 1.0}\n"
                f"keyframes = {keyframes}\n"
            )
    return "\n".join(
        [
            "name = 'people'\n[terrain]\nkind = 'flat'\n[[trees]]\nname = 'person'",
            "root = [0.0, 0.0, 0.96]\nbraces = [['left_hip', 'right_hip']]",
            f"joints = [\n{''.join(joints)}]",
            *targets,
            "[trees.model]\nfile = 'humanoid.glb'\n[trees.model.nodes]",
            *nodes,
            "",
        ]
    )


def people(folder: Path, text: str | None = None) -> WorldDef:
    """That world."""
    shutil.copy(MODEL, folder)
    path = folder / "people.toml"
    path.write_text(text or people_text())
    return loader.load_world(path)


def _joint(
    name: str,
    parent: str,
    offset: tuple[float, ...],
    pole: tuple[float, ...] | None = None,
) -> str:
    bend = f", pole = {list(pole)}" if pole else ""
    return f"{{ name = '{name}', parent = '{parent}', offset = {list(offset)}{bend} }},\n"


def _node(joint: str, node: str) -> str:
    return f"{joint} = 'mixamorig:{node}'"
