"""Recordings: complete, provable, and refused with a reason where they are not."""

import hashlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import esper
import numpy as np
import orjson
import pytest
from mcap.reader import make_reader
from mcap.writer import Writer

from creature_sim.drivers import make_driver
from creature_sim.errors import (
    OutputError,
    PluginMissing,
    ReplayCorrupt,
    ReplayError,
    ReplayVersion,
    VerifyMismatch,
)
from creature_sim.files.output import part_of
from creature_sim.inputs import Event, Input
from creature_sim.replay import Divergence, Recorder, open_replay, record, verify
from creature_sim.replay.digests import SIXTH, decode, encode
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.systems import SYSTEMS
from tests.commands import sim
from tests.replay.messages import pose_bytes, pose_table, restless, with_field
from tests.scenes import CREATURES, WORLDS, herd, scene
from tests.tools import goldens

TICKS = 150


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Snapshot]:
    path = tmp_path_factory.mktemp("replays") / "walk.mcap"
    return path, record(scene("steps", "spider8"), path, TICKS, driver=restless)


def rewritten(
    path: Path,
    target: Path,
    change: Callable[[str, bytes], bytes],
    *,
    leave: tuple[str, int] | None = None,
    again: tuple[str, int, int] | None = None,
) -> Path:
    """A copy of a replay with changed messages, attachments and metadata, and valid checksums.

    Args:
        path: of the replay.
        target: of the copy.
        change: the new data of a topic, an attachment or the metadata.
        leave: topic and tick of messages that are left out.
        again: topic and tick of a message that a later or earlier tick gets, too.
    """
    extra, has_changed = b"", leave is not None or again is not None

    def changed(name: str, data: bytes) -> bytes:
        nonlocal has_changed
        found = change(name, data)
        has_changed = has_changed or found != data
        return found

    if again:
        replay, (topic, tick, _) = open_replay(path), again
        track = replay.poses if topic == "/pose" else replay.events
        data = track.raw(track.ticks.index(tick))
        if topic == "/pose":
            extra = pose_bytes({**pose_table(data), "tick": again[2]})
        else:
            extra = orjson.dumps({**orjson.loads(data), "tick": again[2]})
    with path.open("rb") as source, target.open("wb") as stream:
        reader = make_reader(source)
        writer = Writer(stream)
        writer.start()
        for attachment in reader.iter_attachments():
            data = changed(attachment.name, attachment.data)
            writer.add_attachment(0, 0, attachment.name, attachment.media_type, data)
        for metadata in reader.iter_metadata():
            table = orjson.loads(changed(metadata.name, orjson.dumps(metadata.metadata)))
            writer.add_metadata(metadata.name, table)
        channels: dict[str, int] = {}
        for schema, channel, message in reader.iter_messages(log_time_order=False):
            if channel.topic not in channels:
                made = schema and writer.register_schema(schema.name, schema.encoding, schema.data)
                channels[channel.topic] = writer.register_channel(
                    channel.topic, channel.message_encoding, made or 0
                )
            tick = round(message.log_time * 60 / 1e9)  # as all worlds here tick
            if leave == (channel.topic, tick):
                continue
            is_after = tick > again[2] and channel.topic == again[0] if again else False
            if again and is_after and extra:
                time = again[2] * 10**9 // 60
                writer.add_message(channels[again[0]], time, extra, time)
                extra = b""
            writer.add_message(
                channels[channel.topic],
                message.log_time,
                changed(channel.topic, message.data),
                message.publish_time,
            )
        writer.finish()
    assert has_changed, "nothing in the file is what was to be changed"
    return target


@pytest.mark.slow
def test_a_recording_verifies_from_the_file_alone(recorded: tuple[Path, Snapshot]) -> None:
    path, last = recorded
    result = verify(path)
    assert result.ok is True
    assert result.ticks == TICKS
    assert result.digest == last.digest
    assert result.divergence is None
    result.require()


@pytest.mark.slow
def test_inputs_and_poses_are_there(recorded: tuple[Path, Snapshot]) -> None:
    path, last = recorded
    replay = open_replay(path)
    assert replay.ticks == TICKS
    assert replay.inputs[0] == Input.of([(1.0, 0.0)])
    assert [pose.tick for pose in replay.poses] == list(range(0, TICKS + 1, 2))
    expected = pose_of(last)
    shown = replay.poses[-1]
    for field in ("position", "joints", "goals", "normals", "is_swinging"):
        found = getattr(shown.creatures[0], field)
        assert found == pytest.approx(getattr(expected.creatures[0], field), abs=6e-4)


@pytest.mark.slow
def test_rerun_gives_exact_snapshots(recorded: tuple[Path, Snapshot]) -> None:
    path, last = recorded
    *_, again = open_replay(path).rerun()
    assert again.digest == last.digest


@pytest.mark.parametrize("tick", [1, 77, TICKS])
def test_one_flipped_input_is_named(
    tick: int, recorded: tuple[Path, Snapshot], tmp_path: Path
) -> None:
    def flip(message: dict[str, Any]) -> None:
        message["commands"][0][1] ^= 1

    path = rewritten(recorded[0], tmp_path / "flipped.mcap", with_field("/input", tick, flip))
    result = verify(path)
    assert result.ok is False
    assert result.divergence == Divergence(tick, "command", 0)
    with pytest.raises(VerifyMismatch, match=f"tick={tick}"):
        result.require()


def test_an_event_that_was_not_there_is_named(
    recorded: tuple[Path, Snapshot], tmp_path: Path
) -> None:
    def reset(message: dict[str, Any]) -> None:
        message["events"].append({"kind": "reset", "creature": 0})

    path = rewritten(recorded[0], tmp_path / "event.mcap", with_field("/input", 90, reset))
    result = verify(path)
    assert result.ok is False
    assert result.divergence is not None
    assert result.divergence.tick == 90


def test_a_digest_that_was_changed_is_named(
    recorded: tuple[Path, Snapshot], tmp_path: Path
) -> None:
    def change(message: dict[str, Any]) -> None:
        message["creatures"][0]["foot_target"] = "0" * SIXTH.part

    path = rewritten(recorded[0], tmp_path / "digest.mcap", with_field("/digest", 33, change))
    assert verify(path).divergence == Divergence(33, "foot_target", 0)


def test_a_broken_chain_is_named(recorded: tuple[Path, Snapshot], tmp_path: Path) -> None:
    def change(message: dict[str, Any]) -> None:
        message["chain"] = "0" * SIXTH.link

    path = rewritten(recorded[0], tmp_path / "chain.mcap", with_field("/digest", 33, change))
    assert verify(path).divergence == Divergence(33, "chain", None)


def test_another_end_is_named(recorded: tuple[Path, Snapshot], tmp_path: Path) -> None:
    def change(message: dict[str, Any]) -> None:
        message["digest"] = "0" * 32

    path = rewritten(recorded[0], tmp_path / "end.mcap", with_field("/end", TICKS, change))
    assert verify(path).divergence == Divergence(TICKS, "end", None)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("math_profile", "999", "math_profile 999"),
        ("heights", "0" * 32, "heights digest"),
        ("systems", "my.Own", "system my.Own"),
        ("heights", None, "heights digest none"),
    ],
)
def test_other_kernels_cannot_be_verified_here(
    key: str, value: str | None, reason: str, recorded: tuple[Path, Snapshot], tmp_path: Path
) -> None:
    def change(found: str, data: bytes) -> bytes:
        if found != "creature_sim":
            return data
        table = {**orjson.loads(data), key: value}
        return orjson.dumps({name: text for name, text in table.items() if text is not None})

    result = verify(rewritten(recorded[0], tmp_path / "other.mcap", change))
    assert result.ok is None
    assert reason in result.reason


def test_a_format_that_is_not_read_names_who_wrote_it(
    recorded: tuple[Path, Snapshot], tmp_path: Path
) -> None:
    def change(found: str, data: bytes) -> bytes:
        if found != "creature_sim":
            return data
        return orjson.dumps({**orjson.loads(data), "format": "99", "creature_sim": "seven"})

    path = rewritten(recorded[0], tmp_path / "new.mcap", change)
    with pytest.raises(ReplayVersion, match="found '99', written by creature_sim seven"):
        open_replay(path)


@pytest.mark.parametrize("tick", [TICKS + 1, TICKS - 1, 10**12, -1, "many", None])
def test_an_end_that_does_not_fit_is_refused(
    tick: object, recorded: tuple[Path, Snapshot], tmp_path: Path
) -> None:
    def change(topic: str, data: bytes) -> bytes:
        return orjson.dumps(orjson.loads(data) | {"tick": tick}) if topic == "/end" else data

    path = rewritten(recorded[0], tmp_path / "end.mcap", change)
    with pytest.raises(ReplayCorrupt, match="expected messages of a replay"):
        open_replay(path)


def test_crafted_replays_are_refused_or_refuted(
    recorded: tuple[Path, Snapshot], tmp_path: Path
) -> None:
    def crafted(topic: str, **changes: object) -> Path:
        def change(found: str, data: bytes) -> bytes:
            return orjson.dumps(orjson.loads(data) | changes) if found == topic else data

        return rewritten(recorded[0], tmp_path / "crafted.mcap", change)

    for path in (crafted("/digest", creatures=[5]), crafted("world.json", species={})):
        with pytest.raises(ReplayCorrupt, match="crafted"):
            open_replay(path)

    def empty(message: dict[str, Any]) -> None:
        message["creatures"] = [{}]

    path = rewritten(recorded[0], tmp_path / "crafted.mcap", with_field("/pose", 0, empty))
    with pytest.raises(ReplayCorrupt, match="/pose of tick 0: expected"):
        _ = open_replay(path).poses[0]

    def extra(found: str, data: bytes) -> bytes:
        if found != "/digest":
            return data
        batch = decode(data)
        own = [(*batch.owners[0][0], "more")]
        hashes = "".join(
            batch.hashes[at : at + batch.size] + "0" * SIXTH.part
            for at in range(0, len(batch.hashes), batch.size)
        )
        return encode(batch.tick, batch.links, (own, [], []), hashes)

    path = rewritten(recorded[0], tmp_path / "extra.mcap", extra)
    assert verify(path).divergence == Divergence(0, "more", 0)


@pytest.mark.slow
def test_events_are_recorded_and_verified(tmp_path: Path) -> None:
    world = scene("hills", "hexapod", driver="forward 9")
    drive = make_driver(world)

    def with_reset(snapshot: Snapshot) -> Input:
        given = drive(snapshot)
        return Input(given.commands, (Event("reset", 0),)) if snapshot.tick == 60 else given

    record(world, tmp_path / "reset.mcap", 120, driver=with_reset)
    assert open_replay(tmp_path / "reset.mcap").inputs[60].events == (Event("reset", 0),)
    assert verify(tmp_path / "reset.mcap").ok


@pytest.mark.slow
def test_herds_are_recorded_and_verified(tmp_path: Path) -> None:
    world = herd("steps", "spider4", [(0.0, 0.0), (4.0, 1.0), (-3.0, 5.0)])
    record(world, tmp_path / "herd.mcap", 90)
    assert verify(tmp_path / "herd.mcap").ok
    assert len(open_replay(tmp_path / "herd.mcap").poses[0].creatures) == 3


@pytest.mark.slow
def test_every_cut_leaves_what_came_before_it(
    recorded: tuple[Path, Snapshot], tmp_path: Path
) -> None:
    whole = recorded[0].read_bytes()
    expected = open_replay(recorded[0])
    cut = tmp_path / "cut.mcap"
    longest = 0
    for size in [*range(1, 400, 7), *np.linspace(400, len(whole) - 9, 40, dtype=int).tolist()]:
        cut.write_bytes(whole[:size])
        try:
            found = open_replay(cut)
        except ReplayError:
            assert not longest, "a longer file holds less"
        else:
            assert longest <= found.ticks <= TICKS
            longest = found.ticks
            assert list(found.inputs) == list(expected.inputs[: found.ticks])
            assert found.cut or found.ticks == TICKS
    assert longest == TICKS
    cut.write_bytes(whole[: len(whole) * 2 // 3])
    found = open_replay(cut)
    assert f"cut.mcap: breaks off after tick {found.last}" in found.notice
    result = verify(cut)
    assert result.ok is None
    assert result.is_cut
    assert 0 < result.ticks == found.ticks < TICKS
    with pytest.raises(VerifyMismatch, match=f"proven up to tick {found.last}, then cut off"):
        result.require()


@pytest.mark.slow
def test_every_flipped_bit_is_found_or_harmless(
    recorded: tuple[Path, Snapshot], tmp_path: Path
) -> None:
    path, last = recorded
    whole = bytearray(path.read_bytes())
    damaged = tmp_path / "damaged.mcap"
    rng = random.Random(3)
    refused = 0
    for _ in range(150):
        place, bit = rng.randrange(len(whole)), 1 << rng.randrange(8)
        whole[place] ^= bit
        damaged.write_bytes(whole)
        whole[place] ^= bit
        try:
            found = open_replay(damaged)
        except ReplayError:
            refused += 1
        else:
            refused += bool(found.cut)
            assert found.cut or found.digest == last.digest
    assert refused > 100


@pytest.mark.parametrize(
    "content", [b"", b"\x00" * 1000, b"hello", b"\x89MCAP0\r\n", random.Random(7).randbytes(4096)]
)
def test_foreign_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "foreign.mcap"
    path.write_bytes(content)
    with pytest.raises(ReplayError, match=r"foreign\.mcap: expected"):
        open_replay(path)


def test_an_mcap_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.mcap"
    with path.open("wb") as stream:
        writer = Writer(stream)
        writer.start()
        writer.finish()
    with pytest.raises(ReplayCorrupt, match="something else"):
        open_replay(path)


@pytest.mark.slow
def test_a_recording_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    world = scene("meadow", "hexapod")
    path = tmp_path / "walk.mcap"
    with Simulation(world) as simulation, Recorder(path, simulation) as recorder:
        session = Session(simulation, make_driver(world), (recorder,))
        for _ in range(130):
            session.advance()
        assert not path.exists()
        part = part_of(path)
        assert "breaks off" in open_replay(part).notice
    assert path.exists()
    assert not part.exists()
    assert verify(path).ticks == 130


def test_an_older_file_is_kept_without_force(tmp_path: Path) -> None:
    path = tmp_path / "walk.mcap"
    path.write_text("mine")
    with pytest.raises(OutputError, match=r"found one; force=True replaces it$"):
        record(scene("meadow", "hexapod"), path, 1)
    assert path.read_text() == "mine"
    record(scene("meadow", "hexapod"), path, 1, force=True)
    assert verify(path).ok


def test_the_same_run_makes_the_same_file(tmp_path: Path) -> None:
    hashes = set()
    for name in ("a", "b"):
        record(scene("meadow", "spider4"), tmp_path / name, 60)
        hashes.add(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())
    assert len(hashes) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", goldens.LENGTHS)
def test_goldens_verify(name: str) -> None:
    path = goldens.FOLDER / f"{name}.mcap"
    result = verify(path)
    assert result.ok is True, result
    assert result.ticks == goldens.LENGTHS[name]


def test_goldens_show_everything_built_in_and_stay_small() -> None:
    files = list(goldens.FOLDER.glob("*.mcap"))
    assert {path.stem for path in files} == set(goldens.LENGTHS)
    assert sum(path.stat().st_size for path in files) <= 1_000_000
    assert {world for world, _, _ in goldens.GOLDENS.values()} == {*WORLDS, "endless"}
    assert {creature for _, creature, _ in goldens.GOLDENS.values()} == set(CREATURES)


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("second") / "walk.mcap"
    record(scene("steps", "spider8"), path, 70, driver=restless)
    return path


def _changed(numbers: list[str], index: int, by: int) -> None:
    """Change one of the numbers of a pose, which protobuf's JSON has as text."""
    numbers[index] = str(int(numbers[index]) + by)


def forgeries() -> dict[str, tuple[str, int, Callable[[dict[str, Any]], None]]]:
    """What a file may say wrongly beside its digests: topic, tick, and change of the message."""

    def moved(message: dict[str, Any]) -> None:
        _changed(message["creatures"][0]["segments"][0]["position"], 0, 1)

    def knee(message: dict[str, Any]) -> None:
        _changed(message["creatures"][0]["legs"][3]["joints"], 5, -5000)

    def swinging(message: dict[str, Any]) -> None:
        leg = message["creatures"][0]["legs"][0]
        leg["is_swinging"] = not leg["is_swinging"]

    def reason(message: dict[str, Any]) -> None:
        message["reason"] = "none of yours"

    def score(message: dict[str, Any]) -> None:
        message["score"] += 0.1

    def note(message: dict[str, Any]) -> None:
        message["note"] = "more"

    return {
        "a body": ("/pose", 30, moved),
        "a knee": ("/pose", 0, knee),
        "a foot that swings": ("/pose", 70, swinging),
        "a reason": ("/event", -1, reason),
        "a score": ("/event", -1, score),
        "a field of an input": ("/input", 9, note),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", forgeries())
def test_a_forgery_is_named(name: str, second: Path, tmp_path: Path) -> None:
    topic, tick, change = forgeries()[name]
    tick = tick if tick >= 0 else open_replay(second).events.ticks[0]
    path = rewritten(second, tmp_path / "forged.mcap", with_field(topic, tick, change))
    divergence = verify(path).divergence
    assert divergence is not None
    assert (divergence.tick, divergence.part) == (tick, topic[1:])
    assert divergence.creature == (None if topic == "/input" else 0)


@pytest.mark.slow
@pytest.mark.parametrize("topic", ["/pose", "/event"])
def test_a_message_that_was_left_out_or_added_is_named(
    topic: str, second: Path, tmp_path: Path
) -> None:
    replay = open_replay(second)
    tick = replay.events.ticks[2] if topic == "/event" else 30
    path = rewritten(second, tmp_path / "less.mcap", lambda _, data: data, leave=(topic, tick))
    assert verify(path).divergence == Divergence(tick, topic[1:], None)
    odd = next(t for t in range(41, 70, 2) if t not in replay.events.ticks)
    path = rewritten(second, tmp_path / "more.mcap", lambda _, data: data, again=(topic, tick, odd))
    assert verify(path).divergence == Divergence(odd, topic[1:], None)


@pytest.mark.parametrize(
    "change",
    [
        lambda pose: pose["creatures"].append(pose["creatures"][0]),
        lambda pose: pose["creatures"][0].update(number=7),
        lambda pose: pose["creatures"][0]["segments"].append({"position": [0, 0, 0]}),
        lambda pose: pose["creatures"][0]["legs"][2]["joints"].pop(),
        lambda pose: pose["creatures"][0]["segments"][0]["position"].__setitem__(0, str(10**13)),
        lambda pose: pose["creatures"][0]["segments"][0]["orientation"].append(0),
        lambda pose: pose["creatures"][0]["legs"][0].pop("goal"),
        lambda pose: pose["creatures"][0]["legs"].pop(),
        lambda pose: pose.update(rigs=[{"joints": [], "targets": []}]),
        lambda pose: pose.update(props={"positions": [0, 0, 0], "orientations": [0, 0, 0, 1]}),
        lambda pose: pose.update(creature_count=7),
        lambda pose: pose.update(per_metre=0),
    ],
)
def test_a_pose_that_does_not_fit_is_one_clear_error(
    change: Callable[[dict[str, Any]], None], second: Path, tmp_path: Path
) -> None:
    path = rewritten(second, tmp_path / "odd.mcap", with_field("/pose", 30, change))
    with pytest.raises(ReplayCorrupt, match=r"odd\.mcap: /pose of tick 30: expected"):
        list(open_replay(path).poses)


def test_what_a_recording_needs_is_named_with_its_package(second: Path, tmp_path: Path) -> None:
    def change(found: str, data: bytes) -> bytes:
        if found == "world.json":
            world = orjson.loads(data)
            return orjson.dumps({**world, "terrain": {"kind": "moon", "craters": 9}})
        if found == "creature_sim":
            plugins = "moon: creature-moon 1.2; lunar: lunar-systems 0.3"
            metadata = orjson.loads(data)
            systems = f"{metadata['systems']} lunar.Tides"
            return orjson.dumps({**metadata, "plugins": plugins, "systems": systems})
        return data

    replay = open_replay(rewritten(second, tmp_path / "moon.mcap", change))
    assert replay.missing == "the kind of ground moon (of the package creature-moon 1.2)"
    assert replay.missing in replay.notice
    told = sim("info", "moon.mcap", "--json", cwd=tmp_path).stdout
    assert orjson.loads(told)["terrain"] == "moon"
    result = verify(replay)
    assert result.ok is None
    assert replay.missing in result.reason
    assert len(list(replay.poses)) == len(open_replay(second).poses)
    with pytest.raises(PluginMissing, match="creature-moon"):
        replay.simulation()

    def systems_only(found: str, data: bytes) -> bytes:
        return data if found == "world.json" else change(found, data)

    result = verify(rewritten(second, tmp_path / "lunar.mcap", systems_only))
    assert "the system lunar.Tides (of the package lunar-systems 0.3)" in result.reason


@pytest.mark.slow
def test_systems_of_a_user_are_recorded_and_proven(tmp_path: Path) -> None:
    class Idle(esper.Processor):
        def process(self, dt: float) -> None:
            del dt

    world, path = scene("meadow", "hexapod"), tmp_path / "own.mcap"
    systems = (*SYSTEMS, Idle)
    record(world, path, 10, systems=systems)
    assert verify(path, systems=systems).ok is True
    assert "Idle" in verify(path).reason
