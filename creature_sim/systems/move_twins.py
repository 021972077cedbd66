"""Twins do what their walks want, as far as forces let them."""

from operator import itemgetter

import esper

from creature_sim.components import Body, FootTarget, Head, LegChain, Props, Twin
from creature_sim.components.queries import gravity_here
from creature_sim.twin.driving import Step
from creature_sim.twin.stage import Stage
from creature_sim.twin.twins import Twins, balls_of_twins


class MoveTwins(esper.Processor):
    """Let forces act on all twins for a tick."""

    def process(self, dt: float) -> None:
        """Take what walks want; then torques and forces, step by step; then show what is."""
        for _, stage in esper.get_component(Stage):
            herds = sorted(esper.get_components(Twin, Twins), key=itemgetter(0))
            down = (0.0, 0.0, -float(gravity_here()[0].acceleration))
            for entity, (twin, twins) in herds:
                twins.begin(
                    twin,
                    esper.component_for_entity(entity, Body),
                    esper.component_for_entity(entity, Head),
                    esper.component_for_entity(entity, LegChain),
                    esper.component_for_entity(entity, FootTarget),
                    down,
                    dt,
                )
            if stage.is_endless:
                stage.load_ground(balls_of_twins())
            for number in range(1, stage.count + 1):
                step = Step(number / stage.count, dt, dt / stage.count, down)
                for _, (_, twins) in herds:
                    twins.drive(step)
                stage.step()
                for _, (_, twins) in herds:
                    twins.read()
            for entity, (twin, twins) in herds:
                body = esper.component_for_entity(entity, Body)
                twins.end(twin, body, esper.component_for_entity(entity, LegChain), down)
            for _, props in esper.get_component(Props):
                stage.read(props.records)
