"""Props as they are drawn: what lies on them."""

from typing import Any

import numpy as np
import pytest

from creature_sim.definitions import PropDef
from creature_sim.figures.props import is_on_props
from creature_sim.snapshots.poses import PropsPose

SIZES: dict[str, dict[str, Any]] = {
    "box": {"size": (2.0, 2.0, 2.0)},
    "cylinder": {"radius": 1.0, "length": 2.0},
    "ball": {"radius": 1.0},
}


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ("box", [True, True, True]),
        ("cylinder", [True, True, False]),
        ("ball", [True, False, False]),
    ],
)
def test_prints_are_kept_off_round_props_only_where_these_are(
    shape: str, expected: list[bool]
) -> None:
    prop = PropDef(shape=shape, position=(5.0, 0.0, 1.0), **SIZES[shape])
    pose = PropsPose(np.array([prop.position]), np.array([(0.0, 0.0, 0.0, 1.0)]))
    points = np.array([(0.0, 0.0, 1.01), (0.9, 0.0, 0.9), (0.9, 0.9, 0.9), (0.0, 0.0, 1.1)])
    found = is_on_props((prop,), pose, points + prop.position)
    assert found.tolist() == [*expected, False]
