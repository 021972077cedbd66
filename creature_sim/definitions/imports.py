"""Ground that comes from files: a grid of heights, or a mesh."""

import hashlib
from typing import Annotated, Literal, Self

from pydantic import Field, PrivateAttr

from creature_sim.definitions.base import Definition, Number, Positive, Vector2, Vector3
from creature_sim.errors import DefinitionError

Spacing = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0.001, le=1e4)]


class DataDef(Definition):
    """Ground that no seed generates; loading reads its file, and a replay carries what it found.

    Attributes:
        data: what the ground is made of, as bytes (`terrain/imports.py` says which); no part of
            the definition's text, where its digest stands for it.
    """

    file: str = Field(min_length=1, description="path, beside the file of the world")
    digest: str | None = Field(
        None,
        pattern="^[0-9a-f]{32}$",
        description="hash of the ground made of the file; where it is given, other data is "
        "refused, and loading fills it in",
    )
    _data: bytes | None = PrivateAttr(None)

    @property
    def data(self) -> bytes:
        """What the ground is made of; DefinitionError before loading has read it."""
        if self._data is None:
            raise DefinitionError(
                f"file: expected a world from load_world, which reads {self.file!r}, "
                "found one that has not been loaded"
            )
        return self._data

    def with_data(self, data: bytes) -> Self:
        """The same ground with its data; DefinitionError where that is not what the digest says."""
        digest = hashlib.blake2b(data, digest_size=16).hexdigest()
        if self.digest not in (None, digest):
            raise DefinitionError(
                f"digest: expected data with the digest {self.digest}, found {digest}"
            )
        made = self.model_copy(update={"digest": digest})
        made._data = data
        return made


class HeightsDef(DataDef):
    """A grid of heights; its rows run along X from low to high, the first row is that of highest Y.

    As much of it as the ground is large, 64 x 64 m or a patch, becomes the ground or a layer of it;
    height = offset + scale * value, bilinear between values. Data that end before are refused.
    """

    kind: Literal["heights"]
    spacing: Spacing | None = Field(
        None,
        description="distance of neighbouring values [m]; without it the one that a GeoTIFF or "
        ".asc file states",
    )
    scale: Positive = Field(1.0, description="[m] for a value of 1")
    offset: Number = Field(0.0, ge=-1e5, le=1e5, description="height of the value 0 [m]")
    centre: Vector2 = Field(
        (0.0, 0.0),
        description="what lies at the origin of the world, from the middle of the data [m]",
    )
    hole: Number | None = Field(
        None,
        ge=-100.0,
        le=100.0,
        description="height where the file says that it has none (NaN, its nodata value) [m]; "
        "without it, ground with holes is refused",
    )


class MeshDef(DataDef):
    """Triangles, Z up (a .glb, which is Y up, is turned so), on level ground."""

    kind: Literal["mesh"]
    scale: Positive = Field(1.0, description="[m] for a length of 1 in the file")
    offset: Vector3 = Field(
        (0.0, 0.0, 0.0), description="where the file's origin lies in the world [m]"
    )
    floor: Number | None = Field(
        None,
        ge=-100.0,
        le=100.0,
        description="height of the level ground below and around [m]; without it that of the "
        "lowest vertex",
    )
