"""What was recorded survives whatever ends the run, and whatever befalls the file."""

import errno
import random
import re
import resource
import signal
import threading
import time
from pathlib import Path

import pytest

from creature_sim.drivers import make_driver
from creature_sim.errors import OutputError, ReplayTruncated
from creature_sim.files.output import part_of
from creature_sim.replay import Recorder, keyframes, open_replay, record, recover, verify
from creature_sim.replay.mcap_file import McapFile
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots import tapes
from tests.commands import sim
from tests.forks import start
from tests.scenes import herd, scene

TICKS = 300


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("survival") / "walk.mcap"
    record(scene("meadow", "hexapod", driver="wander"), path, TICKS)
    return path


def chunks_of(whole: bytes | bytearray) -> list[int]:
    """Where the chunks of a file begin."""
    return [i for i in range(len(whole)) if whole[i : i + 4] == b"zstd"]


def advance(session: Session, ticks: int) -> None:
    for _ in range(ticks):
        session.advance()


@pytest.mark.slow
def test_a_killed_run_keeps_all_but_its_last_second(tmp_path: Path) -> None:
    words = ("run", "meadow", "--headless", "--seconds", "3000", "--record", "walk.mcap")
    process = start(*words, cwd=tmp_path)
    try:
        deadline = time.monotonic() + 100.0
        while not any(part.stat().st_size > 100_000 for part in tmp_path.glob("*.part")):
            assert time.monotonic() < deadline, "nothing was recorded"
            assert process.poll() is None
            time.sleep(0.05)
    finally:
        process.kill()
        process.communicate()
    (part,) = tmp_path.glob("*.part")
    result = verify(part)
    assert result.is_cut
    assert result.ticks > 60
    found = recover(part, tmp_path / "saved.mcap")
    assert [file.path for file in found.files] == [tmp_path / "saved.mcap"]
    assert verify(tmp_path / "saved.mcap").ticks == result.ticks


@pytest.mark.slow
def test_a_full_disk_keeps_what_was_written(tmp_path: Path) -> None:
    world = scene("meadow", "hexapod")
    path = tmp_path / "walk.mcap"
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with Simulation(world) as simulation:
        recorder = Recorder(path, simulation)
        session = Session(simulation, make_driver(world), (recorder,))
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, old[1]))
            with pytest.raises(OutputError, match=r"walk\.mcap.*recover") as told:
                advance(session, 1000)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, old)
            signal.signal(signal.SIGXFSZ, before)
        recorder.close()  # does nothing more
    part = part_of(path)
    result = verify(part)
    assert result.is_cut
    assert 100 < result.ticks < 1000
    assert f"after {result.ticks / 60:.1f} s" in str(told.value)
    assert not path.exists()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.ENOSPC, "No space"), r"OutputError.*walk\.mcap: disk full; nothing was"),
        (RuntimeError("another"), "RuntimeError.*another"),
    ],
)
def test_a_head_that_cannot_be_written_leaves_neither_file_nor_thread(
    error: Exception, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(McapFile, "add_metadata", fails)
    before = threading.active_count()
    with Simulation(scene("meadow", "hexapod")) as simulation:
        with pytest.raises((OutputError, RuntimeError)) as found:
            Recorder(tmp_path / "walk.mcap", simulation)
        assert re.search(told, repr(found.value))
        assert threading.active_count() == before
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("size", [0, 10_000])
def test_a_disk_that_is_full_from_the_start_leaves_nothing(size: int, tmp_path: Path) -> None:
    """While the first tick is written, or before it a world that is larger than a buffer."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    threads = threading.active_count()
    starts = [(2.0 * (k % 14) - 14.0, 2.0 * (k // 14) - 14.0) for k in range(196 if size else 1)]
    world = herd("meadow", "hexapod", starts)
    with Simulation(world) as simulation:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
            with pytest.raises(OutputError, match=r"walk\.mcap: .*; nothing was recorded"):
                Recorder(tmp_path / "walk.mcap", simulation)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, old)
            signal.signal(signal.SIGXFSZ, before)
    assert threading.active_count() == threads
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_an_error_in_a_run_keeps_what_came_before_it(tmp_path: Path) -> None:
    world = scene("meadow", "hexapod")
    path = tmp_path / "walk.mcap"
    drive = make_driver(world)

    def failing(snapshot: object) -> object:
        if simulation.tick == 70:
            raise RuntimeError("my driver")
        return drive(simulation.snapshot)

    with pytest.raises(RuntimeError, match="my driver") as told:  # noqa: SIM117, PT012
        with Simulation(world) as simulation, Recorder(path, simulation) as recorder:
            session = Session(simulation, failing, (recorder,))  # type: ignore[arg-type]
            advance(session, 100)
    part = part_of(path)
    assert part.name in told.value.__notes__[0]
    assert verify(part).ticks == 70
    assert verify(part).ok is True
    assert not path.exists()


def test_an_error_before_the_first_tick_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):  # noqa: SIM117
        with (
            Simulation(scene("meadow", "hexapod")) as simulation,
            Recorder(tmp_path / "walk.mcap", simulation),
        ):
            raise RuntimeError
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_every_chunk_but_a_damaged_one_is_saved(walk: Path, tmp_path: Path) -> None:
    whole = bytearray(walk.read_bytes())
    starts = chunks_of(whole)
    middle = starts[3] + 500  # in the third second
    whole[middle] ^= 16
    damaged = tmp_path / "damaged.mcap"
    damaged.write_bytes(whole)
    found = recover(damaged, tmp_path / "saved.mcap")
    assert [file.path.name for file in found.files] == ["saved.mcap", "saved-2.mcap"]
    ((first, last),) = found.lost
    assert last - first + 1 == 60
    assert (found.files[0].first, found.files[0].last + 1) == (0, first)
    assert (found.files[1].first, found.files[1].last) == (last + 1, TICKS)
    for file in found.files:
        result = verify(file.path)
        assert result.ok is True
        assert (result.first, result.last) == (file.first, file.last)
    assert found.damage


@pytest.mark.slow
def test_what_is_behind_damage_is_saved_where_ticks_are_written_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tapes, "MAX_HASHES", 1)  # as of thousands of creatures
    path = tmp_path / "walk.mcap"
    record(scene("meadow", "hexapod", driver="forward 9"), path, 200)
    whole = bytearray(path.read_bytes())
    starts = chunks_of(whole)
    whole[starts[2] + 500] ^= 16
    path.write_bytes(whole)
    found = recover(path, tmp_path / "saved.mcap")
    assert found.files[-1].last == 200
    for file in found.files:
        result = verify(file.path)
        assert result.ok is True
        assert (result.first, result.last) == (file.first, file.last)


def test_ticks_behind_damage_without_a_keyframe_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyframes, "KEYFRAME_SECONDS", 10)
    path = tmp_path / "walk.mcap"
    record(scene("meadow", "hexapod"), path, 200)
    whole = bytearray(path.read_bytes())
    whole[chunks_of(whole)[2] + 500] ^= 16
    path.write_bytes(whole)
    found = recover(path, tmp_path / "saved.mcap")
    assert len(found.files) == 1
    assert found.lost == ((found.files[0].last + 1, 200),)


@pytest.mark.parametrize("ticks", [120, 200])  # nothing is behind the keyframe, or much
def test_a_run_after_unknown_comings_and_goings_is_not_saved(ticks: int, tmp_path: Path) -> None:
    path = tmp_path / "walk.mcap"
    with Simulation(scene("meadow", "hexapod")) as simulation:
        recorder = Recorder(path, simulation)
        session = Session(simulation, make_driver(simulation.world), (recorder,))
        advance(session, 90)
        simulation.spawn(simulation.world.species["hexapod"], (3.0, 1.0))
        simulation.remove(0)
        advance(session, ticks - 90)
        recorder.close()
    whole = bytearray(path.read_bytes())
    whole[chunks_of(whole)[2] + 500] ^= 16  # ticks 60 to 119
    path.write_bytes(whole)
    found = recover(path, tmp_path / "saved.mcap")
    assert all(verify(file.path).ok for file in found.files)
    assert found.files[-1].last == 59


@pytest.mark.slow
def test_chunks_behind_a_torn_record_are_saved(walk: Path, tmp_path: Path) -> None:
    whole = walk.read_bytes()
    torn = tmp_path / "torn.mcap"
    at = len(whole) // 2
    torn.write_bytes(whole[:at] + whole[at + 1000 :])
    found = recover(torn, tmp_path / "saved.mcap")
    assert len(found.files) == 2
    assert found.files[1].last == TICKS
    assert all(verify(file.path).ok for file in found.files)


@pytest.mark.slow
def test_a_file_without_its_first_second_is_saved_from_the_next_keyframe(
    walk: Path, tmp_path: Path
) -> None:
    whole = bytearray(walk.read_bytes())
    starts = chunks_of(whole)
    for place in starts[:2]:  # schemas and channels, tick 0 and the first second
        whole[place + 40] ^= 255
    (tmp_path / "late.mcap").write_bytes(whole)
    with pytest.raises(ReplayTruncated, match="before its first state"):
        open_replay(tmp_path / "late.mcap")
    found = recover(tmp_path / "late.mcap", tmp_path / "saved.mcap")
    assert found.lost[0][0] == 0
    assert found.files[0].first % 60 == 0
    assert verify(tmp_path / "saved.mcap").ok is True


@pytest.mark.slow
def test_a_whole_file_is_copied(walk: Path, tmp_path: Path) -> None:
    found = recover(walk, tmp_path / "copy.mcap")
    assert (found.damage, found.lost) == ("", ())
    assert verify(tmp_path / "copy.mcap").ticks == TICKS


@pytest.mark.slow
def test_any_damage_leaves_files_that_are_proven(walk: Path, tmp_path: Path) -> None:
    rng = random.Random(11)
    whole = walk.read_bytes()
    for number in range(6):
        harmed = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            at, size = rng.randrange(len(whole)), rng.choice([1, 10, 3000])
            harmed[at : at + size] = rng.randbytes(size)
        path = tmp_path / f"harmed{number}.mcap"
        path.write_bytes(harmed[: rng.randrange(len(harmed) // 2, len(harmed))])
        try:
            found = recover(path, tmp_path / f"saved{number}.mcap")
        except ReplayTruncated:
            continue
        for file in found.files:
            assert verify(file.path).ok is True, (number, found)


@pytest.mark.slow
def test_a_notice_is_told_and_the_prefix_is_used(
    walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = walk.read_bytes()
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(whole[: len(whole) * 2 // 3])

    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    done = sim("verify", "cut.mcap")
    assert done.returncode == 4
    assert "proven up to tick" in done.stdout
    for words in (
        ("info", "cut.mcap"),
        ("replay", "cut.mcap", "--headless"),
        ("score", "cut.mcap"),
        ("export", "cut.mcap", "-o", "cut.html"),
        ("recover", "cut.mcap", "-o", "saved.mcap"),
        ("verify", "saved.mcap", "--from", "60", "--to", "90"),
        ("trim", "saved.mcap", "-o", "part.mcap", "--from", "60"),
        ("verify", "part.mcap"),
        ("diff", "saved.mcap", "saved.mcap"),
    ):
        done = sim(*words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        assert ("cut.mcap: breaks off after tick" in done.stderr) == (
            words[1] == "cut.mcap" and words[0] != "recover"
        ), words
    assert "recorded in" not in sim("replay", "cut.mcap", "--headless").stdout
    assert sim("diff", "saved.mcap", "part.mcap").returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("recover", "walk.mcap"),
        ("trim", "walk.mcap", "--from", "60"),
        ("concat", "a.mcap", "walk.mcap"),
    ],
)
def test_no_command_writes_over_what_it_reads(
    words: tuple[str, ...], walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.mcap", "walk.mcap"):
        Path(name).write_bytes(walk.read_bytes())
    done = sim(*words, "-o", "./walk.mcap", "--force")
    assert done.returncode == 2
    assert "-o: expected another file than the recording, found walk.mcap" in done.stderr
    assert Path("walk.mcap").read_bytes() == walk.read_bytes()


@pytest.mark.slow
def test_the_thread_of_a_recorder_ends_with_it(tmp_path: Path) -> None:
    world = scene("meadow", "hexapod")
    before = set(threading.enumerate())
    for number in range(3):
        with Simulation(world) as simulation:
            recorder = Recorder(tmp_path / f"{number}.mcap", simulation)
            advance(Session(simulation, make_driver(world), (recorder,)), 61)
            recorder.close() if number else recorder.discard()
    for thread in set(threading.enumerate()) - before:
        thread.join(10.0)  # it may still be ending
        assert not thread.is_alive()
    assert not (tmp_path / "0.mcap").exists()
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.slow
def test_a_second_is_written_while_the_next_one_runs(tmp_path: Path) -> None:
    world = scene("meadow", "hexapod")
    with (
        Simulation(world) as simulation,
        Recorder(tmp_path / "walk.mcap", simulation) as recorder,
    ):
        session = Session(simulation, make_driver(world), (recorder,))
        advance(session, 60)  # the second second begins with the keyframe of tick 60
        deadline = time.monotonic() + 100.0
        while open_replay(part_of(tmp_path / "walk.mcap")).last < 59:
            assert time.monotonic() < deadline, "the first second is not in the file"
            time.sleep(0.01)
        assert verify(part_of(tmp_path / "walk.mcap")).is_cut
