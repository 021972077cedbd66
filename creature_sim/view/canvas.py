"""A framebuffer to draw pictures into, with four samples a pixel where there are."""

import ctypes

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

SAMPLES = 4


class Canvas:
    """Drawing inside its `with` block goes to it."""

    def __init__(self, size: tuple[int, int], samples: int = SAMPLES) -> None:
        """Allocate (width, height) pixels in the current context, each of so many samples."""
        self.size = size
        most = gl.GLint()
        gl.glGetIntegerv(gl.GL_MAX_SAMPLES, most)
        self._drawn = _Framebuffer(size, min(samples, most.value))
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
        name, self._buffers = gl.GLuint(), (gl.GLuint * 2)()
        gl.glGenFramebuffers(1, name)
        gl.glGenRenderbuffers(2, self._buffers)
        self.name = int(name.value)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.name)
        for buffer, content, place in zip(
            self._buffers,
            (gl.GL_RGBA8, gl.GL_DEPTH_COMPONENT24),
            (gl.GL_COLOR_ATTACHMENT0, gl.GL_DEPTH_ATTACHMENT),
            strict=True,
        ):
            gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, buffer)
            gl.glRenderbufferStorageMultisample(gl.GL_RENDERBUFFER, samples, content, *size)
            gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, place, gl.GL_RENDERBUFFER, buffer)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)

    def delete(self) -> None:
        gl.glDeleteFramebuffers(1, gl.GLuint(self.name))
        gl.glDeleteRenderbuffers(2, self._buffers)
