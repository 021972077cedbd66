"""Rays begin below what hangs over a creature: a roof, a plank, a platform."""

from collections.abc import Sequence

import esper
import numpy as np

from creature_sim.components import Props, Roofs, Solids
from creature_sim.components.arrays import Arrays, HerdArrays
from creature_sim.components.queries import find_props, ground_here
from creature_sim.locomotion.roofs import look_up, lower, may_cover
from creature_sim.props.rays import cast_props


class LookUp(esper.Processor):
    """Lower the starts of rays that would begin above what hangs over."""

    def process(self, dt: float) -> None:
        """Look up from the height of bodies, where anything may hang over them at all."""
        del dt  # looking takes no time
        props = find_props()
        things, is_unknown = [props] if props else [], False
        for _, roofs in esper.get_component(Roofs):
            is_unknown = is_unknown or roofs.is_unknown
            if roofs.solids:
                things.append(roofs.solids)
        for _, herd in esper.get_component(Arrays):
            herd.arrays.room[:] = np.inf
            if is_unknown or any(
                may_cover(*herd.arrays.walkers[:3], solids.records, props.records)
                for solids, props in things
            ):
                _look_up(herd.arrays, things, is_unknown)


def _look_up(herd: HerdArrays, things: Sequence[tuple[Solids, Props]], is_unknown: bool) -> None:
    """Lower the planned rays of a herd below props and, where it has any, below the ground's roofs.

    Args:
        herd: starts of its rays, and room, are written.
        things: what may hang over it.
        is_unknown: whether the ground may, too.
    """
    plan, legs, trunks, gaits, feet, footholds = herd.walkers
    shape = (*feet.shape, 2, 3)
    bodies = trunks["position"]
    tops = np.empty(bodies.shape)
    starts, ends, is_asked = np.empty(shape), np.empty(shape), np.zeros(shape[:-1], np.bool_)
    look_up(
        plan, legs, trunks, gaits, feet, footholds, herd.starts, herd.is_active,
        starts, ends, is_asked, tops,
    )  # fmt: skip
    count = bodies.size // 3
    rays = (
        np.concatenate((bodies.reshape(-1, 3), starts[is_asked])),
        np.concatenate((tops.reshape(-1, 3), ends[is_asked])),
    )
    fractions, normals = np.ones(len(rays[0])), np.zeros(rays[0].shape)
    if is_unknown:
        is_once = np.full(len(fractions), plan["climbs"].item() != 0)
        fractions, normals = ground_here().physics.cast(*rays, is_once)
    numbers = np.empty(len(fractions), np.int64)
    for solids, props in things:
        cast_props(solids.records, solids.planes, props.records, *rays, fractions, normals, numbers)
    leg_fractions, leg_normals = np.ones(shape[:-1]), np.zeros(shape)
    leg_fractions[is_asked], leg_normals[is_asked] = fractions[count:], normals[count:]
    lower(
        plan, legs, trunks, gaits,
        fractions[:count].reshape(bodies.shape[:2]), normals[:count].reshape(bodies.shape),
        leg_fractions, leg_normals, herd.starts, herd.patches.rows, herd.patches.start,
        herd.room,
    )  # fmt: skip
