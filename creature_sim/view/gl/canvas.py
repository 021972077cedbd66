"""A framebuffer to draw pictures into, with four samples a pixel where possible."""

import ctypes

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from creature_sim.errors import DisplayUnavailable
from creature_sim.view.gl.mesh import made

SAMPLES = 4


class Canvas:
    """A picture; drawing inside its `with` block goes to it."""

    def __init__(self, size: tuple[int, int], samples: int = SAMPLES) -> None:
        """Allocate (width, height) pixels with `samples` each in the current context.

        Raises:
            DisplayUnavailable: there is no picture of this size here.
        """
        self.size = size
        largest = gl.GLint()
        gl.glGetIntegerv(gl.GL_MAX_RENDERBUFFER_SIZE, largest)
        if not all(1 <= side <= largest.value for side in size):
            raise DisplayUnavailable(
                f"size of a picture: expected 1 to {largest.value} pixels a side, "
                f"found {size[0]} x {size[1]}"
            )
        max_samples = gl.GLint()
        gl.glGetIntegerv(gl.GL_MAX_SAMPLES, max_samples)
        self._drawn = _Framebuffer(size, min(samples, max_samples.value))
        self._flat = _Framebuffer(size, 0)

    def __enter__(self) -> "Canvas":
        """Send drawing here."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._drawn.name)
        return self

    def __exit__(self, *_: object) -> None:
        """Send drawing to the window again."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)

    def read(self) -> NDArray[np.uint8]:
        """What was drawn, (H, W, 3), top row first."""
        width, height = self.size
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self._drawn.name)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, self._flat.name)
        area = (0, 0, width, height)
        gl.glBlitFramebuffer(*area, *area, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._flat.name)
        pixels = np.empty((height, width, 4), dtype=np.uint8)
        target = pixels.ctypes.data_as(ctypes.c_void_p)
        gl.glReadPixels(0, 0, width, height, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, target)
        return np.ascontiguousarray(pixels[::-1, :, :3])

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        self._drawn.delete()
        self._flat.delete()


class _Framebuffer:
    """Colour and depth."""

    def __init__(self, size: tuple[int, int], samples: int) -> None:
        self.name, self._buffers = made(gl.glGenFramebuffers), (gl.GLuint * 2)()
        gl.glGenRenderbuffers(2, self._buffers)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.name)
        for buffer, content, attachment in zip(
            self._buffers,
            (gl.GL_RGBA8, gl.GL_DEPTH_COMPONENT24),
            (gl.GL_COLOR_ATTACHMENT0, gl.GL_DEPTH_ATTACHMENT),
            strict=True,
        ):
            gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, buffer)
            gl.glRenderbufferStorageMultisample(gl.GL_RENDERBUFFER, samples, content, *size)
            gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, attachment, gl.GL_RENDERBUFFER, buffer)
        state = gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER)
        is_full = gl.glGetError() == gl.GL_OUT_OF_MEMORY
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
        if is_full or state != gl.GL_FRAMEBUFFER_COMPLETE:
            self.delete()
            raise DisplayUnavailable(
                f"size of a picture: expected one that fits into the memory of the graphics card, "
                f"found {size[0]} x {size[1]}"
            )

    def delete(self) -> None:
        gl.glDeleteFramebuffers(1, gl.GLuint(self.name))
        gl.glDeleteRenderbuffers(2, self._buffers)
