"""Triangles in the memory of the graphics card."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

_FLOAT = 4


class Mesh:
    """Triangles that are uploaded once."""

    def __init__(self, vertices: NDArray[np.float32], triangles: NDArray[np.uint32]) -> None:
        """Upload (V, 6) vertices and (T, 3) triangles into the current context."""
        self._array = made(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        self._buffers = [made(gl.glGenBuffers) for _ in range(2)]
        fill(gl.GL_ARRAY_BUFFER, self._buffers[0], vertices, gl.GL_STATIC_DRAW)
        for slot in range(2):
            attribute(slot, 3, 6, 3 * slot)
        fill(gl.GL_ELEMENT_ARRAY_BUFFER, self._buffers[1], triangles, gl.GL_STATIC_DRAW)
        gl.glBindVertexArray(0)

    def draw(self, firsts: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        """Draw (R,) runs of triangles, each from its first one on, in one call."""
        if not len(firsts):
            return
        sizes = (gl.GLsizei * len(firsts))(*(3 * counts).tolist())
        starts = (ctypes.c_void_p * len(firsts))(*(3 * _FLOAT * firsts).tolist())
        gl.glBindVertexArray(self._array)
        gl.glMultiDrawElements(gl.GL_TRIANGLES, sizes, gl.GL_UNSIGNED_INT, starts, len(firsts))
        gl.glBindVertexArray(0)

    def draw_bare(self, count: int) -> None:
        """Draw `count` vertices whose positions the shader computes from their indices."""
        gl.glBindVertexArray(self._array)
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, count)
        gl.glBindVertexArray(0)

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        gl.glDeleteVertexArrays(1, gl.GLuint(self._array))
        gl.glDeleteBuffers(len(self._buffers), (gl.GLuint * len(self._buffers))(*self._buffers))


def made(generate: Callable[[int, gl.GLuint], None]) -> int:
    """One new name of a GL object."""
    name = gl.GLuint()
    generate(1, name)
    return int(name.value)


def attribute(slot: int, size: int, stride: int, offset: int) -> None:
    """Describe floats of the bound buffer."""
    gl.glEnableVertexAttribArray(slot)
    gl.glVertexAttribPointer(
        slot, size, gl.GL_FLOAT, gl.GL_FALSE, stride * _FLOAT, ctypes.c_void_p(offset * _FLOAT)
    )


def fill(target: int, buffer: int, data: NDArray[Any], usage: int) -> None:
    """Upload an array into a buffer, which stays bound."""
    packed = np.ascontiguousarray(data)
    gl.glBindBuffer(target, buffer)
    gl.glBufferData(target, packed.nbytes, packed.ctypes.data_as(ctypes.c_void_p), usage)
