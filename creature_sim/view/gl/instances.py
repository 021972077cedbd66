"""Solids that are drawn once for each row of numbers, several solids in one call of OpenGL."""

import ctypes
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from creature_sim.view.gl.mesh import attribute, fill, made

_FIRST_SLOT = 2
"""Of the attributes that are one for each row."""


class Instances:
    """Solids that are uploaded once, and rows for each of them, refilled every frame."""

    def __init__(
        self,
        solids: Sequence[tuple[NDArray[np.float32], NDArray[np.uint32]]],
        slots: int = 4,
    ) -> None:
        """Upload (V, 6) vertices and (T, 3) triangles of each into the current context.

        A row has as many times four floats as `slots` says.
        """
        self._slots = slots
        vertices, triangles = zip(*solids, strict=True)
        ends = np.cumsum([part.size for part in triangles])
        starts = np.cumsum([len(part) for part in vertices])
        # As OpenGL reads it: indices of a solid, rows, first index, first vertex, first row.
        self._commands = np.zeros((len(solids), 5), np.uint32)
        self._commands[:, 0] = [part.size for part in triangles]
        self._commands[1:, 2], self._commands[1:, 3] = ends[:-1], starts[:-1]
        self._array = made(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        self._buffers = [made(gl.glGenBuffers) for _ in range(4)]
        fill(gl.GL_ARRAY_BUFFER, self._buffers[0], np.concatenate(vertices), gl.GL_STATIC_DRAW)
        for slot in range(2):
            attribute(slot, 3, 6, 3 * slot)
        indices = np.concatenate(triangles)
        fill(gl.GL_ELEMENT_ARRAY_BUFFER, self._buffers[1], indices, gl.GL_STATIC_DRAW)
        self._begin_rows(0)
        for slot in range(slots):
            gl.glVertexAttribDivisor(_FIRST_SLOT + slot, 1)
        gl.glBindVertexArray(0)

    def _begin_rows(self, first: int) -> None:
        """Have instances follow the rows from this one on."""
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._buffers[2])
        size = 4 * self._slots
        for slot in range(self._slots):
            attribute(_FIRST_SLOT + slot, 4, size, size * first + 4 * slot)

    def fill(self, rows: Sequence[NDArray[np.float32]]) -> None:
        """Upload rows (K, 4 * slots) of each of the first solids, one for each time it is drawn."""
        counts = np.zeros(len(self._commands), np.int64)
        counts[: len(rows)] = [len(part) for part in rows]
        self._commands[:, 1] = counts
        self._commands[1:, 4] = np.cumsum(counts)[:-1]
        if counts.any():
            fill(gl.GL_ARRAY_BUFFER, self._buffers[2], np.concatenate(rows), gl.GL_STREAM_DRAW)

    def has_rows(self, chosen: Sequence[int]) -> bool:
        """Whether any of some solids, given by their places, has rows."""
        return bool(self._commands[list(chosen), 1].any())

    def draw(self, chosen: Sequence[int] | None = None) -> None:
        """Draw some solids or all, once for each of their rows: in one call, given OpenGL 4.3."""
        commands = self._commands if chosen is None else self._commands[list(chosen)]
        commands = commands[commands[:, 1] > 0]
        if not len(commands):
            return
        gl.glBindVertexArray(self._array)
        if gl.gl_info.have_version(4, 3):
            fill(gl.GL_DRAW_INDIRECT_BUFFER, self._buffers[3], commands, gl.GL_STREAM_DRAW)
            gl.glMultiDrawElementsIndirect(
                gl.GL_TRIANGLES, gl.GL_UNSIGNED_INT, None, len(commands), 0
            )
        else:
            for size, count, first, base, row in commands.tolist():
                self._begin_rows(row)
                start = ctypes.c_void_p(first * ctypes.sizeof(gl.GLuint))
                gl.glDrawElementsInstancedBaseVertex(
                    gl.GL_TRIANGLES, size, gl.GL_UNSIGNED_INT, start, count, base
                )
            self._begin_rows(0)
        gl.glBindVertexArray(0)

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        gl.glDeleteVertexArrays(1, gl.GLuint(self._array))
        gl.glDeleteBuffers(len(self._buffers), (gl.GLuint * len(self._buffers))(*self._buffers))
