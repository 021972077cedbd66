"""Which foot lifts, and when."""

import esper

from creature_sim.components import Twin
from creature_sim.components.queries import gravity_here, herds
from creature_sim.locomotion.prediction import FEW
from creature_sim.locomotion.steps import schedule
from creature_sim.maths.jit import unchecked
from creature_sim.twin.keeping import keep_down

_schedule = unchecked(schedule)


class ScheduleSteps(esper.Processor):
    """Start swings."""

    def process(self, dt: float) -> None:
        """Let feet lift; of a twin on few feet none out of turn over which it would fall."""
        gravity = gravity_here()
        for entity, _, herd in herds():
            twin = esper.try_component(entity, Twin) if herd[4].shape[1] <= FEW else None
            if twin is None:
                _schedule(*herd, gravity, dt)
                continue
            plans, _, _, gaits, feet, _ = herd
            before = feet.copy()
            _schedule(*herd, gravity, dt)
            keep_down(plans, gaits, feet, before, twin.records, twin.contacts, gravity[0])
