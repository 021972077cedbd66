"""Odd skeletons become a creature that may walk, or one message."""

from dataclasses import replace

import numpy as np
import pytest

from creature_sim.anatomy.anatomy import found_in
from creature_sim.anatomy.creature import table_of
from creature_sim.definitions import CreatureDef
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats
from creature_sim.models import Model
from tests.anatomy.models import built_in

NAMES = ("spider", "dog", "bird", "humanoid")


def odd(model: Model, rng: np.random.Generator) -> Model:
    """A model with some bones moved, laid on others, mirrored, renamed, or without their skin."""
    nodes, count = model.nodes, len(model.nodes.names)
    matrices: Floats = nodes.matrices.copy()
    names = list(nodes.names)
    bones = list(model.bones)
    size = 10.0 ** rng.uniform(-3.0, 0.5)
    for bone in rng.integers(0, count, rng.integers(0, 12)):
        kind = rng.integers(0, 5)
        if kind == 0:
            matrices[bone, :3, 3] += rng.normal(size=3) * size
        elif kind == 1:
            matrices[bone, :3, 3] = matrices[rng.integers(0, count), :3, 3]
        elif kind == 2:
            matrices[bone, rng.integers(0, 3), 3] *= -1.0
        elif kind == 3:
            names[bone] = str(rng.choice(["Left", "R", "head", "tail", "leg.L", "", "foot_r"]))
        elif len(bones) > 4 and int(bone) in bones:
            bones.remove(int(bone))
    if rng.random() < 0.2:
        matrices[:, rng.integers(0, 3), 3] *= rng.choice([0.0, 1e-9, 1e6])
    parts = model.parts if rng.random() < 0.6 else ()
    nodes = replace(nodes, matrices=matrices, names=tuple(names))
    return replace(model, nodes=nodes, bones=tuple(bones), parts=parts)


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", NAMES)
def test_odd_skeletons_walk_or_are_refused(name: str) -> None:
    rng, model = np.random.default_rng(3), built_in(name)
    refusals: list[str] = []
    for _ in range(15):
        try:
            anatomy = found_in(odd(model, rng), "odd.glb")
            table = table_of(anatomy, "odd", "odd.glb")
        except DefinitionError as error:
            refusals.append(str(error))
            continue
        table.pop("model")
        CreatureDef.model_validate(table)
    assert len(refusals) < 13
    assert all(text.startswith("odd.glb: expected ") and "\n" not in text for text in refusals)
