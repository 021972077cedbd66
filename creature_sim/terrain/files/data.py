"""Ground that comes from a file: what is common to the definitions of such kinds."""

import hashlib
from typing import Self

from pydantic import Field, PrivateAttr

from creature_sim.errors import DefinitionError
from creature_sim.terrain.ground import GroundDef


class DataDef(GroundDef):
    """Ground that no seed generates; loading reads its file, and a replay carries what it found.

    Attributes:
        data: what the ground is made of, as bytes (the file of its kind says which); no part of
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
