"""A replay into a picture, an animation, a video or a contact sheet, without a screen."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.export import moments
from creature_sim.export.encoders import MOVING, STILL, check_film, encoder_of
from creature_sim.export.moments import Moments
from creature_sim.export.operator import Operator
from creature_sim.export.sheets import captioned, cell_size, sheet_of
from creature_sim.figures.subjects import CameraName
from creature_sim.figures.trail import Trail
from creature_sim.files.output import check_output, writing
from creature_sim.replay.playback import Playable, Playback
from creature_sim.terrain import build_terrain
from creature_sim.view.offscreen import Picture, Studio

SMALLEST, LARGEST = 16, 4096
"""Limits of the sides of a picture [px]."""
DEFAULT_SIZE = (1280, 720)
DEFAULT_FPS = 30.0


@dataclass(frozen=True)
class Shot:
    """What to draw of a replay, and how.

    Attributes:
        camera: how it moves.
        size: of the file's picture: width, height [px].
        fps: frames a second; None: `DEFAULT_FPS`.
        start: first moment of a range [s]; None: the start of the replay.
        end: end of the range [s]; None: the end of the replay.
        at: one moment instead of a range [s].
        sheet: columns and rows of a contact sheet instead of a film.
        is_overlaid: whether the overlay is drawn over the creature.
    """

    camera: CameraName = "chase"
    size: tuple[int, int] = DEFAULT_SIZE
    fps: float | None = None
    start: float | None = None
    end: float | None = None
    at: float | None = None
    sheet: tuple[int, int] | None = None
    is_overlaid: bool = False


class Rendering:
    """A shot that fits its replay and its file; `write` draws it.

    Attributes:
        frame_count: pictures to draw.
        is_film: whether the result moves.
    """

    def __init__(self, replay: Playable, path: Path, shot: Shot, *, force: bool = False) -> None:
        """Check everything that can be checked before anything is drawn.

        Raises:
            DefinitionError: the replay or the file's format does not have what the shot asks for.
            OutputError: the file cannot be written, or its encoder is not installed.
        """
        self._world: WorldDef = replay.world
        self._playback = Playback(replay)
        self._path, self._force, self._shot = path, force, shot
        check_output(path, force)
        self._encode = encoder_of(path)
        for side in shot.size:
            if not SMALLEST <= side <= LARGEST:
                raise DefinitionError(
                    f"--size: expected sides from {SMALLEST} to {LARGEST} pixels, found "
                    f"{shot.size[0]}x{shot.size[1]}"
                )
        self._moments = self._chosen()
        self.frame_count = len(self._moments.times)
        self.is_film = self._moments.fps is not None

    def _chosen(self) -> Moments:
        """The moments to draw."""
        shot, length, kind = self._shot, self._playback.seconds, self._path.suffix.lower()
        is_ranged = shot.start is not None or shot.end is not None
        if shot.at is not None and (is_ranged or shot.sheet):
            raise DefinitionError("--at: expected no --from, --to or --sheet beside it, found one")
        is_still = shot.at is not None or shot.sheet is not None or kind not in MOVING
        if is_still and shot.fps is not None:
            raise DefinitionError("--fps: expected none for a single picture, found one")
        if is_still and kind not in STILL:
            raise DefinitionError(
                f"-o: expected {', '.join(STILL)} for a single picture, found {self._path.name}"
            )
        if shot.sheet:
            return moments.sheet(length, shot.start, shot.end, shot.sheet[0] * shot.sheet[1])
        if is_still:
            if is_ranged:
                raise DefinitionError(
                    f"--from, --to: expected --at for a single picture, or a name that ends in "
                    f"{', '.join(MOVING)}; found {self._path.name}"
                )
            return moments.one(length, shot.at)
        fps = DEFAULT_FPS if shot.fps is None else shot.fps
        found = moments.film(length, shot.start, shot.end, fps)
        check_film(self._path, shot.size, len(found.times), fps)
        return found

    def write(self, progress: Callable[[int], None] | None = None, caption: str = "") -> None:
        """Draw and encode.

        Args:
            progress: called with the number of pictures drawn, after each.
            caption: written into the lower left corner of the film or picture; "": nothing.

        Raises:
            DisplayUnavailable: there is nothing to draw with.
            OutputError: the file cannot be written; an older file is unchanged.
        """
        shot, times = self._shot, self._moments.times
        size = cell_size(shot.size, *shot.sheet) if shot.sheet else shot.size
        with (
            Studio(
                self._world, build_terrain(self._world.terrain, self._world.seed), size
            ) as studio,
            writing(self._path, self._force) as stream,
        ):
            pictures = self._pictures(studio, progress)
            if shot.sheet:
                pictures = iter([sheet_of(pictures, times, shot.sheet[0], shot.size)])
            if caption:
                pictures = (captioned(picture, caption) for picture in pictures)
            self._encode(stream, pictures, self._moments.fps)

    def _pictures(
        self, studio: Studio, progress: Callable[[int], None] | None
    ) -> Iterator[Picture]:
        operator = Operator(self._world, self._shot.camera)
        trail, seen = Trail(self._world), -1.0
        for done, seconds in enumerate(self._moments.times, 1):
            pose = self._playback.at(seconds)
            for past in self._playback.between(seen, pose.tick):
                trail.add(past)  # footprints made since the last picture
            trail.add(pose)
            seen = pose.tick
            camera = operator.at(pose, seconds, studio.ground)
            yield studio.render(pose, camera, is_overlaid=self._shot.is_overlaid, trail=trail)
            if progress:
                progress(done)
