"""The programs that run on the graphics card; their sources are in `glsl/`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyglet import gl
from pyglet.graphics.shader import Shader, ShaderException, ShaderProgram

from creature_sim.errors import DisplayUnavailable
from creature_sim.view.glsl import source_of

_HEAD = "#version 330 core\n"
_SOURCES = {  # by the name of the program: of its vertices, and of its fragments
    "sky": ("sky.vert", "sky.frag"),
    "ground": ("ground.vert", "ground.frag"),
    "solid": ("solid.vert", "solid.frag"),
    "limb": ("limb.vert", "solid.frag"),
    "leg": ("leg.vert", "solid.frag"),
    "skin": ("skin.vert", "skin.frag"),
    "dust": ("dust.vert", "dust.frag"),
    "mark": ("mark.vert", "mark.frag"),
    "gui": ("gui.vert", "gui.frag"),
    "ground_depth": ("ground_depth.vert", "depth.frag"),
    "solid_depth": ("solid.vert", "depth.frag"),
    "limb_depth": ("limb.vert", "depth.frag"),
    "skin_depth": ("skin.vert", "depth.frag"),
}
_SHARED = {
    "sky": ("light.glsl",),
    "ground": ("light.glsl", "ground.glsl"),
    "solid": ("light.glsl", "solid.glsl"),
    "limb": ("light.glsl", "solid.glsl"),
    "leg": ("light.glsl", "solid.glsl"),
    "skin": ("light.glsl",),
    "dust": ("light.glsl",),
}
"""Sources that come before both sources of a program."""
POSE_BLOCK = 1
"""Binding point of the block with the bones of models."""


class Programs:
    """Programs, compiled when they are first used, and the uniforms of this frame."""

    def __init__(self) -> None:
        """Start with none."""
        # Each program, the uniforms that it knows, and the values that it has.
        self._made: dict[tuple[str, ...], tuple[Any, frozenset[str], dict[str, Any]]] = {}
        self._uniforms: dict[str, Any] = {}

    def set(self, **uniforms: object) -> None:
        """Set uniforms of every program that is used from now on."""
        self._uniforms |= uniforms

    def use(self, name: str, *features: str) -> None:
        """Draw with one of `_SOURCES`, compiled with some features.

        Raises:
            DisplayUnavailable: the driver does not compile it.
        """
        key = (name, *features)
        if key not in self._made:
            program = _compiled(name, features)
            for block in program.uniform_blocks.values():  # there is one: the bones
                gl.glUniformBlockBinding(program.id, block.index, POSE_BLOCK)
            self._made[key] = program, frozenset(program.uniforms), {}
        program, known, has = self._made[key]
        for uniform, value in self._uniforms.items():
            if uniform in known and (uniform not in has or has[uniform] != value):
                program[uniform] = has[uniform] = value
        program.use()

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        for program, *_ in self._made.values():
            program.delete()


def _compiled(name: str, features: tuple[str, ...]) -> ShaderProgram:
    vertex, fragment = _SOURCES[name]
    head = _HEAD + "".join(f"#define {feature}\n" for feature in features)
    head += "".join(source_of(shared) for shared in _SHARED.get(name, ()))
    try:
        return ShaderProgram(
            Shader(head + source_of(vertex), "vertex"),
            Shader(head + source_of(fragment), "fragment"),
        )
    except ShaderException as error:  # derives from BaseException
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise DisplayUnavailable(
            f"the graphics driver does not compile the shader program {name!r} "
            f"({' '.join(lines[:2])}): update it, or draw on the CPU with LIBGL_ALWAYS_SOFTWARE=1"
        ) from None


def columns(matrix: NDArray[np.floating[Any]]) -> tuple[float, ...]:
    """A matrix as a uniform."""
    return tuple(matrix.T.ravel().tolist())
