"""A plane that rises in one direction."""

from typing import Literal

import numpy as np
from pydantic import Field

from creature_sim.files.definition import Angle, NotNegative, Number
from creature_sim.maths import Floats, sin_cos
from creature_sim.terrain.ground import GroundDef, SmoothGround
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.clearing import level_until

EXAMPLE = """\
kind = "slope"
grade = 0.25                  # rise over run
heading = 0.0                 # direction of the rise"""


class SlopeDef(SmoothGround):
    """A plane that rises in one direction."""

    kind: Literal["slope"]
    grade: Number = Field(ge=-2.0, le=2.0, description="rise over run")
    heading: Angle = Field(0.0, description="direction of the rise, from X towards Y [rad]")
    clearing: NotNegative = Field(
        0.0, le=30.0, description="it is level this far before and behind the origin [m]"
    )


def heights(definition: SlopeDef, x: Floats, y: Floats, _seed: int) -> Floats:
    """A plane, level in the clearing."""
    sine, cosine = sin_cos(definition.heading)
    run = x[:, None] * cosine + y[None, :] * sine
    level = level_until(definition.clearing, abs(sine) + abs(cosine))
    run = np.maximum(run - level, 0.0) + np.minimum(run + level, 0.0)
    return run * definition.grade


def trial(challenge: Challenge) -> GroundDef:
    """Rises 0.4 d over a run of 1."""
    return SlopeDef(kind="slope", grade=0.4 * challenge.d, clearing=challenge.clearing)


KIND = TerrainKind(SlopeDef, heights=heights, example=EXAMPLE, trial=trial)
