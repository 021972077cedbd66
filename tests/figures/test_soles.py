"""Soles lie flat on the ground from heel to toe, and feet are turned as they stand."""

import numpy as np
import pytest

from creature_sim.definitions.legs import FootDef
from creature_sim.figures.soles import Soles, turns_of
from creature_sim.library.loader import load_creature
from creature_sim.maths.geometry import along_ground, rotation_matrices


def test_a_sole_goes_from_heel_to_toe_with_its_underside_on_the_ground() -> None:
    plan = load_creature("biped")
    foot = plan.all_legs[0].foot
    assert isinstance(foot, FootDef)
    soles = Soles.of(plan)
    assert soles.legs.tolist() == [0, 1]
    tips = np.array([[1.0, 2.0, 3.0], [-1.0, 0.0, 0.5]])
    normals = np.array([[0.0, 0.0, 1.0], [0.0, 0.6, 0.8]])
    headings = along_ground(np.array([[0.0, 1.0, 0.3], [1.0, 0.2, 0.0]]), normals)
    middles, axes = soles.middles(tips, normals, headings), soles.axes(normals, headings)
    for side, reach in ((1.0, foot.toe), (-1.0, -foot.heel)):
        ends = middles + side * axes[..., 0] - axes[..., 2]
        assert ends == pytest.approx(tips + reach * headings, abs=1e-12)
    assert not len(Soles.of(load_creature("hexapod")).legs)


def test_turns_put_x_to_the_toes_and_z_along_the_normal() -> None:
    rng = np.random.default_rng(4)
    normals = rng.normal(size=(500, 3))
    normals /= np.sqrt((normals**2).sum(axis=1, keepdims=True))
    headings = along_ground(rng.normal(size=(500, 3)), normals)
    turned = rotation_matrices(turns_of(headings, normals))
    assert turned[..., 0] == pytest.approx(headings, abs=1e-12)
    assert turned[..., 2] == pytest.approx(normals, abs=1e-12)


def test_a_direction_across_the_ground_gives_some_direction_along_it() -> None:
    normals = np.array([[0.0, 0.0, 1.0], [0.6, 0.0, 0.8]])
    found = along_ground(normals, normals)
    assert (found * normals).sum(axis=1) == pytest.approx(0.0, abs=1e-12)
    assert (found**2).sum(axis=1) == pytest.approx(1.0)
