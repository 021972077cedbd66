"""A tree: chains that share joints, like a humanoid; several of its joints follow targets."""

from typing import Annotated

from pydantic import Field, model_validator

from creature_sim.definitions.chain import Length, RigColoursDef
from creature_sim.definitions.model import TreeModelDef
from creature_sim.definitions.target import Direction, Index, Place, TargetDef
from creature_sim.files.definition import Definition, Name, Positive
from creature_sim.files.hints import hint
from creature_sim.files.problems import shown

ROOT = "root"
"""Name of a tree's first joint."""


class JointDef(Definition):
    """A joint, and the bone that leads to it from its parent."""

    name: Name
    parent: Name = Field(ROOT, description="`root` or a joint listed before")
    offset: Direction = Field(description="from the parent at the start [m]")
    pole: Direction | None = Field(
        None, description="direction that this joint, with one child, bends to: a knee, an elbow"
    )
    radius: Length | None = Field(None, description="of the drawing here [m]")


class EffectorDef(Definition):
    """A joint that follows a target."""

    joint: Name
    weight: Positive = Field(1.0, description="how much it counts where targets disagree")
    target: TargetDef


class TreeDef(Definition):
    """Joints from a root outward, and the targets that pull at some of them."""

    name: Name
    root: Place = Field(description="[m, world]; on a creature [m, body]")
    creature: Index | None = Field(
        None, description="index of the creature in `creatures` that carries the root"
    )
    joints: Annotated[tuple[JointDef, ...], Field(min_length=1, max_length=200)]
    braces: tuple[tuple[Name, Name], ...] = Field(
        (),
        max_length=200,
        description="pairs of joints that keep the distance they start with: shoulders, hips",
    )
    targets: Annotated[tuple[EffectorDef, ...], Field(min_length=1, max_length=50)]
    radius: Length | None = Field(None, description="of the drawing at the root [m]")
    stand: bool = Field(False, strict=True, description="whether a post is drawn below the root")
    colours: RigColoursDef = RigColoursDef()
    model: TreeModelDef | None = None

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Of all joints, `root` first."""
        return (ROOT, *(joint.name for joint in self.joints))

    @property
    def parents(self) -> tuple[int, ...]:
        """Number of the parent of every joint; -1 for the root, which comes first."""
        names = self.joint_names
        return (-1, *(names.index(joint.parent) for joint in self.joints))

    def number_of(self, name: str) -> int:
        """The number of a joint: 0 is the root."""
        return 0 if name == ROOT else 1 + [joint.name for joint in self.joints].index(name)

    @model_validator(mode="after")
    def _is_a_tree(self) -> "TreeDef":
        """Refuse names that are missing or there twice."""
        problems: list[str] = []
        names = [ROOT]
        parents = [joint.parent for joint in self.joints]
        for index, joint in enumerate(self.joints):
            key = f"joints[{index}]"
            if joint.name in names:
                problems.append(f"{key}.name: expected a new name, found {joint.name!r} again")
            if joint.parent not in names:
                problems.append(
                    f"{key}.parent: expected 'root' or the name of a joint listed before, "
                    f"found {joint.parent!r}{hint(joint.parent, names)}"
                )
            if joint.pole is not None and parents.count(joint.name) != 1:
                problems.append(
                    f"{key}.pole: expected one child of a joint with a pole, "
                    f"found {parents.count(joint.name)}"
                )
            names.append(joint.name)
        pulled: set[str] = set()
        for index, effector in enumerate(self.targets):
            if effector.joint not in names[1:] or effector.joint in pulled:
                again = " again" if effector.joint in pulled else hint(effector.joint, names[1:])
                problems.append(
                    f"targets[{index}].joint: expected the name of one of joints, each once, "
                    f"found {effector.joint!r}{again}"
                )
            pulled.add(effector.joint)
        for index, pair in enumerate(self.braces):
            if pair[0] == pair[1] or not set(pair) <= set(names):
                problems.append(
                    f"braces[{index}]: expected two names, 'root' or of joints, found "
                    f"{shown(pair)}{hint(next(iter(set(pair) - set(names)), ''), names)}"
                )
        if self.model:
            problems += self.model.problems(self.joint_names)
        if problems:
            raise ValueError("\n".join(problems))
        return self
