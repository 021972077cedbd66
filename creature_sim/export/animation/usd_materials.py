"""Materials with pictures in USD: `UsdPreviewSurface`, which Blender and Omniverse read."""

from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Sdf, UsdGeom, UsdShade, Vt

from creature_sim.export.animation.skin import Skin


class Pictures:
    """Files of pictures that lie beside a file of USD."""

    def __init__(self, stem: str) -> None:
        """Their names begin with that of the file."""
        self._stem = stem
        self.files: dict[str, bytes] = {}

    def add(self, pixels: NDArray[np.uint8]) -> str:
        """Add one (H, W, 3); returns the name of its file."""
        from PIL import Image

        name, data = f"{self._stem}_{len(self.files)}.png", BytesIO()
        Image.fromarray(pixels).save(data, "PNG", optimize=True)
        self.files[name] = data.getvalue()
        return name


def add_places(mesh: Any, skin: Skin) -> None:  # noqa: ANN401 - pxr has no types
    """Add where vertices are in pictures, from the bottom left as USD counts."""
    assert skin.places is not None
    places = skin.places * [1.0, -1.0] + [0.0, 1.0]
    UsdGeom.PrimvarsAPI(mesh).CreatePrimvar(
        "st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.vertex
    ).Set(Vt.Vec2fArray.FromNumpy(np.ascontiguousarray(places, np.float32)))


def add_material(layer: Any, subset: Any, skin: Skin, name: str, file: str) -> None:  # noqa: ANN401
    """Let the triangles of a part show the picture of a file, darkened as their vertices are."""
    path = f"{subset.GetPrim().GetParent().GetPath()}/{subset.GetPrim().GetName()}_material"
    material = UsdShade.Material.Define(layer, path)
    reader = UsdShade.Shader.Define(layer, f"{path}/places")
    reader.CreateIdAttr("UsdPrimvarReader_float2")
    reader.CreateInput("varname", Sdf.ValueTypeNames.String).Set("st")
    picture = UsdShade.Shader.Define(layer, f"{path}/picture")
    picture.CreateIdAttr("UsdUVTexture")
    picture.CreateInput("file", Sdf.ValueTypeNames.Asset).Set(f"./{file}")
    picture.CreateInput("sourceColorSpace", Sdf.ValueTypeNames.Token).Set("sRGB")
    for side in ("wrapS", "wrapT"):
        picture.CreateInput(side, Sdf.ValueTypeNames.Token).Set("repeat")
    assert skin.shades is not None
    shade = skin.shades[np.unique(skin.parts[name])].mean(axis=0)
    picture.CreateInput("scale", Sdf.ValueTypeNames.Float4).Set(Gf.Vec4f(*shade.tolist(), 1.0))
    picture.CreateInput("st", Sdf.ValueTypeNames.Float2).ConnectToSource(
        reader.CreateOutput("result", Sdf.ValueTypeNames.Float2)
    )
    surface = UsdShade.Shader.Define(layer, f"{path}/surface")
    surface.CreateIdAttr("UsdPreviewSurface")
    surface.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(0.8)
    surface.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).ConnectToSource(
        picture.CreateOutput("rgb", Sdf.ValueTypeNames.Float3)
    )
    material.CreateSurfaceOutput().ConnectToSource(
        surface.CreateOutput("surface", Sdf.ValueTypeNames.Token)
    )
    UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(material)
