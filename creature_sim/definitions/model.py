"""What a creature looks like, from a file of a 3D model: which nodes follow which of its bones."""

import hashlib
from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, PrivateAttr, model_validator

from creature_sim.definitions.legs import LegDef
from creature_sim.files.definition import Definition, Positive, Vector3
from creature_sim.files.problems import DIGEST_PATTERN

MAX_NAMES = 4_096
Axis = Literal["+X", "-X", "+Y", "-Y", "+Z", "-Z"]
NodeName = Annotated[str, Field(strict=True, max_length=256)]


class ModelDef(Definition):
    """A rigged model that is drawn instead of the creature's own solids.

    It is only looked at: how the creature walks depends on none of it. Loading reads the file, and
    a replay carries it.
    """

    file: str = Field(
        min_length=1,
        max_length=1024,
        description="path of a .glb or .gltf, in the folder of the creature's file or below it",
    )
    scale: Positive = Field(1.0, description="length of one unit of the file [m]")
    forward: Axis = Field("+Z", description="axis of the file that points ahead")
    up: Axis = Field("+Y", description="axis of the file that points up")
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
        return isinstance(other, ModelDef) and self.__dict__ == other.__dict__

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


def digest_of(data: bytes) -> str:
    """What stands for a file in a definition."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
