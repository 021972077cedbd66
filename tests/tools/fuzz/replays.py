"""Replay files: each is refused with a message or refuted, or says what the recorded one says."""

import json
import struct
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from mcap.reader import NonSeekingReader
from mcap.records import Attachment, Channel, Message, Metadata, Schema
from mcap.writer import CompressionType, Writer

from creature_sim.drivers import make_driver
from creature_sim.errors import CreatureSimError
from creature_sim.inputs import Input
from creature_sim.replay import Replay, open_replay, record, verify
from tests.scenes import scene
from tests.tools.fuzz.trees import check_message, mutated

TICKS = 40
FORGED = (b"", b"zstd", b"lz4", b"gzip", b"\xff" * 4, b"z" * 500)
SIZES = (0, 1, 100, 2**31, 2**32, 2**40, 2**63 - 1, 2**63, 2**64 - 1)


@dataclass
class Parts:
    """What a file holds, apart from the format's own bookkeeping."""

    profile: str
    library: str
    schemas: dict[int, Schema]
    channels: dict[int, Channel]
    messages: list[Message]
    attachments: list[Attachment]
    metadata: list[Metadata]


@dataclass
class Said:
    """What a recording says, tick by tick."""

    world: str
    inputs: list[Input]
    digests: list[dict[str, Any]]
    poses: list[tuple[float, list[tuple[bytes, bytes]]]]

    def since(self, tick: int) -> "Said":
        """The part that begins with a tick."""
        poses = [pose for pose in self.poses if pose[0] >= tick]
        return Said(self.world, self.inputs[tick:], self.digests[tick:], poses)


@cache
def seeds() -> tuple[tuple[bytes, Said], ...]:
    """Recordings, and what they say."""
    made = []
    worlds = (
        scene("meadow", "hexapod"),
        scene("steps", "spider4"),
        scene("platforms", "hexapod"),
        scene("playground", "hexapod"),
    )
    with tempfile.TemporaryDirectory() as folder:
        for number, world in enumerate(worlds):
            path = Path(folder, f"{number}.mcap")
            drive = make_driver(world, "forward 0.3; lose 1; back 0.3; push 0.5,0.8; strafe-left 1")
            record(world, path, TICKS, driver=drive)
            made.append((path.read_bytes(), says(open_replay(path))))
    return tuple(made)


def says(replay: Replay) -> Said:
    """What a verified replay must not say otherwise."""
    poses = [
        (pose.tick, [(herd.positions.tobytes(), herd.joints.tobytes()) for herd in pose.herds])
        for pose in replay.poses
    ]
    digests = [dict(digest) for digest in replay.digests]
    return Said(replay.world.model_dump_json(), list(replay.inputs), digests, poses)


def make(number: int, folder: Path) -> Path:
    """Write the file of a case; its name holds the number of the recording that it was."""
    random = Random(number)
    index = random.randrange(len(seeds()))
    data = seeds()[index][0]
    path = folder / f"{index}.mcap"
    if random.random() < 0.5:
        path.write_bytes(_bytes_changed(data, random))
        return path
    parts = _read(data, folder)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        random.choice(CHANGES)(parts, random)
    _write(parts, path, random)
    return path


def attempt(path: Path) -> str:
    """Open and verify a file: "refused", "refuted", "unknown" or "verified".

    Raises:
        Exception: any but a message for its user; AssertionError: it was verified wrongly.
    """
    try:
        replay = open_replay(path)
        found = verify(replay)
        said = says(replay)
    except CreatureSimError as error:
        check_message(error)
        return "refused"
    if found.ok is not True:
        return "unknown" if found.ok is None else "refuted"
    expected = seeds()[int(path.stem)][1].since(getattr(replay, "first", 0))
    assert said == expected, "verified, and says something else than what was recorded"
    return "verified"


def _bytes_changed(data: bytes, random: Random) -> bytes:
    """Bytes that are gone, flipped, repeated or sizes forged, wherever."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5))):
        where = random.randrange(len(changed))
        kind = random.randrange(7)
        if kind == 0:
            del changed[where:]
        elif kind == 1:
            changed[where] ^= 1 << random.randrange(8)
        elif kind == 2:
            del changed[where : where + random.choice((1, 8, 100, 5000))]
        elif kind == 3:
            changed[where:where] = random.randbytes(random.choice((1, 8, 100)))
        elif kind == 4:
            other = random.randrange(len(data))
            changed[where:where] = data[other : other + random.choice((10, 1000, 20_000))]
        elif kind == 5:
            where = _chunk(changed, random)
            changed[where : where + 8] = struct.pack("<Q", random.choice(SIZES))
        else:
            name = random.choice(FORGED)
            at = changed.find(struct.pack("<I", 4) + b"zstd", where)
            if at >= 0:
                changed[at : at + 8] = struct.pack("<I", len(name)) + name
        if not changed:
            return bytes(changed)
    return bytes(changed)


def _chunk(data: bytearray, random: Random) -> int:
    """Where some size of some record begins: those of chunks and attachments at the top."""
    places, where = [], 8
    while where + 9 <= len(data):
        (length,) = struct.unpack_from("<Q", data, where + 1)
        places.append(where + 1)
        if data[where] == 6:  # a chunk: times, then its size, its check sum, the compression
            places += [where + 25, where + 41, where + 45]
        where += 9 + length
    return random.choice(places or [0])


def _read(data: bytes, folder: Path) -> Parts:
    path = folder / "read"
    path.write_bytes(data)
    with path.open("rb") as stream:
        reader = NonSeekingReader(stream)
        found = list(reader.iter_messages(log_time_order=False))
    with path.open("rb") as stream:
        attachments = list(NonSeekingReader(stream).iter_attachments())
    with path.open("rb") as stream:
        metadata = list(NonSeekingReader(stream).iter_metadata())
    with path.open("rb") as stream:
        header = NonSeekingReader(stream).get_header()
    path.unlink()
    return Parts(
        header.profile,
        header.library,
        {schema.id: schema for schema, _, _ in found if schema},
        {channel.id: channel for _, channel, _ in found},
        [message for _, _, message in found],
        attachments,
        metadata,
    )


def _write(parts: Parts, path: Path, random: Random) -> None:
    compression = random.choice((CompressionType.ZSTD, CompressionType.NONE, CompressionType.LZ4))
    with path.open("wb") as stream:
        writer = Writer(
            stream, chunk_size=random.choice((100, 5000, 10**6)), compression=compression
        )
        writer.start(parts.profile, parts.library)
        schemas = {
            old: writer.register_schema(schema.name, schema.encoding, schema.data)
            for old, schema in parts.schemas.items()
        }
        channels = {
            old: writer.register_channel(
                channel.topic,
                channel.message_encoding,
                schemas.get(channel.schema_id, 0),
                channel.metadata,
            )
            for old, channel in parts.channels.items()
        }
        for data in parts.metadata:
            writer.add_metadata(data.name, data.metadata)
        for file in parts.attachments:
            writer.add_attachment(
                file.create_time, file.log_time, file.name, file.media_type, file.data
            )
        for message in parts.messages:
            writer.add_message(
                channels[message.channel_id],
                message.log_time,
                message.data,
                message.publish_time,
                message.sequence,
            )
        writer.finish()


def _changed(data: bytes, random: Random) -> bytes:
    """A message with another content: as JSON, if it is that."""
    try:
        tree = json.loads(data)
    except ValueError:
        tree = None
    if isinstance(tree, dict) and tree and random.random() < 0.7:
        try:
            return json.dumps(mutated(tree, {}, [tree], random)).encode()
        except RecursionError:
            return b"[" * 100_000
    changed = bytearray(data)
    if changed:
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _message(parts: Parts, random: Random) -> None:
    if parts.messages:
        message = random.choice(parts.messages)
        message.data = _changed(message.data, random)


def _time(parts: Parts, random: Random) -> None:
    if parts.messages:
        message = random.choice(parts.messages)
        message.log_time = random.choice((0, 1, message.log_time + 1, 2**62, 2**64 - 1))


def _gone(parts: Parts, random: Random) -> None:
    if parts.messages:
        begin = random.randrange(len(parts.messages))
        del parts.messages[begin : begin + random.choice((1, 1, 5, 1000))]


def _again(parts: Parts, random: Random) -> None:
    if parts.messages:
        message = random.choice(parts.messages)
        where = random.randrange(len(parts.messages))
        parts.messages[where:where] = [message] * random.choice((1, 1, 50))


def _order(parts: Parts, random: Random) -> None:
    if len(parts.messages) > 1:
        one, two = random.sample(range(len(parts.messages)), 2)
        parts.messages[one], parts.messages[two] = parts.messages[two], parts.messages[one]


def _topic(parts: Parts, random: Random) -> None:
    channel = random.choice([*parts.channels.values()])
    other = random.choice([*parts.channels.values()])
    channel.topic = random.choice((other.topic, "", "/unknown", "\x1b[2J", "x" * 60_000))


def _schema(parts: Parts, random: Random) -> None:
    schema = random.choice([*parts.schemas.values()])
    schema.data = random.choice((b"", b"{", _changed(schema.data, random)))


def _metadata(parts: Parts, random: Random) -> None:
    if parts.metadata:
        held = random.choice(parts.metadata)
        key = random.choice([*held.metadata, "unknown"])
        values = ("", "0", "-1", "6", "nan", "\x1b[2Jverified", "9" * 5000, "x" * 100_000)
        held.metadata[key] = random.choice(values)
        if random.random() < 0.2:
            parts.metadata.remove(held)


def _attachment(parts: Parts, random: Random) -> None:
    if parts.attachments:
        held = random.choice(parts.attachments)
        held.data = _changed(held.data, random)
        if random.random() < 0.2:
            held.name = random.choice(("", "world", "../../x", "\x1b[2J"))
        if random.random() < 0.2:
            parts.attachments.remove(held)


CHANGES = (
    _message, _message, _message, _message, _time, _gone, _again, _order, _topic, _schema,
    _metadata, _attachment, _attachment,
)  # fmt: skip
