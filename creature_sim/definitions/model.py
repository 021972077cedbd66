"""What creatures and chains look like, from files of 3D models: which nodes follow their bones."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, PrivateAttr, model_validator

from creature_sim.definitions.legs import LegDef
from creature_sim.files.definition import Definition, Name, Number, Positive, Vector3
from creature_sim.files.hints import hint
from creature_sim.files.problems import DIGEST_PATTERN

MAX_NAMES = 4_096
Axis = Literal["+X", "-X", "+Y", "-Y", "+Z", "-Z"]
NodeName = Annotated[str, Field(strict=True, max_length=256)]


class SwingDef(Definition):
    """A node that swings fore and aft with a leg, as arms do with the leg of the other side."""

    node: NodeName
    leg: Annotated[int, Field(strict=True, ge=0)] = Field(description="index in `legs`")
    gain: Number = Field(0.5, ge=-2.0, le=2.0, description="its angle over that of the leg")


class LookDef(Definition):
    """A rigged model that is drawn instead of something's own solids.

    It is only looked at: how that moves depends on none of it. Loading reads the file, and a replay
    carries it.
    """

    file: str = Field(
        min_length=1,
        max_length=1024,
        description="path of a .glb or .gltf, in the folder of the file that names it or below",
    )
    scale: Positive = Field(1.0, description="length of one unit of the file [m]")
    forward: Axis = Field("+Z", description="axis of the file that points ahead")
    up: Axis = Field("+Y", description="axis of the file that points up")
    digest: str | None = Field(
        None,
        pattern=DIGEST_PATTERN,
        description="hash of the file; loading fills it in",
    )
    _data: bytes | None = PrivateAttr(None)

    @property
    def data(self) -> bytes | None:
        """The file, whole in itself, as .glb; None before loading, or where a replay lacks it."""
        return self._data

    def with_data(self, data: bytes) -> Self:
        """The same with its file."""
        made = self.model_copy(update={"digest": digest_of(data)})
        made._data = data
        return made

    def __eq__(self, other: object) -> bool:
        """Whether they say the same: the digest stands for the file."""
        return isinstance(other, type(self)) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        """Equal for equal ones."""
        return hash((self.file, self.digest))

    @model_validator(mode="after")
    def _has_two_axes(self) -> Self:
        if self.up[1] == self.forward[1]:
            raise ValueError(
                f"up: expected an axis across forward, {self.forward}, found {self.up}"
            )
        return self


class ModelDef(LookDef):
    """What a creature looks like."""

    origin: Vector3 = Field(
        (0.0, 0.0, 0.0), description="where the centre of the body is [units and axes of the file]"
    )
    trunk: Annotated[tuple[NodeName, ...], Field(max_length=MAX_NAMES)] = Field(
        (), description="node that follows each segment of the trunk, the body first"
    )
    head: NodeName | None = Field(None, description="node that follows the head")
    legs: Annotated[
        tuple[Annotated[tuple[NodeName, ...], Field(max_length=64)], ...],
        Field(max_length=MAX_NAMES),
    ] = Field(
        description="nodes of each leg, from front to back, left before right, single ones last: "
        "one at the root of each bone, from the hip on, and one at the tip"
    )
    tips: Annotated[tuple[Vector3, ...], Field(max_length=MAX_NAMES)] = Field(
        (),
        description="tip of each leg, where `legs` names no nodes for them [units and axes of the "
        "file]",
    )
    swings: Annotated[tuple[SwingDef, ...], Field(max_length=64)] = ()
    without: Annotated[tuple[NodeName, ...], Field(max_length=64)] = Field(
        (), description="nodes that are left out with all below them: tails that a chain moves"
    )

    def problems(self, legs: Sequence[LegDef], segment_count: int, has_head: bool) -> list[str]:
        """What does not fit the creature that it shows, each with its key."""
        found = []
        if len(self.trunk) > segment_count:
            found.append(
                f"model.trunk: expected at most {segment_count} nodes, one for each segment of "
                f"the trunk, found {len(self.trunk)}"
            )
        if self.head and not has_head:
            found.append("model.head: expected none, for the creature has no [head], found one")
        if len(self.legs) != len(legs):
            found.append(
                f"model.legs: expected a list for each of {len(legs)} legs, found {len(self.legs)}"
            )
        if self.tips and len(self.tips) != len(legs):
            found.append(
                f"model.tips: expected one for each of {len(legs)} legs, found {len(self.tips)}"
            )
        found += [
            f"model.swings[{index}].leg: expected 0 to {len(legs) - 1}, found {swing.leg}"
            for index, swing in enumerate(self.swings)
            if swing.leg >= len(legs)
        ]
        for index, (names, leg) in enumerate(zip(self.legs, legs, strict=False)):
            count = len(leg.bones)
            wanted = (count, count + 1) if self.tips else (count + 1,)
            if len(names) not in wanted:
                found.append(
                    f"model.legs[{index}]: expected {' or '.join(map(str, wanted))} nodes, for "
                    f"the {leg.side} leg of pair {leg.pair + 1} has {count} bones"
                    + ("" if self.tips else " and a tip (or `tips`)")
                    + f", found {len(names)}"
                )
        return found


class RigLookDef(LookDef):
    """What a chain or a tree looks like."""

    @property
    def origin(self) -> Vector3:
        """Of the file."""
        return (0.0, 0.0, 0.0)


class ChainModelDef(RigLookDef):
    """What a chain looks like; its root is where the first of its nodes is."""

    bones: Annotated[tuple[NodeName, ...], Field(max_length=MAX_NAMES)] = Field(
        description="nodes from the root on: one at the root of each bone, and one at the tip"
    )
    tip: Vector3 | None = Field(
        None,
        description="its place, where `bones` names no node there [units and axes of the file]",
    )
    only: bool = Field(
        False,
        strict=True,
        description="whether nothing is drawn but its nodes and what is below them: a tail of a "
        "creature that is drawn `without` it",
    )

    def count_problems(self, count: int) -> list[str]:
        """What is wrong with the number of names, for so many bones."""
        wanted = count if self.tip else count + 1
        if len(self.bones) == wanted:
            return []
        more = "" if self.tip else " and a tip (or `tip`)"
        return [
            f"model.bones: expected {wanted} nodes, for the chain has {count} bones{more}, "
            f"found {len(self.bones)}"
        ]


class TreeModelDef(RigLookDef):
    """What a tree looks like: a node, or a place, for each of its joints."""

    nodes: Annotated[dict[Name, NodeName], Field(max_length=256)] = Field(
        description="node that lies at each joint, by the joint's name; the first one is `root`"
    )
    places: Annotated[dict[Name, Vector3], Field(max_length=256)] = Field(
        {}, description="where joints are that no node lies at [units and axes of the file]"
    )

    def problems(self, joints: Sequence[str]) -> Iterator[str]:
        """What does not fit joints of these names, each with its key."""
        for key, given in (("nodes", self.nodes), ("places", self.places)):
            for name in given:
                if name not in joints:
                    yield (
                        f"model.{key}.{name}: expected 'root' or the name of one of joints, "
                        f"found {name!r}{hint(name, joints)}"
                    )
        for name in joints:
            if (name in self.nodes) == (name in self.places):
                found = "both" if name in self.nodes else "none"
                yield (
                    f"model.nodes: expected a node for each joint, or one of `places`, found "
                    f"{found} for {name!r}"
                )


RigModelDef = ChainModelDef | TreeModelDef


def digest_of(data: bytes) -> str:
    """What stands for a file in a definition."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
