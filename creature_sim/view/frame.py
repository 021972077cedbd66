"""What one picture shows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from creature_sim.figures.insight import Insight
from creature_sim.figures.overlay import Layer
from creature_sim.figures.trail import Trail
from creature_sim.maths import Vec
from creature_sim.snapshots.poses import Pose
from creature_sim.view.shows.show import Ghost


@dataclass(frozen=True)
class Frame:
    """A pose and all that is drawn with it.

    Attributes:
        pose: where creatures, chains and props are.
        selected: the creature that overlay and goal belong to.
        layers: of the overlay.
        insight: what is known of the selected creature beyond its pose.
        has_shadows: whether the sun casts shadows; otherwise, things near the ground darken it.
        trail: footprints and dust.
        goal: where the selected creature was sent [m, world].
        ghosts: other poses, drawn translucent.
    """

    pose: Pose
    selected: int = 0
    layers: Collection[Layer] = ()
    insight: Insight | None = None
    has_shadows: bool = True
    trail: Trail | None = None
    goal: Vec | None = None
    ghosts: Sequence[Ghost] = ()
