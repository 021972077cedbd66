"""What a window says of creatures and chains, in words."""

from collections.abc import Sequence
from math import hypot

from creature_sim.components import LOST
from creature_sim.figures.labels import leg_name, printable
from creature_sim.figures.subjects import gap_of
from creature_sim.inputs import Event
from creature_sim.snapshots.snapshot import ChainState, CreatureState, Snapshot


def creature_state(creature: CreatureState) -> list[str]:
    """How fast it is, and how many legs it has left where it has lost some."""
    x, y, _ = creature.body["velocity"].tolist()
    feet = creature.feet["phase"]
    left = int((feet != LOST).sum())
    legs = [f"{left} of {len(feet)} legs"] if left < len(feet) else []
    return [f"{hypot(x, y):.2f} m/s", *legs]


def chain_state(chain: ChainState) -> str:
    """How far it is from what it follows."""
    return f"{gap_of(chain.tips, chain.targets):.3f} m from its target"


def told_of_legs(events: Sequence[Event], snapshot: Snapshot) -> str:
    """What to say of legs that were lost in a tick.

    Args:
        events: of kind `disable_leg`, at least one.
        snapshot: the state after that tick.
    """
    first = events[0]
    assert first.creature is not None
    assert first.leg is not None
    creature = snapshot.creature(first.creature)
    legs = creature.definition.all_legs
    others = len({event.creature for event in events} - {first.creature})
    also = f", and so have {others} more" if others else ""
    return (
        f"{printable(creature.definition.name)} has lost leg {leg_name(legs[first.leg])} "
        f"of {len(legs)}{also}; R gives all legs back"
    )
