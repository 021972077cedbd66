"""Creatures that look like a model: its rest pose, and how its bones turn."""

from dataclasses import dataclass

import numpy as np

from creature_sim.definitions import CreatureDef
from creature_sim.export.animation.takes import CreatureTake
from creature_sim.export.animation.turns import UNTURNED, multiplied, steady
from creature_sim.figures.skins import SkinFigure
from creature_sim.figures.soles import turns_of
from creature_sim.maths import Floats
from creature_sim.models.binding import Binding, binding_of


@dataclass(frozen=True)
class ModelRest:
    """A creature as its model stands at rest: arrays as of `CreatureTake`, at one tick."""

    positions: Floats
    orientations: Floats
    joints: Floats
    normals: Floats
    headings: Floats


def figure_of(plan: CreatureDef) -> SkinFigure | None:
    """The bones of a creature with a model."""
    binding = binding_of(plan)
    return SkinFigure(plan, binding) if binding else None


def rest_of(binding: Binding) -> ModelRest:
    """Where a model has all at rest [m, body]."""
    legs = len(binding.joints)
    return ModelRest(
        binding.boxes,
        np.tile(UNTURNED, (len(binding.boxes), 1)),
        binding.joints,
        np.tile(np.eye(3)[2], (legs, 1)),
        np.tile(np.eye(3)[0], (legs, 1)),
    )


def leg_turns(figure: SkinFigure, take: CreatureTake, rest: Floats) -> list[Floats]:
    """Turns (T, 4) of the bones of all legs, leg by leg, as the window draws them.

    Args:
        figure: of the creature.
        take: where it is.
        rest: (B, 7) of those bones at rest [m, body].
    """
    first = len(figure.binding.boxes)
    turns = _matrices(figure, take)[:, first : first + len(rest), :, :3]
    found = multiplied(turns_of(turns[..., 0], turns[..., 2]), rest[:, 3:])
    return [steady(found[:, bone]) for bone in range(len(rest))]


def swing_frames(figure: SkinFigure, take: CreatureTake) -> list[Floats]:
    """Frames (T, 7) of the nodes that swing with legs; at rest they have no turn."""
    places = figure.binding.swings.places
    if not len(places):
        return []
    matrices = _matrices(figure, take)
    at, turns = figure.swung(matrices), matrices[:, -len(places) :]
    quaternions = turns_of(turns[..., 0], turns[..., 2])
    return [
        np.concatenate((at[:, k], steady(quaternions[:, k])), axis=-1) for k in range(len(places))
    ]


def _matrices(figure: SkinFigure, take: CreatureTake) -> Floats:
    return figure.of_arrays(
        take.positions, take.orientations, take.joints, take.normals, take.headings
    )
