"""Pixels into files. The same pixels give the same bytes, every time."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import IO

from PIL import Image

from creature_sim.errors import DefinitionError, OutputError
from creature_sim.files.output import check_name
from creature_sim.view.offscreen import Picture

WEBP = {"quality": 80, "method": 4}
H264 = {"crf": "20", "x264-params": "mbtree=0"}
MAX_GIF_FPS = 50.0
"""Browsers slow down a faster GIF."""
MAX_BYTES = 1_500_000_000
"""An animated picture holds at most this many bytes of pixels, as they are encoded together."""
SMALL = 120
"""Nobody is told to draw pictures whose sides are shorter [px]."""
PALETTE_FRAMES = 8
"""The colours of a GIF are chosen from this many frames."""

Encoder = Callable[[IO[bytes], Iterable[Picture], float | None], None]
"""Writes pictures to a stream; with the frames per second, or None for a single picture."""


def _png(stream: IO[bytes], pictures: Iterable[Picture], fps: float | None) -> None:
    _save(stream, _frames(pictures), fps, "PNG", 1000)


def _webp(stream: IO[bytes], pictures: Iterable[Picture], fps: float | None) -> None:
    _save(stream, _frames(pictures), fps, "WEBP", 1000, **WEBP)


def _gif(stream: IO[bytes], pictures: Iterable[Picture], fps: float | None) -> None:
    frames = _frames(pictures)
    chosen = frames[:: max(1, len(frames) // PALETTE_FRAMES)]
    width, height = frames[0].size
    board = Image.new("RGB", (width, height * len(chosen)))
    for index, frame in enumerate(chosen):
        board.paste(frame, (0, index * height))
    # One palette for all frames, so that nothing flickers. A median cut alone would leave out a
    # small creature.
    palette = board.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=3)
    fitted = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    _save(stream, fitted, fps, "GIF", 100, optimize=False)


def _frames(pictures: Iterable[Picture]) -> list[Image.Image]:
    return [Image.fromarray(picture) for picture in pictures]


def _save(
    stream: IO[bytes],
    frames: list[Image.Image],
    fps: float | None,
    kind: str,
    clock: int,
    **options: object,
) -> None:
    """Save one picture, or an endless animation of a format that counts 1 / `clock` seconds."""
    if fps is not None:
        ends = [round(clock * index / fps) for index in range(len(frames) + 1)]
        shown = [1000 * (b - a) // clock for a, b in pairwise(ends)]
        options |= {"save_all": True, "append_images": frames[1:], "duration": shown, "loop": 0}
    frames[0].save(stream, kind, **options)


def _mp4(stream: IO[bytes], pictures: Iterable[Picture], fps: float | None) -> None:
    """H.264, on one thread and without macroblock trees: both would give other bytes each time."""
    import av

    assert fps is not None
    rate = Fraction(fps).limit_denominator(1001)
    try:
        with av.open(stream, "w", format="mp4", options={"fflags": "+bitexact"}) as container:
            video = container.add_stream("libx264", rate=rate, options=H264)
            video.pix_fmt = "yuv420p"
            video.thread_count = 1
            for index, picture in enumerate(pictures):
                if index == 0:
                    video.height, video.width = picture.shape[:2]
                container.mux(video.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
            container.mux(video.encode())
    except av.PyAVCallbackError as error:
        # After the stream has failed, closing the container fails too, and PyAV hides the cause.
        raise error.__context__ or error from None


ENCODERS: dict[str, Encoder] = {
    ".png": _png,
    ".webp": _webp,
    ".gif": _gif,
    ".apng": _png,
    ".mp4": _mp4,
}
MOVING = (".webp", ".gif", ".apng", ".mp4")
STILL = (".png", ".webp", ".gif")


def encoder_of(path: Path) -> Encoder:
    """The encoder for a file's name.

    Raises:
        OutputError: no encoder has this ending, or what it needs is not installed.
    """
    kind = path.suffix.lower()
    check_name("-o", path, ENCODERS)
    if kind == ".mp4" and not _has_h264():
        raise OutputError(
            f"{path}: expected PyAV with libx264 to encode video with, found none; "
            "pip install 'creature-sim[video]', or write .webp"
        )
    return ENCODERS[kind]


def _has_h264() -> bool:
    try:
        import av
    except ImportError:
        return False
    return "libx264" in av.codecs_available


def check_film(path: Path, size: tuple[int, int], count: int, fps: float) -> None:
    """Refuse a film that its format cannot hold: DefinitionError."""
    kind = path.suffix.lower()
    width, height = size
    if kind == ".mp4":
        if width % 2 or height % 2:
            raise DefinitionError(
                f"--size: expected even numbers for video, found {width}x{height}"
            )
        return
    if kind == ".gif" and fps > MAX_GIF_FPS:
        raise DefinitionError(
            f"--fps: expected at most {MAX_GIF_FPS:g} in a GIF, found {fps:g}; .webp takes more"
        )
    max_frames = MAX_BYTES // (3 * width * height)
    if count > max_frames:
        raise DefinitionError(
            f"{path}: expected at most {max_frames} frames of {width}x{height}, as all of a {kind} "
            f"are encoded at once in memory, found {count}: write .mp4, which takes more, or draw "
            + " or ".join(_less(size, fps, max_frames, max_frames / count))
        )


def _less(size: tuple[int, int], fps: float, max_frames: int, ratio: float) -> Iterator[str]:
    """What makes a film that is too large by 1 / `ratio` small enough, with the options."""
    slower = int(10.0 * fps * ratio) / 10.0
    if slower >= 1.0:
        yield f"fewer frames a second (--fps {slower:g})"
    width, height = (int(side * sqrt(ratio)) for side in size)
    if min(width, height) >= SMALL:
        yield f"smaller ones (--size {width}x{height})"
    yield f"a part of at most {int(10.0 * max_frames / fps) / 10.0:g} s (--from, --to)"
