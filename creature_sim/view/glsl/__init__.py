"""Programs for the graphics card: GLSL without a version, for the window and for WebGL 2."""

from functools import cache
from importlib.resources import files


@cache
def source_of(name: str) -> str:
    """The text of a file here."""
    return (files("creature_sim.view.glsl") / name).read_text(encoding="utf-8")
