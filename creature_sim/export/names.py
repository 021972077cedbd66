"""Names of what moves, in files for other programs: frames of a scene, rows of a table."""

from creature_sim.definitions import ChainDef, LegDef, RigDef, WorldDef, targets_of
from creature_sim.definitions.names import leg_names, segment_names
from creature_sim.definitions.tree import ROOT

__all__ = [
    "creature_path",
    "leg_joint_names",
    "leg_names",
    "prop_path",
    "rig_joint_names",
    "rig_path",
    "segment_names",
    "target_count",
]


def creature_path(world: WorldDef, number: int) -> str:
    """Where the frames of a creature begin: `creatures/0_hexapod`."""
    return f"creatures/{number}_{world.species_of(world.creatures[number]).name}"


def rig_path(world: WorldDef, index: int) -> str:
    """Where the frames of a chain or tree begin: `chains/0_arm`."""
    return f"chains/{index}_{world.rigs[index].name}"


def prop_path(world: WorldDef, index: int) -> str:
    """The frame of a prop: `props/0_plank`."""
    return f"props/{index}_{world.props[index].shape}"


def leg_joint_names(leg: LegDef) -> list[str]:
    """Of a leg's joints: `hip`, `joint_1`, ..., `tip`."""
    return ["hip", *_inner(len(leg.bones)), "tip"]


def rig_joint_names(rig: RigDef) -> list[str]:
    """Of a chain's joints, `root`, `joint_1`, ..., `tip`; of a tree's, as its file names them."""
    if isinstance(rig, ChainDef):
        return [ROOT, *_inner(len(rig.bones)), "tip"]
    return [ROOT, *(joint.name for joint in rig.joints)]


def target_count(rig: RigDef) -> int:
    """How many targets pull at a chain or tree."""
    return len(targets_of(rig))


def _inner(bone_count: int) -> list[str]:
    return [f"joint_{index}" for index in range(1, bone_count)]
