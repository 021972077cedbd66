"""Pictures that only the graphics card uses: depths seen from the sun, marks on the ground."""

from pyglet import gl

from creature_sim.errors import DisplayUnavailable


class Texture:
    """A square picture of depths or greys; drawing inside its `with` block goes to it."""

    def __init__(self, side: int, *, is_depth: bool) -> None:
        """Allocate `side` x `side` pixels in the current context."""
        self.side = side
        self.name, self._framebuffer = gl.GLuint(), gl.GLuint()
        self._outer = 0
        gl.glGenTextures(1, self.name)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.name)
        kind, layout, part = (
            (gl.GL_DEPTH_COMPONENT24, gl.GL_DEPTH_COMPONENT, gl.GL_DEPTH_ATTACHMENT)
            if is_depth
            else (gl.GL_RGBA8, gl.GL_RGBA, gl.GL_COLOR_ATTACHMENT0)  # CPUs read R8 more slowly
        )
        gl.glTexImage2D(
            gl.GL_TEXTURE_2D,
            0,
            kind,
            side,
            side,
            0,
            layout,
            gl.GL_UNSIGNED_INT if is_depth else gl.GL_UNSIGNED_BYTE,
            None,
        )
        filtering = gl.GL_NEAREST if is_depth else gl.GL_LINEAR
        for name, value in (
            (gl.GL_TEXTURE_MIN_FILTER, filtering),
            (gl.GL_TEXTURE_MAG_FILTER, filtering),
            (gl.GL_TEXTURE_WRAP_S, gl.GL_CLAMP_TO_EDGE),
            (gl.GL_TEXTURE_WRAP_T, gl.GL_CLAMP_TO_EDGE),
        ):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, name, value)
        gl.glGenFramebuffers(1, self._framebuffer)
        with self:
            gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, part, gl.GL_TEXTURE_2D, self.name, 0)
            if is_depth:
                gl.glDrawBuffer(gl.GL_NONE)
                gl.glReadBuffer(gl.GL_NONE)
            state = gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER)
        if state != gl.GL_FRAMEBUFFER_COMPLETE:
            raise DisplayUnavailable(
                f"the graphics driver draws into no texture of {side} x {side} pixels "
                f"(framebuffer state {state:#x})"
            )

    def bind(self, unit: int) -> None:
        """Let programs read it at a texture unit."""
        gl.glActiveTexture(gl.GL_TEXTURE0 + unit)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.name)
        gl.glActiveTexture(gl.GL_TEXTURE0)

    def __enter__(self) -> "Texture":
        """Send drawing here."""
        outer = gl.GLint()
        gl.glGetIntegerv(gl.GL_DRAW_FRAMEBUFFER_BINDING, outer)
        self._outer = outer.value
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer)
        gl.glViewport(0, 0, self.side, self.side)
        return self

    def __exit__(self, *_: object) -> None:
        """Send drawing where it went before; the caller has to set the viewport again."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._outer)

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        gl.glDeleteFramebuffers(1, self._framebuffer)
        gl.glDeleteTextures(1, self.name)
