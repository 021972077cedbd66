"""What a window shows, as far as it knows nothing of pixels."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from creature_sim.definitions import WorldDef
from creature_sim.definitions.drive import Axes
from creature_sim.figures.insight import Insight
from creature_sim.maths import Vec
from creature_sim.score import Metric
from creature_sim.snapshots.poses import Pose
from creature_sim.terrain import Terrain
from creature_sim.view.shows.controls import Mode
from creature_sim.view.shows.tuning import Tuning


class Ghost(NamedTuple):
    """A pose that is drawn translucent: of a world on the same ground, tinted or not."""

    world: WorldDef
    pose: Pose
    is_tinted: bool


class Show(ABC):
    """A source of poses that responds to the user's actions.

    What a show does not offer, it answers with nothing: those are the defaults here.
    """

    mode: Mode
    terrain: Terrain
    notice: str

    @property
    @abstractmethod
    def world(self) -> WorldDef:
        """The world, with all creatures that have joined it."""

    @abstractmethod
    def advance(self, seconds: float) -> Pose:
        """Advance by a time [s]; returns the pose to draw."""

    @property
    @abstractmethod
    def actions(self) -> frozenset[str]:
        """The actions that it understands."""

    @property
    @abstractmethod
    def status(self) -> str:
        """One line about the present."""

    @property
    @abstractmethod
    def selected(self) -> int:
        """Creature or chain that the camera follows, as `subjects` counts them."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether the window should close by itself."""

    @abstractmethod
    def notify(self, text: str) -> None:
        """Show a line for a while."""

    @abstractmethod
    def press(self, action: str, is_shifted: bool) -> None:
        """Take the start of an action."""

    @abstractmethod
    def release(self, action: str) -> None:
        """Take the end of an action."""

    @abstractmethod
    def release_all(self) -> None:
        """Take the end of every action: the window lost the keys."""

    @property
    @abstractmethod
    def insight(self) -> Insight | None:
        """What is known of the selected creature beyond its pose."""

    # What a recording offers.

    @property
    def timeline(self) -> float | None:
        """Fraction of the whole that has been played; None where there is no end."""
        return None

    def scrub(self, fraction: float) -> None:
        """Go to a fraction of the whole, [0, 1]."""

    def past(self, seconds: float) -> Sequence[Pose]:
        """Poses of the last seconds, as far as they are kept."""
        del seconds
        return ()

    @property
    def step_fractions(self) -> Sequence[float]:
        """When the selected creature stepped, as fractions of the whole."""
        return ()

    @property
    def ghosts(self) -> Sequence[Ghost]:
        """What to draw besides the pose of the present."""
        return ()

    @property
    def beside(self) -> Ghost | None:
        """What to draw in the right half of the window, by the same camera."""
        return None

    @property
    def names(self) -> tuple[str, str] | None:
        """What the left and the right half show; None where there is one picture."""
        return None

    # What a run offers.

    def steer(self, axes: Axes) -> None:
        """Take forward, turn, strafe and height in [-1, 1] from sticks."""

    @property
    def goal(self) -> Vec | None:
        """Where the selected creature is going by itself [m, world]; None: nowhere."""
        return None

    def send(self, goal: Vec) -> None:
        """Send the selected creature to a goal [m, world]."""

    @property
    def follows_mouse(self) -> bool:
        """Whether the selected creature looks or reaches where the mouse is."""
        return False

    def follow(self, point: Vec) -> None:
        """Let it look or reach at a point [m, world]."""

    @property
    def handles(self) -> tuple[tuple[int, int], ...]:
        """Chain and target of everything that the mouse may drag."""
        return ()

    def set_target(self, chain: int, target: int, point: Vec) -> None:
        """Send a target to a point [m, world]."""

    @property
    def leads_legs(self) -> bool:
        """Whether the mouse may lead feet and knees."""
        return False

    def lead(self, kind: str, leg: int, point: Vec | None) -> None:
        """Lead a leg of the selected creature.

        Args:
            kind: "set_foot" or "set_pole".
            leg: which.
            point: for the foot [m, world], for the knee to point to [m, segment]; None: as it was.
        """

    @property
    def readings(self) -> Mapping[str, Metric]:
        """Metrics of the selected creature over the last seconds, by key."""
        return {}

    @property
    def tuning(self) -> Tuning | None:
        """The file of the selected creature, with its numbers; None where there is none."""
        return None

    def retune(self) -> None:
        """Continue with the selected creature as its numbers are now."""

    def save_tuning(self) -> None:
        """Write its numbers to its file."""

    def undo_tuning(self) -> None:
        """Continue with the selected creature as its file says."""
