"""Files that are made to do harm are refused, or read, within little memory and time."""

import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mcap.opcode import Opcode

from creature_sim.errors import ReplayError
from creature_sim.replay import open_replay, record, verify
from creature_sim.replay.batch_timeline import timeline_of
from creature_sim.replay.container import Container
from creature_sim.replay.reader import read_start
from tests.forks import start_script
from tests.marks import THOROUGH
from tests.replay.mcaps import (
    Chunk,
    lz4_of,
    message,
    whole_chunk,
    with_attachment,
    with_records,
    zstd_of,
)
from tests.replay.mcaps import record as raw_record
from tests.scenes import scene

MOST_MEMORY = 512 << 20
ZEROS = bytes(1 << 20)
OPEN = """
import sys
from pathlib import Path
from creature_sim.errors import ReplayError
from creature_sim.replay import open_replay
try:
    found = open_replay(sys.argv[1])
    print("opened", found.ticks, found.cut)
except ReplayError as error:
    print("refused", error)
lines = Path("/proc/self/status").read_text().splitlines()
print(next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM")))
"""


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / "walk.mcap"
    record(scene("meadow", "hexapod"), path, 30)
    return path


def zeros(count: int) -> Iterator[bytes]:
    """So many megabytes of zeros."""
    return (ZEROS for _ in range(count))


def bombs() -> dict[str, Callable[[], bytes]]:
    """Records that unpack to far more than they say, or than anybody needs, by name."""
    other = raw_record(0x90, bytes(60 << 20))
    small = message(4, b'{"tick":0}') * 1_500_000
    return {
        "a chunk that says 100 bytes and holds 2 GB": lambda: Chunk(zstd_of(zeros(2048))).record(),
        "a frame that says it has 2 GB": lambda: Chunk(
            zstd_of(zeros(2048), size=2048 << 20)
        ).record(),
        "a chunk that says it has 2 GB": lambda: Chunk(
            zstd_of(zeros(2048), size=2048 << 20), size=2048 << 20
        ).record(),
        "the same by lz4": lambda: Chunk(lz4_of(zeros(2048)), "lz4").record(),
        "lz4 that says it has 60 MB": lambda: Chunk(
            lz4_of(zeros(2048)), "lz4", size=60 << 20
        ).record(),
        "forty chunks of 60 MB of something else": lambda: whole_chunk(other).record() * 40,
        "forty chunks of zeros": lambda: whole_chunk(bytes(60 << 20)).record() * 40,
        "a digest of 60 MB": lambda: whole_chunk(
            message(2, b'{"tick":0,"creatures":[' + b"{}," * (20 << 20) + b"{}]}")
        ).record(),
        "many small messages": lambda: whole_chunk(small).record() * 4,
        "a metadata record of 2 MB": lambda: raw_record(Opcode.METADATA, bytes(2 << 20)),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", bombs())
def test_a_bomb_does_not_go_off(name: str, walk: Path, tmp_path: Path) -> None:
    path = with_records(walk, tmp_path / "bomb.mcap", bombs()[name](), instead=True)
    told, memory = opened_apart(path)
    assert told.startswith(("refused", "opened 0")), told
    assert memory < MOST_MEMORY


def opened_apart(path: Path) -> tuple[str, int]:
    """What a process of its own says of a file, and the memory it took [bytes]."""
    process = start_script(OPEN, str(path))
    stdout, stderr = process.communicate()
    assert process.returncode == 0, stderr
    *told, memory = stdout.splitlines()
    return "\n".join(told), int(memory)


@pytest.mark.parametrize(
    ("count", "item", "name"),
    [
        pytest.param(
            *(count, item, name),
            marks=pytest.mark.slow if (number + of + index) % 4 == 0 else THOROUGH,
        )
        for of, count in enumerate((10**9, 50_000))
        for number, item in enumerate(("[]", "{}", '{"creature":"hexapod"}', "0"))
        for index, name in enumerate(("world.json", "before.json"))
    ],
)
def test_json_of_megabytes_is_refused(
    name: str, item: str, count: int, walk: Path, tmp_path: Path
) -> None:
    items = ",".join([item] * min(8_000_000 // (len(item) + 1), count))

    def change(found: str, data: bytes) -> bytes:
        del found
        return data.replace(b'"creatures":[', b'"creatures":[' + items.encode() + b",")

    path = with_attachment(walk, tmp_path / "large.mcap", change)
    if name == "before.json":
        data = f"[{items}]".encode()
        attachment = struct.pack("<QQI", 0, 0, len(name)) + name.encode() + struct.pack("<I", 0)
        attachment += struct.pack("<Q", len(data)) + data + struct.pack("<I", 0)
        path = with_records(walk, path, raw_record(Opcode.ATTACHMENT, attachment))
    told, memory = opened_apart(path)
    assert told.startswith("refused"), told
    assert len(told) < 4000
    assert memory < MOST_MEMORY


@pytest.mark.parametrize(
    "forged",
    [
        Chunk(b"", "lz4"),
        Chunk(b"\x04\x22\x4d\x18" + bytes(20), "lz4"),
        Chunk(b"hello", "lz4"),
        Chunk(b"hello", "zstd"),
        Chunk(b"", "zstd", size=0),
        Chunk(b"hello", "none"),
        Chunk(b"hello", "", size=5),
        Chunk(bytes(9), "", size=9),
        Chunk(struct.pack("<BQ", Opcode.MESSAGE, 2**63), "", size=9),
        Chunk(struct.pack("<BQ", Opcode.CHANNEL, 2**64 - 1), "", size=9),
        Chunk(raw_record(Opcode.CHANNEL, b"\xff" * 12), "", size=21),
        Chunk(message(999, b"{}"), "", size=33),
        Chunk(b"hello", "zstd", size=2**63),
    ],
)
def test_a_forged_chunk_is_no_traceback(forged: Chunk, walk: Path, tmp_path: Path) -> None:
    for instead in (True, False):
        records = forged.record()
        path = with_records(walk, tmp_path / "forged.mcap", records, instead=instead)
        try:
            assert open_replay(path).cut
        except ReplayError as error:
            told = str(error)
            assert "forged.mcap" in told


@pytest.mark.parametrize(
    ("spoil", "cut"),
    [
        (lambda whole: whole[:-1], "the file ends within its end mark"),
        (lambda whole: whole[:-9], "the file ends within its index"),
        (lambda whole: whole[:-60], "the file ends within its index"),
        (lambda whole: whole + b"junk", "4 bytes follow the end of the recording"),
        (lambda whole: whole + whole, "bytes follow the end of the recording"),
        (lambda whole: flipped(whole, -45), "the checksum of its index is wrong"),
    ],
)
def test_a_file_is_whole_up_to_its_last_byte(
    spoil: Callable[[bytes], bytes], cut: str, walk: Path, tmp_path: Path
) -> None:
    """Files that no other program reads were verified, and of two in one only the first."""
    (tmp_path / "spoilt.mcap").write_bytes(spoil(walk.read_bytes()))
    found = open_replay(tmp_path / "spoilt.mcap")
    assert found.cut.endswith(cut)
    assert found.last == open_replay(walk).last
    proven = verify(found)
    assert (proven.ok, proven.is_cut, proven.last) == (None, True, found.last)


def flipped(data: bytes, place: int) -> bytes:
    """Bytes with one bit changed."""
    changed = bytearray(data)
    changed[place] ^= 1
    return bytes(changed)


def test_a_path_with_a_null_byte_is_refused() -> None:
    with pytest.raises(ReplayError, match=r"^expected the path of a replay, found 'a.x00b'$"):
        open_replay("a\0b")


@pytest.mark.parametrize("field", [0, 1])
def test_messages_bear_the_times_of_their_ticks(field: int, walk: Path) -> None:
    """By these other programs play them: a walk of ten seconds lasted twenty there."""
    container = Container(walk)
    start = read_start(container)
    timeline = timeline_of(start.version, start.world, start.before)
    found = next(container.messages(0))
    times = list(found.times)
    times[field] += 1
    with pytest.raises(ValueError, match=f"{found.topic} of tick [01] at "):
        timeline.add(found._replace(times=(times[0], times[1])))
    timeline.add(found)


@pytest.mark.parametrize("opcode", range(0x12))
@pytest.mark.parametrize("size", [2**63, 2**64 - 1, 2**31])
def test_a_length_that_no_file_has_is_refused(
    opcode: int, size: int, walk: Path, tmp_path: Path
) -> None:
    records = struct.pack("<BQ", opcode, size) + bytes(50)
    with pytest.raises(ReplayError, match=r"lengthy\.mcap"):
        open_replay(with_records(walk, tmp_path / "lengthy.mcap", records, instead=True))
