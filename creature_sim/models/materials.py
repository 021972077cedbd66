"""What surfaces look like: base colours, pictures, and colours of vertices."""

from typing import Any, NamedTuple

import numpy as np

from creature_sim.maths import Floats
from creature_sim.models.accessors import Accessors
from creature_sim.models.container import Container
from creature_sim.models.fields import Field
from creature_sim.models.images import Images, Picture

MAX_MATERIALS = 4_096
MAX_TILES = 1e4
"""How often a picture may repeat."""
WHITE = (1.0, 1.0, 1.0)
MOVED = "KHR_texture_transform"


class Look(NamedTuple):
    """Of a part, as `Part` has it."""

    colour: tuple[float, ...]
    colours: Floats | None
    picture: int | None
    places: Floats | None
    is_thin: bool


class Materials:
    """The materials of a file; `notes` tell what was left out."""

    def __init__(self, container: Container, arrays: Accessors) -> None:
        """Read none yet."""
        self._document, self._arrays = container.document, arrays
        self._materials = self._document["materials"].items(MAX_MATERIALS)
        self._textures = self._document["textures"].items(MAX_MATERIALS)
        self._images = Images(container, arrays)
        self.notes: list[str] = []

    @property
    def all_notes(self) -> list[str]:
        """Of surfaces and of pictures."""
        return [*self.notes, *self._images.notes]

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Those that were asked for."""
        return tuple(self._images.pictures)

    def look(self, primitive: Field, count: int) -> Look:
        """What a part of so many vertices looks like.

        Raises:
            DefinitionError: the file names what it has not.
        """
        colours = self._colours(primitive["attributes"], count)
        if "material" not in primitive:
            return Look(WHITE, colours, None, None, False)
        material = self._materials[primitive["material"].index(len(self._materials))]
        if material["alphaMode"].text("OPAQUE") != "OPAQUE":
            self.notes.append("surfaces that let light through are drawn whole")
        is_thin = material["doubleSided"].flag()
        if "pbrMetallicRoughness" not in material:
            return Look(WHITE, colours, None, None, is_thin)
        surface = material["pbrMetallicRoughness"]
        factor = surface["baseColorFactor"].numbers((1.0,) * 4)[:3]
        colour = tuple(min(1.0, max(0.0, part)) for part in factor)
        if "baseColorTexture" not in surface:
            return Look(colour, colours, None, None, is_thin)
        picture, places = self._pictured(primitive, surface["baseColorTexture"], count)
        return Look(colour, colours, picture, places, is_thin)

    def _pictured(
        self, primitive: Field, info: Field, count: int
    ) -> tuple[int, Floats] | tuple[None, None]:
        """A picture, and places (V, 2) in it."""
        texture = self._textures[info["index"].index(len(self._textures))]
        if "source" not in texture:
            self.notes.append("pictures of other kinds than PNG and JPEG are left out")
            return None, None
        moved: Any = None
        channel = info["texCoord"].whole(0, 7, 0)
        if "extensions" in info and MOVED in info["extensions"]:
            moved = info["extensions"][MOVED]
            channel = moved["texCoord"].whole(0, 7, channel)
        name, attributes = f"TEXCOORD_{channel}", primitive["attributes"]
        if name not in attributes:
            raise attributes.refused(f"{name}, places in the picture of its material", "none")
        places = self._arrays.read(attributes[name], 2)
        if len(places) != count:
            raise attributes[name].refused(f"one for each of {count} vertices", len(places))
        if moved is not None:
            places = _moved(places, moved)
        if np.abs(places).max() > MAX_TILES:
            raise attributes[name].refused(f"numbers up to {MAX_TILES:g}", "others")
        picture = self._images.place(texture["source"])
        return (None, None) if picture is None else (picture, places)

    def _colours(self, attributes: Field, count: int) -> Floats | None:
        """Colours (V, 3) of the vertices, if the file has any."""
        if "COLOR_0" not in attributes:
            return None
        found = self._arrays.read(attributes["COLOR_0"], 3, 4)
        if len(found) != count:
            raise attributes["COLOR_0"].refused(f"one for each of {count} vertices", len(found))
        return found[:, :3].clip(0.0, 1.0)


def _moved(places: Floats, moved: Field) -> Floats:
    """Places (V, 2) after a shift, a turn and a scale of the picture's."""
    turn = moved["rotation"].number(0.0)
    sine, cosine = np.sin(turn), np.cos(turn)
    u, v = (places * np.array(moved["scale"].numbers((1.0, 1.0)))).T
    found = np.stack((cosine * u + sine * v, cosine * v - sine * u), axis=1)
    shifted: Floats = found + np.array(moved["offset"].numbers((0.0, 0.0)))
    return shifted
