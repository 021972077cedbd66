"""What OpenGL there is, as its driver says."""

from dataclasses import dataclass

from creature_sim.view.gl.display import open_offscreen


@dataclass(frozen=True)
class Graphics:
    """An OpenGL that draws without a screen.

    Attributes:
        version: as its driver writes it.
        vendor: who made the driver.
        renderer: what draws; "llvmpipe" is the CPU.
    """

    version: str
    vendor: str
    renderer: str


def probe_graphics() -> Graphics:
    """Open a context and ask the driver; DisplayUnavailable where there is no OpenGL."""
    context = open_offscreen()
    from pyglet.gl import gl_info

    found = Graphics(gl_info.get_version_string(), gl_info.get_vendor(), gl_info.get_renderer())
    context.close()
    return found
