"""Replays as pictures: real processes, real files, read back by the libraries people use."""

import errno
import io
import os
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from creature_sim.cli.commands import main
from creature_sim.errors import DefinitionError, DisplayUnavailable, OutputError
from creature_sim.export import encoders
from creature_sim.export.moments import film, one, sheet
from creature_sim.export.operator import Operator
from creature_sim.export.render import Rendering, Shot
from creature_sim.replay import Replay, open_replay
from creature_sim.replay.playback import Playback
from creature_sim.view.gl.display import open_offscreen
from tests.commands import process, sim
from tests.forks import start
from tests.marks import sample_of

REPLAYS = Path(__file__).parents[2] / "replays"
WALK = REPLAYS / "hexapod-hills.mcap"
SMALL = (160, 90)


@pytest.fixture(scope="module")
def walk() -> Replay:
    return open_replay(WALK)


@pytest.fixture(scope="module")
def _opengl() -> None:
    try:
        open_offscreen().close()
    except DisplayUnavailable as error:
        pytest.skip(str(error))


# --- moments ----------------------------------------------------------------------------------


def test_frames_fill_a_range_and_begin_at_its_start() -> None:
    found = film(8.0, 2.0, 4.0, 30.0)
    assert len(found.times) == 60
    assert found.times[0] == 2.0
    assert np.diff(found.times) == pytest.approx(np.full(59, 1 / 30))
    assert len(film(8.0, None, None, 12.5).times) == 100
    assert film(0.0, None, None, 30.0).times == (0.0,)  # a replay of one pose
    assert film(8.0, 1.0, 1.001, 30.0).times == (1.0,)


def test_a_sheet_holds_both_ends_and_a_picture_is_of_the_middle() -> None:
    assert sheet(8.0, 2.0, 5.0, 4).times == (2.0, 3.0, 4.0, 5.0)
    assert sheet(8.0, None, None, 1).times == (0.0,)
    assert one(8.0, None).times == (4.0,)
    assert one(8.0, 8.0).times == (8.0,)


# --- cameras ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_cameras_stand_where_their_names_say(walk: Replay) -> None:
    from creature_sim.figures.ground import Ground
    from creature_sim.terrain import build_terrain

    ground = Ground.of(build_terrain(walk.world.terrain, walk.world.seed))
    playback = Playback(walk)
    pose = playback.at(3.0)
    creature = pose.creatures[0]
    ahead = creature.joints[:2, 0].mean(axis=0) - creature.joints[-2:, 0].mean(axis=0)
    ahead[2] = 0.0
    ahead /= np.sqrt(ahead @ ahead)

    def direction(name: str, seconds: float = 3.0) -> np.ndarray:
        camera = Operator(walk.world, name).at(playback.at(seconds), seconds, ground)  # type: ignore[arg-type]
        way = camera.eye(ground) - camera.target
        return way / np.sqrt(way @ way)

    assert direction("chase") @ ahead < -0.6
    assert abs(direction("side") @ ahead) < 0.3
    assert direction("side")[2] < 0.5
    assert direction("top")[2] > 0.99
    turned = direction("orbit", 0.5), direction("orbit", 6.5)
    assert turned[0][:2] @ turned[1][:2] < -0.5  # half a turn later: the other side


# --- files ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("_opengl")
@pytest.mark.parametrize(
    ("size", "count", "ways"),
    [
        ((1280, 720), 1200, ["--fps 13.5", "--size 860x483", "a part of at most 18 s"]),
        ((3840, 2160), 1200, ["--fps 1.5", "--size 858x482", "a part of at most 2 s"]),
        ((4096, 4096), 90_000, ["a part of at most 0.9 s"]),
    ],
)
def test_a_film_that_is_too_large_says_what_fits(
    size: tuple[int, int], count: int, ways: list[str]
) -> None:
    with pytest.raises(
        DefinitionError, match=r"walk.webp: expected at most .* found \d+: "
    ) as told:
        encoders.check_film(Path("walk.webp"), size, count, 30.0)
    assert (
        re.findall(r"--fps [\d.]+|--size \w+|a part of at most [\d.]+ s", str(told.value)) == ways
    )
    for way in ways:  # each of them is small enough
        word, number = way.rsplit(" ", 1) if not way.endswith(" s") else ("part", way.split()[-2])
        if word == "--fps":
            encoders.check_film(
                Path("walk.webp"), size, round(count * float(number) / 30.0), float(number)
            )
        elif word == "--size":
            width, height = map(int, number.split("x"))
            encoders.check_film(Path("walk.webp"), (width, height), count, 30.0)
        else:
            encoders.check_film(Path("walk.webp"), size, round(30.0 * float(number)), 30.0)
    encoders.check_film(Path("walk.mp4"), size, count, 30.0)


@pytest.mark.parametrize("ending", sample_of(("webp", "gif", "apng", "mp4"), "webp", "mp4"))
def test_a_film_has_the_frames_and_the_length_that_were_asked_for(
    ending: str, walk: Replay, tmp_path: Path
) -> None:
    if ending == "mp4":
        pytest.importorskip("av", reason="video needs PyAV")
    paths = [tmp_path / f"{name}.{ending}" for name in "ab"]
    shot = Shot(size=SMALL, fps=12.5, start=1.0, end=2.6)
    for path in paths:
        done: list[int] = []
        rendering = Rendering(walk, path, shot)
        rendering.write(done.append)
        assert done == list(range(1, 21))
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"a.{ending}", f"b.{ending}"]

    frames, seconds = _video(paths[0]) if ending == "mp4" else _animation(paths[0])
    assert len(frames) == 20
    assert seconds == pytest.approx(1.6, abs=0.002)
    assert all(frame.shape == (90, 160, 3) for frame in frames)
    assert abs(frames[0].astype(int) - frames[-1]).mean() > 1.0  # it walks
    Rendering(walk, tmp_path / "still.png", Shot(size=SMALL, at=1.0)).write()
    exact = np.asarray(Image.open(tmp_path / "still.png"))
    assert abs(frames[0].astype(int) - exact).mean() < 8.0
    red = [(frame[..., 0] > 1.6 * frame[..., 1]).sum() for frame in (frames[0], exact)]
    assert red[0] > 0.3 * red[1] > 5  # the body keeps its colour among so much green


@pytest.mark.slow
@pytest.mark.usefixtures("_opengl")
def test_rates_that_a_format_cannot_count_in_keep_the_length(walk: Replay, tmp_path: Path) -> None:
    for ending in ("webp", "gif", "apng"):
        path = tmp_path / f"a.{ending}"
        Rendering(walk, path, Shot(size=SMALL, fps=30.0, end=1.0)).write()
        frames, seconds = _animation(path)
        assert len(frames) == 30
        assert seconds == pytest.approx(1.0, abs=1e-9)


def _animation(path: Path) -> tuple[list[np.ndarray], float]:
    frames, milliseconds = [], 0.0
    with Image.open(path) as image:
        assert image.info.get("loop") == 0
        for place in range(getattr(image, "n_frames", 1)):
            image.seek(place)
            frames.append(np.asarray(image.convert("RGB")))
            milliseconds += image.info["duration"]
    return frames, milliseconds / 1000.0


def _video(path: Path) -> tuple[list[np.ndarray], float]:
    import av

    with av.open(path) as container:
        (stream,) = container.streams
        assert stream.codec_context.name == "h264"
        assert stream.average_rate == Fraction(25, 2)
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
        assert container.duration is not None
        return frames, float(container.duration / av.time_base)


@pytest.mark.slow
@pytest.mark.usefixtures("_opengl")
def test_the_overlay_and_the_cameras_change_the_picture(walk: Replay, tmp_path: Path) -> None:
    pictures = []
    shots = [Shot(camera, SMALL, at=3.0) for camera in ("chase", "orbit", "side", "top")]
    for place, shot in enumerate([*shots, Shot(size=SMALL, at=3.0, is_overlaid=True)]):
        path = tmp_path / f"{place}.png"
        Rendering(walk, path, shot).write()
        pictures.append(np.asarray(Image.open(path)).astype(int))
    for a in range(len(pictures)):
        for b in range(a):
            assert (pictures[a] != pictures[b]).any(axis=-1).mean() > 0.003, (a, b)


@pytest.mark.slow
@pytest.mark.usefixtures("_opengl")
def test_a_sheet_is_made_of_the_pictures_at_its_times(walk: Replay, tmp_path: Path) -> None:
    size = (4 * 100 + 3 * 4 + 1, 3 * 60 + 2 * 4 + 2)  # a little is left over: paper
    path = tmp_path / "sheet.png"
    Rendering(walk, path, Shot(size=size, sheet=(4, 3), start=0.5, end=4.0, camera="top")).write()
    found = np.asarray(Image.open(path))
    assert found.shape == (size[1], size[0], 3)
    for row in range(3):
        for column in range(4):
            cell = tmp_path / "cell.png"
            seconds = 0.5 + 3.5 / 11.0 * (4 * row + column)
            shot = Shot(size=(100, 60), at=seconds, camera="top")
            Rendering(walk, cell, shot, force=True).write()
            part = found[64 * row : 64 * row + 60, 104 * column : 104 * column + 100]
            wanted = np.asarray(Image.open(cell))
            # The camera of a sheet comes along smoothly; the time is written at the top left.
            assert abs(part[12:].astype(int) - wanted[12:]).mean() < 12.0
            assert (part[:12, :50] != wanted[:12, :50]).any()
    assert (found[60:64] == 250).mean() > 0.6  # the gap
    assert (found[:, 100:104] == 250).mean() > 0.6


@pytest.mark.slow
@pytest.mark.usefixtures("_opengl")
@pytest.mark.parametrize("name", ["arm", "humanoid"])
def test_chains_and_trees_are_drawn(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Rendering(open_replay(REPLAYS / f"{name}.mcap"), path, Shot(size=SMALL, at=1.0)).write()
    pixels = np.asarray(Image.open(path)).astype(int)
    assert pixels.std() > 10.0


@pytest.mark.slow
@pytest.mark.usefixtures("_opengl")
def test_the_command_draws_and_says_what(tmp_path: Path) -> None:
    done = process(
        "render", str(WALK), "-o", "walk.webp", "--size", "96x54", "--from", "1", "--to", "1.5",
        "--fps", "10", "--camera", "side", "--overlay", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "wrote walk.webp: 5 frames" in done.stdout
    done = sim("render", str(WALK), "-o", "walk.webp", "--at", "1", cwd=tmp_path)
    assert done.returncode == 2
    assert "--force" in done.stderr


# --- mistakes ---------------------------------------------------------------------------------

MISTAKES = {
    "ending": ("a.bmp", [], ".webp"),
    "no ending": ("a", [], ".webp"),
    "folder": ("none/a.png", [], "none"),
    "size 0": ("a.png", ["--size", "0x90"], "--size"),
    "size 100000": ("a.png", ["--size", "100000x90"], "16 to 4096"),
    "size words": ("a.png", ["--size", "big"], "like 1280x720"),
    "odd video": ("a.mp4", ["--size", "161x90"], "even"),
    "fps 0": ("a.webp", ["--fps", "0"], "--fps"),
    "fps nan": ("a.webp", ["--fps", "nan"], "--fps"),
    "fps inf": ("a.webp", ["--fps", "inf"], "--fps"),
    "fps tiny": ("a.mp4", ["--fps", "0.0001"], "--fps"),
    "gif fps": ("a.gif", ["--fps", "60"], "50"),
    "fps of a picture": ("a.png", ["--fps", "5"], "--fps"),
    "empty range": ("a.webp", ["--from", "3", "--to", "3"], "--to"),
    "turned range": ("a.webp", ["--from", "3", "--to", "2"], "--to"),
    "late range": ("a.webp", ["--from", "99"], "--from"),
    "range of a picture": ("a.png", ["--from", "1"], "--at"),
    "at and range": ("a.webp", ["--at", "1", "--to", "2"], "--at"),
    "late": ("a.png", ["--at", "1e9"], "--at"),
    "nan": ("a.png", ["--at", "nan"], "--at"),
    "sheet 0": ("a.png", ["--sheet", "0x3"], "--sheet"),
    "crowded sheet": ("a.png", ["--sheet", "900x900"], "--sheet"),
    "sheet of film": ("a.mp4", ["--sheet", "2x2"], ".png"),
    "too much": ("a.apng", ["--size", "4096x4096"], "frames"),
    "too many": ("a.mp4", ["--fps", "240", "--to", "1e5"], "--to"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_one_message_and_leave_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output, words, told = MISTAKES[name]
    if output.endswith("mp4"):
        pytest.importorskip("av", reason="video needs PyAV")
    command = ["creature-sim", "render", str(WALK), "-o", str(tmp_path / output), *words]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(SystemExit) as stop:
        main()
    error = capsys.readouterr().err
    assert stop.value.code == 2
    assert error.count("\n") == 1
    assert error.startswith("error: ")
    assert told in error
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_replay_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.mcap").write_text("hills")
    for name in ("a.mcap", "hills"):
        done = sim("render", name, "-o", "a.png", cwd=tmp_path)
        assert done.returncode == 2
        assert name in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.mcap"]


def test_video_without_its_library_is_one_sentence(
    walk: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(OutputError, match=r"creature-sim\[video\]"):
        Rendering(walk, tmp_path / "a.mp4", Shot())


def test_a_full_disk_ends_a_video_with_its_own_error() -> None:
    pytest.importorskip("av")

    class Full(io.BytesIO):
        """Holds the header of a video, and no more."""

        def write(self, data: Any) -> int:
            if self.tell() > 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(data)

    noise = np.random.default_rng(1).integers(0, 255, (60, 64, 64, 3), dtype=np.uint8)
    with pytest.raises(OSError, match="No space left"):
        encoders.encoder_of(Path("a.mp4"))(Full(), noise, 30.0)


def test_a_picture_of_another_kind_is_refused() -> None:
    with pytest.raises(OutputError, match=r"^-o: expected .* ends in \.png, .*, found 'b\.jpg'$"):
        encoders.encoder_of(Path("a/b.jpg"))


@pytest.mark.slow
@pytest.mark.usefixtures("_opengl")
def test_what_fails_halfway_leaves_the_old_file(
    walk: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.webp"
    path.write_bytes(b"old")

    def stop(done: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    rendering = Rendering(walk, path, Shot(size=SMALL, end=1.0), force=True)
    with pytest.raises(KeyboardInterrupt):
        rendering.write(stop)
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.webp"]

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(encoders.ENCODERS, ".webp", full)
    rendering = Rendering(walk, path, Shot(size=SMALL, end=1.0), force=True)
    with pytest.raises(OutputError, match="space on the disk"):
        rendering.write()
    assert path.read_bytes() == b"old"


@pytest.mark.slow
def test_without_opengl_it_is_one_sentence(tmp_path: Path) -> None:
    environment = {**os.environ, "__EGL_VENDOR_LIBRARY_FILENAMES": os.devnull}  # finds no driver
    process = start("render", str(WALK), "-o", "a.png", cwd=tmp_path, env=environment)
    _, stderr = process.communicate()
    if process.returncode == 0:
        pytest.skip("this EGL cannot be made to find nothing")
    assert process.returncode == 2
    assert stderr.startswith("error: no OpenGL 3.3 to draw with off screen")
    assert stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


# --- proof ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("_opengl")
@pytest.mark.parametrize("more", [("--at", "1"), ("--sheet", "2x2")])
def test_a_picture_says_that_it_was_proven(more: tuple[str, str], tmp_path: Path) -> None:
    pictures = []
    for name, options in (("plain.png", ()), ("proven.png", ("--verify",))):
        size = ("--size", "320x200")
        done = sim("render", str(WALK), "-o", name, *size, *more, *options, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        with Image.open(tmp_path / name) as image:
            pictures.append(np.asarray(image.convert("RGB")).astype(int))
    differs = (pictures[0] != pictures[1]).any(axis=-1)
    rows, columns = np.nonzero(differs)
    assert 50 < differs.sum() < 2500
    assert rows.min() > 170  # in the lower left corner
    assert columns.max() < 200


@pytest.mark.slow
@pytest.mark.usefixtures("_opengl")
def test_a_picture_of_a_forgery_is_refused_where_a_proof_is_asked_for(tmp_path: Path) -> None:
    from tests.export.test_page import forgery

    forged = str(forgery(tmp_path))
    size = ("--size", "64x40")
    done = sim("render", forged, "-o", "a.png", *size, "--verify", cwd=tmp_path)
    assert done.returncode == 1
    assert "differs" in done.stdout
    assert not (tmp_path / "a.png").exists()
    assert sim("render", forged, "-o", "a.png", *size, cwd=tmp_path).returncode == 0
