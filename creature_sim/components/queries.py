"""What esper's current context holds."""

import esper

from creature_sim.components.props import Props, Solids


def find_props() -> tuple[Solids, Props] | None:
    """The props of esper's current context; None where there are none."""
    for _, (solids, props) in esper.get_components(Solids, Props):
        return solids, props
    return None
