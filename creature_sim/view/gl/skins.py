"""Models of creatures in the memory of the graphics card, whose vertices follow bones there."""

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from creature_sim.errors import DisplayUnavailable
from creature_sim.maths import Floats
from creature_sim.models.binding import Binding
from creature_sim.view.gl.mesh import attribute, fill, made
from creature_sim.view.gl.shaders import Programs

POSE_UNIT, PICTURE_UNIT = 3, 4
WHITE: NDArray[np.uint8] = np.full((1, 1, 3), 255, np.uint8)
BYTES = 4


class Skins:
    """The models of all species, uploaded when they are first seen."""

    def __init__(self, programs: Programs) -> None:
        """Start with none."""
        self._programs = programs
        self._known: dict[str, _Skin] = {}
        self._shown: list[_Skin] = []
        programs.set(pose=POSE_UNIT, picture=PICTURE_UNIT)

    def fill(self, matrices: Mapping[str, Floats], bindings: Mapping[str, Binding]) -> None:
        """Upload what `draw` will draw.

        Args:
            matrices: (N, B, 3, 4) of the bones of N creatures, by species.
            bindings: what those species look like.

        Raises:
            DisplayUnavailable: they have more bones than the graphics card takes.
        """
        self._shown = []
        for name, found in matrices.items():
            known = self._known.get(name)
            if known is None or known.binding is not bindings[name]:
                if known is not None:
                    known.delete()
                known = self._known[name] = _Skin(bindings[name])
            known.fill(found)
            self._shown.append(known)

    def draw(self, *features: str, variant: str = "") -> None:
        """Draw them: a call for each picture of a species.

        Args:
            features: that the programs are compiled with.
            variant: "": in their colours; "_depth": their depths only.
        """
        for skin in self._shown:
            extra = ("EIGHT",) if skin.binding.bones.shape[1] > 4 else ()
            self._programs.use("skin" + variant, *features, *extra)
            skin.draw(has_pictures=not variant)

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        for skin in self._known.values():
            skin.delete()


class _Skin:
    """The model of one species."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self._count = 0
        width = binding.bones.shape[1]
        columns: list[NDArray[Any]] = [binding.vertices, binding.normals, binding.colours]
        columns.append(binding.places)
        for first in range(0, width, 4):
            columns += [binding.bones[:, first : first + 4], binding.weights[:, first : first + 4]]
        vertices = np.hstack(columns).astype(np.float32)
        self._array = made(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        self._buffers = [made(gl.glGenBuffers), made(gl.glGenBuffers)]
        fill(gl.GL_ARRAY_BUFFER, self._buffers[0], vertices, gl.GL_STATIC_DRAW)
        offset = 0
        for slot, column in enumerate(columns):
            attribute(slot, column.shape[1], vertices.shape[1], offset)
            offset += column.shape[1]
        triangles = binding.triangles.astype(np.uint32)
        fill(gl.GL_ELEMENT_ARRAY_BUFFER, self._buffers[1], triangles, gl.GL_STATIC_DRAW)
        gl.glBindVertexArray(0)
        self._pose = made(gl.glGenTextures)
        self._bind(self._pose, POSE_UNIT)
        _sample(gl.GL_NEAREST, gl.GL_NEAREST)
        self._pictures = [_uploaded(picture) for picture in (*binding.pictures, WHITE)]
        gl.glActiveTexture(gl.GL_TEXTURE0)

    def fill(self, matrices: Floats) -> None:
        """Upload the bones (N, B, 3, 4) of N creatures."""
        self._count = len(matrices)
        rows = np.ascontiguousarray(matrices, np.float32).reshape(len(matrices), -1)
        width = rows.shape[1] // 4
        most = gl.GLint()
        gl.glGetIntegerv(gl.GL_MAX_TEXTURE_SIZE, most)
        if max(width, len(rows)) > most.value:
            raise DisplayUnavailable(
                f"models of creatures: expected at most {most.value // 3} bones and {most.value} "
                f"creatures of a species in view, found {width // 3} and {len(rows)}"
            )
        self._bind(self._pose, POSE_UNIT)
        gl.glTexImage2D(
            gl.GL_TEXTURE_2D, 0, gl.GL_RGBA32F, width, len(rows), 0, gl.GL_RGBA, gl.GL_FLOAT,
            rows.ctypes.data_as(ctypes.c_void_p),
        )  # fmt: skip
        gl.glActiveTexture(gl.GL_TEXTURE0)

    def draw(self, *, has_pictures: bool) -> None:
        """Draw all triangles of all creatures, with the program that is in use."""
        self._bind(self._pose, POSE_UNIT)
        gl.glBindVertexArray(self._array)
        surfaces = self.binding.surfaces
        if has_pictures:
            for surface in surfaces:
                index = len(self._pictures) - 1 if surface.picture is None else surface.picture
                self._bind(self._pictures[index], PICTURE_UNIT)
                self._draw(surface.first, surface.count)
        else:
            self._draw(0, len(self.binding.triangles))
        gl.glBindVertexArray(0)
        gl.glActiveTexture(gl.GL_TEXTURE0)

    def _draw(self, first: int, count: int) -> None:
        start = ctypes.c_void_p(first * 3 * BYTES)
        gl.glDrawElementsInstanced(
            gl.GL_TRIANGLES, 3 * count, gl.GL_UNSIGNED_INT, start, self._count
        )

    @staticmethod
    def _bind(texture: int, unit: int) -> None:
        gl.glActiveTexture(gl.GL_TEXTURE0 + unit)
        gl.glBindTexture(gl.GL_TEXTURE_2D, texture)

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        gl.glDeleteVertexArrays(1, gl.GLuint(self._array))
        gl.glDeleteBuffers(len(self._buffers), (gl.GLuint * len(self._buffers))(*self._buffers))
        textures = [self._pose, *self._pictures]
        gl.glDeleteTextures(len(textures), (gl.GLuint * len(textures))(*textures))


def _sample(small: int, large: int) -> None:
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, small)
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAG_FILTER, large)


def _uploaded(picture: NDArray[np.uint8]) -> int:
    """A picture (H, W, 3) that repeats, with smaller ones of it."""
    found = made(gl.glGenTextures)
    gl.glActiveTexture(gl.GL_TEXTURE0 + PICTURE_UNIT)
    gl.glBindTexture(gl.GL_TEXTURE_2D, found)
    height, width = picture.shape[:2]
    data = np.ascontiguousarray(picture)
    gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1)
    gl.glTexImage2D(
        gl.GL_TEXTURE_2D, 0, gl.GL_RGB8, width, height, 0, gl.GL_RGB, gl.GL_UNSIGNED_BYTE,
        data.ctypes.data_as(ctypes.c_void_p),
    )  # fmt: skip
    gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 4)
    gl.glGenerateMipmap(gl.GL_TEXTURE_2D)
    _sample(gl.GL_LINEAR_MIPMAP_LINEAR, gl.GL_LINEAR)
    return found
