"""Models of creatures in the memory of the graphics card, whose vertices follow bones there."""

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from creature_sim.errors import DisplayUnavailable
from creature_sim.figures.casters import casters
from creature_sim.maths import Floats
from creature_sim.models.binding import Binding, Surface
from creature_sim.view.gl.mesh import attribute, fill, made
from creature_sim.view.gl.shaders import POSE_BLOCK, Programs

PICTURE_UNIT = 4
ROW = 16
"""Bytes of a row of a matrix."""
MAX_ROWS = 4_096
"""Rows of matrices of bones that one call takes, at most."""
WHITE: NDArray[np.uint8] = np.full((1, 1, 3), 255, np.uint8)
BYTES = 4
WIDTHS = (1, 2, 4, 8)
"""Numbers of bones that shaders are made for."""


class Skins:
    """The models of all species, uploaded when they are first seen."""

    def __init__(self, programs: Programs) -> None:
        """Start with none."""
        self._programs = programs
        self._known: dict[str, _Skin] = {}
        self._shown: list[_Skin] = []
        most = gl.GLint()
        gl.glGetIntegerv(gl.GL_MAX_UNIFORM_BLOCK_SIZE, most)
        self._rows = min(MAX_ROWS, most.value // ROW)
        programs.set(picture=PICTURE_UNIT)

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
            known.fill(found, self._rows)
            self._shown.append(known)

    def draw(self, *features: str, variant: str = "") -> None:
        """Draw them: a call for each picture of a species, and for as many creatures as fit.

        Args:
            features: that the programs are compiled with.
            variant: "": in their colours; "_depth": the depths of what casts their shadows.
        """
        for skin in self._shown:
            self._programs.set(bone_count=skin.bone_count)
            self._programs.use(
                "skin" + variant, f"ROWS {self._rows}", f"BONES {skin.width}", *features
            )
            skin.draw(has_pictures=not variant)

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        for skin in self._known.values():
            skin.delete()


class _Skin:
    """The model of one species."""

    def __init__(self, binding: Binding) -> None:
        self.binding, self.bone_count = binding, 0
        most = int((binding.weights > 0.0).sum(axis=1).max())
        self.width = next(width for width in WIDTHS if width >= most)
        self._batches: list[tuple[int, int]] = []  # a buffer, and creatures whose bones it has
        self._blocks: list[int] = []
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
        coarse, closed = casters(binding)
        triangles = np.concatenate((binding.triangles, coarse)).astype(np.uint32)
        fill(gl.GL_ELEMENT_ARRAY_BUFFER, self._buffers[1], triangles, gl.GL_STATIC_DRAW)
        gl.glBindVertexArray(0)
        self._pictures = [_uploaded(picture) for picture in (*binding.pictures, WHITE)]
        first = len(binding.triangles)
        self._shades = [
            Surface(first, closed, None, False),
            Surface(first + closed, len(coarse) - closed, None, True),
        ]

    def fill(self, matrices: Floats, most: int) -> None:
        """Upload the bones (N, B, 3, 4) of N creatures, in blocks of so many rows of matrices."""
        self.bone_count = matrices.shape[1]
        each = most // (3 * self.bone_count)
        if not each:
            raise DisplayUnavailable(
                f"a model of a creature: expected at most {most // 3} bones, "
                f"found {self.bone_count}"
            )
        rows = matrices.astype(np.float32).reshape(len(matrices), -1)
        self._batches = []
        for number, first in enumerate(range(0, len(rows), each)):
            if number == len(self._blocks):
                self._blocks.append(made(gl.glGenBuffers))
            mine = rows[first : first + each]
            gl.glBindBuffer(gl.GL_UNIFORM_BUFFER, self._blocks[number])
            gl.glBufferData(gl.GL_UNIFORM_BUFFER, most * ROW, None, gl.GL_STREAM_DRAW)
            data = mine.ctypes.data_as(ctypes.c_void_p)
            gl.glBufferSubData(gl.GL_UNIFORM_BUFFER, 0, mine.nbytes, data)
            self._batches.append((self._blocks[number], len(mine)))

    def draw(self, *, has_pictures: bool) -> None:
        """Draw all creatures, with the program in use; without pictures, what casts shadows."""
        gl.glBindVertexArray(self._array)
        surfaces = self.binding.surfaces if has_pictures else self._shades
        for block, count in self._batches:
            gl.glBindBufferBase(gl.GL_UNIFORM_BUFFER, POSE_BLOCK, block)
            for surface in surfaces:
                (gl.glDisable if surface.is_thin else gl.glEnable)(gl.GL_CULL_FACE)
                if has_pictures:
                    index = len(self._pictures) - 1 if surface.picture is None else surface.picture
                    gl.glActiveTexture(gl.GL_TEXTURE0 + PICTURE_UNIT)
                    gl.glBindTexture(gl.GL_TEXTURE_2D, self._pictures[index])
                self._draw(surface.first, surface.count, count)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindVertexArray(0)

    @staticmethod
    def _draw(first: int, count: int, creatures: int) -> None:
        start = ctypes.c_void_p(first * 3 * BYTES)
        gl.glDrawElementsInstanced(gl.GL_TRIANGLES, 3 * count, gl.GL_UNSIGNED_INT, start, creatures)

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        gl.glDeleteVertexArrays(1, gl.GLuint(self._array))
        buffers = [*self._buffers, *self._blocks]
        gl.glDeleteBuffers(len(buffers), (gl.GLuint * len(buffers))(*buffers))
        textures = self._pictures
        gl.glDeleteTextures(len(textures), (gl.GLuint * len(textures))(*textures))


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
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, gl.GL_LINEAR_MIPMAP_LINEAR)
    gl.glActiveTexture(gl.GL_TEXTURE0)
    return found
