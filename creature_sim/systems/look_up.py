"""Rays begin below what hangs over a creature: a roof, a plank, a platform."""

import esper
import numpy as np

from creature_sim.components import Body, Feet, Ground, Plan, Probes, Roofs
from creature_sim.components.queries import find_props
from creature_sim.locomotion.roofs import look_up, lower, may_cover
from creature_sim.props.rays import cast_props


class LookUp(esper.Processor):
    """Lower the starts of rays that would begin above what hangs over."""

    def process(self, dt: float) -> None:
        """Look up from the height of bodies, where anything may hang over them at all."""
        del dt  # looking takes no time
        ((_, ground),) = esper.get_component(Ground)
        roofs = [roofs for _, roofs in esper.get_component(Roofs)]
        things = [find_props(), *(roof.solids for roof in roofs)]
        is_unknown = any(roof.is_unknown for roof in roofs)
        if not is_unknown and not any(things):
            return
        for _, (plan, body, feet, probes) in esper.get_components(Plan, Body, Feet, Probes):
            shape = (*feet.records.shape, 2, 3)
            bodies = body.records["position"]
            if not is_unknown and not any(
                may_cover(plan.body, plan.legs, body.records, solids.records, props.records)
                for solids, props in filter(None, things)
            ):
                continue
            starts, ends = np.empty(shape), np.empty(shape)
            is_asked = np.zeros(shape[:-1], np.bool_)
            look_up(
                plan.body, plan.legs, body.records, body.gaits, feet.records, probes.start,
                probes.is_active, starts, ends, is_asked,
            )  # fmt: skip
            count = bodies.size // 3
            rays = (
                np.concatenate((bodies.reshape(-1, 3), starts[is_asked])),
                np.concatenate((probes.start[:, : bodies.shape[1]].reshape(-1, 3), ends[is_asked])),
            )
            fractions, normals = np.ones(len(rays[0])), np.zeros(rays[0].shape)
            if is_unknown:
                fractions, normals = ground.physics.cast(*rays)
            numbers = np.empty(len(fractions), np.int64)
            for solids, props in filter(None, things):
                cast_props(
                    solids.records, solids.planes, props.records, *rays, fractions, normals, numbers
                )
            shares, faces = np.ones(shape[:-1]), np.zeros(shape)
            shares[is_asked], faces[is_asked] = fractions[count:], normals[count:]
            lower(
                plan.body, plan.legs, body.records, body.gaits,
                fractions[:count].reshape(bodies.shape[:2]), normals[:count].reshape(bodies.shape),
                shares, faces, probes.start,
            )  # fmt: skip
