"""Exports of worlds and creatures, which run for them; and again whenever a file is saved."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np
import pytest

from creature_sim.drivers import make_driver
from creature_sim.errors import OutputError
from creature_sim.export.formats import write_export
from creature_sim.library.loader import builtin_folder, load_world
from creature_sim.replay import Replay, open_replay, record
from creature_sim.snapshots.snapshot import Snapshot
from tests.commands import sim
from tests.export.bvhs import Bvh
from tests.export.gltfs import Gltf
from tests.export.test_animation import exported
from tests.forks import start

BUG = (builtin_folder("creature") / "hexapod.toml").read_text()
PATIENCE = 60.0
"""For a line of a process [s]."""


def wrote(*words: str, cwd: Path) -> Gltf:
    """The only file that a command writes."""
    before = set(cwd.iterdir())
    done = sim("export", *words, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    (path,) = set(cwd.iterdir()) - before
    assert done.stdout.startswith(f"wrote {path.name}: ")
    return Gltf(path)


@pytest.mark.slow
def test_a_world_runs_as_if_it_had_been_recorded(tmp_path: Path) -> None:
    file = wrote(
        "hills", "-o", "walk.glb", "--seconds", "1", "--drive", "forward left 1", cwd=tmp_path
    )
    world = load_world("hills")
    record(world, tmp_path / "a.mcap", 60, driver=make_driver(world, "forward left 1"))
    other = exported(open_replay(tmp_path / "a.mcap"), tmp_path / "b.glb")
    assert file.duration == pytest.approx(1.0)
    assert file.names == other.names
    assert np.array_equal(file.positions(0.7), other.positions(0.7))
    assert file.document["asset"]["extras"]["source"] == "hills"
    assert "recording" not in file.document["asset"]["extras"]


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, 10**9])
def test_a_run_whose_states_are_kept_is_simulated_once(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again: list[Replay] = []
    rerun = Replay.rerun

    def counted(replay: Replay) -> Iterator[Snapshot]:
        again.append(replay)
        return rerun(replay)

    monkeypatch.setattr("creature_sim.export.states.MAX_NUMBERS", most)
    monkeypatch.setattr(Replay, "rerun", counted)
    words = ("export", "hills", "-o", "a.csv", "--seconds", "0.2", "--drive", "forward 1")
    done = sim(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(again) == (0 if most else 1)
    monkeypatch.undo()
    world = load_world("hills")
    record(world, tmp_path / "a.mcap", 12, driver=make_driver(world, "forward 1"))
    write_export(
        open_replay(tmp_path / "a.mcap"), tmp_path / "b.csv", force=False, progress=lambda _: None
    )
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


@pytest.mark.slow
def test_another_creature_walks_in_a_world(tmp_path: Path) -> None:
    (tmp_path / "bug.toml").write_text(BUG.replace('"hexapod"', '"bug"'))
    words = ("hills", "--seconds", "0.5", "-o")
    assert "0_spider4" in wrote(*words, "a.glb", "--creature", "spider4", cwd=tmp_path).names
    found = wrote(*words, "b.glb", "--creature", "bug.toml", "--climb", cwd=tmp_path).names
    assert {"0_bug-climbing", "ground"} <= set(found)
    assert "ground" not in wrote(*words, "c.glb", "--creature", "0", cwd=tmp_path).names


@pytest.mark.slow
def test_a_creature_walks_alone(tmp_path: Path) -> None:
    (tmp_path / "bug.toml").write_text(BUG.replace('"hexapod"', '"bug"'))
    file = wrote("bug.toml", "-o", "bug.glb", "--seconds", "2", cwd=tmp_path)
    assert "0_bug" in file.names
    assert "ground" not in file.names
    body = file.names.index("body")
    way = file.positions(2.0)[body] - file.positions(0.0)[body]
    assert way[0] > 0.2
    assert abs(way[2]) < 0.02
    done = sim("export", "biped", "-o", "a.bvh", "--seconds", "1", cwd=tmp_path)
    assert done.returncode == 0
    assert Bvh(tmp_path / "a.bvh").names[0] == "body"


@pytest.mark.slow
def test_a_creature_has_a_cycle_without_more_words(tmp_path: Path) -> None:
    file = wrote("biped", "-o", "biped.glb", "--loop", cwd=tmp_path)
    assert {one["name"] for one in file.document["animations"]} == {
        "walk_in_place_loop",
        "walk_with_root_motion_loop",
    }


WORDS = [
    ("hills --loop", "--loop: expected --seconds too, how long the world hills runs, found none"),
    ("hills --verify", "--verify: expected a replay, found the world hills"),
    ("hills --drive wander", "--drive: expected --seconds too, how long the world hills runs"),
    ("hills --seconds 1 --verify", "--verify: expected a replay, found the world hills"),
    ("hills --seconds -1", "--seconds: expected a number from 0 to 86400, found -1.0"),
    ("hills --seconds nan", "--seconds: expected a number from 0 to 86400, found nan"),
    ("hills --seconds 1 --drive hop", "expected directions and seconds, like"),
    ("hills --seconds 1 --creature 3", "--creature: expected the number of a creature, 0 to 0"),
    ("hills --seconds 1 --creature -1", "--creature: expected the number of a creature, 0 to 0"),
    ("hills --seconds 1 --creature bugg", "expected a built-in creature or the path of a .toml"),
    ("hexapod --creature ant", "--creature: expected a world, found the creature hexapod"),
    ("hexapod --creature 2 --seconds 1", "--creature: expected the number of a creature, 0 to 0"),
    ("hexapod --verify", "--verify: expected a replay, found the creature hexapod"),
    ("a.mcap --seconds 3", "--seconds: expected a world or a creature, found the replay a.mcap"),
    ("a.mcap --climb", "--climb: expected a world or a creature, found the replay a.mcap"),
    ("a.mcap --creature ant", "--creature: expected a world or a creature, found the replay"),
    ("hils", "FILE: expected a file, or the name of a built-in world or creature, found 'hils'"),
    ("hills --watch", "--watch: expected a file to watch, found the built-in hills"),
    ("no.toml --watch", "no.toml: expected a readable TOML file, found none"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "expected"), WORDS, ids=[words for words, _ in WORDS])
def test_what_does_not_fit_is_refused(words: str, expected: str, tmp_path: Path) -> None:
    done = sim("export", *words.split(), "-o", "out.glb", cwd=tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_what_a_world_is_made_of_is_never_replaced(tmp_path: Path) -> None:
    assert sim("export", "stairs", "-o", "level.glb", cwd=tmp_path).returncode == 0
    before = (tmp_path / "level.glb").read_bytes()
    (tmp_path / "w.toml").write_text(
        'name = "w"\n[terrain]\nkind = "mesh"\nfile = "level.glb"\n'
        '[[creatures]]\ncreature = "hexapod"\n'
    )
    for words in ([], ["--seconds", "1"], ["--watch"]):
        done = sim("export", "w.toml", "-o", "./level.glb", "--force", *words, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (
            2,
            "error: -o: expected another file than those that w.toml is made of, found level.glb\n",
        )
    assert (tmp_path / "level.glb").read_bytes() == before


def test_a_disk_without_space_for_the_run_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(*_: object, **__: object) -> None:
        raise OutputError("disk full")

    monkeypatch.setattr("creature_sim.cli.exports.record", fill)
    done = sim("export", "hills", "-o", "out.glb", "--seconds", "1", cwd=tmp_path)
    assert done.returncode == 2
    assert "expected space for the run before it is exported, found too little" in done.stderr
    assert not list(tmp_path.iterdir())


# --- again and again ----------------------------------------------------------------------------


class Lines:
    """What a process writes into a file, line by line as it comes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._read = file.fileno(), 0

    def _rest(self) -> bytes:
        # Without a move of the file's position, where the process writes.
        return os.pread(self._file, 1 << 16, self._read)

    def next(self) -> str:
        end = time.monotonic() + PATIENCE
        while b"\n" not in (rest := self._rest()):
            assert time.monotonic() < end
            time.sleep(0.02)
        line = rest[: rest.index(b"\n") + 1]
        self._read += len(line)
        return line.decode()

    def is_empty(self) -> bool:
        return not self._rest()


class Watcher:
    """A process that exports a file whenever another is saved."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.process = start("export", *words, "--watch", cwd=folder)
        self.says, self.complains = map(Lines, self.process.streams)

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()

    def stop(self) -> str:
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(PATIENCE) == 130
        return self.complains.next()


@pytest.fixture
def watchers() -> Iterator[list[Watcher]]:
    found: list[Watcher] = []
    yield found
    for watcher in found:
        watcher.end()


@pytest.mark.slow
def test_a_saved_creature_is_exported_again(tmp_path: Path, watchers: list[Watcher]) -> None:
    path = tmp_path / "bug.toml"
    path.write_text(BUG.replace('"hexapod"', '"bug"'))
    watcher = Watcher(tmp_path, "bug.toml", "-o", "bug.glb", "--seconds", "0.5")
    watchers.append(watcher)
    line = watcher.says.next()
    assert line.startswith("wrote bug.glb: ")
    assert watcher.says.next() == "watching bug.toml; Ctrl-C ends it\n"
    assert "0_bug" in Gltf(tmp_path / "bug.glb").names
    # A broken file is told once, and the last export stays.
    path.write_text(BUG + "\nlegs = 3\n")
    complaints = [watcher.complains.next()]
    assert complaints[0].startswith("error: bug.toml:")
    assert "0_bug" in Gltf(tmp_path / "bug.glb").names
    # Editors write beside it, and rename.
    (tmp_path / "new").write_text(BUG.replace('"hexapod"', '"snail"'))
    os.replace(tmp_path / "new", path)
    assert watcher.says.next().startswith("wrote bug.glb: ")
    assert "0_snail" in Gltf(tmp_path / "bug.glb").names
    assert watcher.complains.is_empty()
    assert watcher.stop() == "stopped watching; bug.glb is as it was written last\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bug.glb", "bug.toml"]


@pytest.mark.slow
def test_files_that_a_world_names_later_are_watched(
    tmp_path: Path, watchers: list[Watcher]
) -> None:
    world = 'name = "w"\ndriver = "forward 5"\n[terrain]\nkind = "flat"\n[[creatures]]\n'
    (tmp_path / "w.toml").write_text(f'{world}creature = "biped"\n')
    (tmp_path / "bug.toml").write_text(BUG)
    watcher = Watcher(tmp_path, "w.toml", "-o", "w.glb", "--seconds", "0.2")
    watchers.append(watcher)
    watcher.says.next()
    assert watcher.says.next() == "watching w.toml; Ctrl-C ends it\n"
    (tmp_path / "w.toml").write_text(f'{world}creature = "bug.toml"\n')
    assert watcher.says.next().startswith("wrote w.glb: ")
    (tmp_path / "bug.toml").write_text(BUG.replace('"hexapod"', '"bug"'))
    assert watcher.says.next().startswith("wrote w.glb: ")
    assert "0_bug" in Gltf(tmp_path / "w.glb").names
    watcher.stop()


@pytest.mark.slow
def test_a_level_is_written_again(tmp_path: Path, watchers: list[Watcher]) -> None:
    """Without --seconds it is the ground of the world that is exported."""
    world = (builtin_folder("world") / "stairs.toml").read_text()
    (tmp_path / "w.toml").write_text(world)
    watcher = Watcher(tmp_path, "w.toml", "-o", "w.glb")
    watchers.append(watcher)
    assert watcher.says.next().endswith("; its ground\n")
    watcher.says.next()
    before = (tmp_path / "w.glb").read_bytes()
    (tmp_path / "w.toml").write_text(world.replace("0.10", "0.15"))
    assert watcher.says.next().endswith("; its ground\n")
    assert (tmp_path / "w.glb").read_bytes() != before
    watcher.stop()
