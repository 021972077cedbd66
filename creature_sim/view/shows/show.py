"""What a window shows: the side of it that knows nothing of pixels."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

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
    """A pose that is drawn translucent, of a world on the same ground; tinted or as it is."""

    world: WorldDef
    pose: Pose
    is_tinted: bool


class Show(Protocol):
    """A source of poses that takes the user's actions."""

    mode: Mode
    world: WorldDef
    terrain: Terrain
    notice: str

    @property
    def is_over(self) -> bool:
        """Whether the window should close by itself."""

    @property
    def selected(self) -> int:
        """Creature or chain that the camera follows, as `subjects` counts them."""

    @property
    def actions(self) -> frozenset[str]:
        """What `press` understands."""

    @property
    def timeline(self) -> float | None:
        """Share of the whole that has been played; None where there is no end."""

    @property
    def status(self) -> str:
        """One line about the present."""

    def press(self, action: str, is_shifted: bool) -> None:
        """Take the start of an action."""

    def release(self, action: str) -> None:
        """Take the end of an action."""

    def release_all(self) -> None:
        """Take the end of every action: the window lost the keys."""

    def scrub(self, share: float) -> None:
        """Go to a share of the whole."""

    @property
    def handles(self) -> tuple[tuple[int, int], ...]:
        """Chain and target of everything that the mouse may drag."""

    @property
    def goal(self) -> Vec | None:
        """Where the selected creature was sent and is not yet [m, world]."""

    def send(self, place: Vec) -> None:
        """Send the selected creature to a place [m, world]."""

    def steer(self, axes: Axes) -> None:
        """Take forward, turn, strafe and height in [-1, 1] from sticks."""

    @property
    def ghosts(self) -> Sequence[Ghost]:
        """What to draw besides the pose of the present."""

    @property
    def beside(self) -> Ghost | None:
        """What to draw in a half of its own at the right, from where the camera looks."""

    @property
    def step_shares(self) -> Sequence[float]:
        """When the selected creature stepped, as shares of the whole."""

    @property
    def insight(self) -> Insight | None:
        """What is known of the selected creature beyond its pose."""

    @property
    def readings(self) -> Mapping[str, Metric]:
        """Metrics of the selected creature's last seconds, as far as they are measured."""

    @property
    def tuning(self) -> Tuning | None:
        """The selected creature's file with its numbers, where there is one."""

    def retune(self) -> None:
        """Go on with the selected creature as its numbers are now."""

    def save_tuning(self) -> None:
        """Write them to its file."""

    def undo_tuning(self) -> None:
        """Go on with the selected creature as its file is."""

    def notify(self, text: str) -> None:
        """Show a line for a while."""

    def past(self, seconds: float) -> Sequence[Pose]:
        """Poses of the time before the present, as far as they are kept."""

    def set_target(self, chain: int, target: int, point: tuple[float, float, float]) -> None:
        """Send a target to a point [m, world]."""

    def advance(self, seconds: float) -> Pose:
        """Let time pass, and give the pose to draw."""
