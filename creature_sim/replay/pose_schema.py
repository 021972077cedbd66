"""The schema of /pose messages, as protobuf describes itself.

    message Pose {
      uint64 tick = 1;             uint32 per_metre = 2;        uint32 creature_count = 3;
      repeated Creature creatures = 4;
      repeated Rig rigs = 5;       Props props = 6;
    }
    message Creature { uint32 number = 1; repeated Segment segments = 2; repeated Leg legs = 3; }
    message Segment { repeated sint64 position = 1; repeated sint64 orientation = 2; }
    message Leg {
      repeated sint64 tip = 1;     repeated sint64 goal = 2;    repeated sint64 foothold = 3;
      repeated sint64 normal = 4;  repeated sint64 heading = 5; repeated sint64 joints = 6;
      bool is_swinging = 7;
    }
    message Rig { repeated sint64 joints = 1; repeated sint64 targets = 2; }
    message Props { repeated sint64 positions = 1; repeated sint64 orientations = 2; }

Points are whole multiples of 1 m / per_metre, in the world. Of the joints of a leg, without its
tip, the hip is seen from the creature's first segment, where it never moves; the others are seen
from the hip, along the way in which the leg goes out to its tip over that segment's floor, across,
and up (in files of format 5 all from the segment): most legs bend in one plane. Orientations
(xyzw) are multiples of 1/100,000, normals and headings of 1/1000. Integers, since they are a third
as large as floats when they are compressed.
"""

from collections.abc import Iterator

PACKAGE = "creature_sim"
POSE_NAME = f"{PACKAGE}.Pose"
UINT64, BOOL, MESSAGE, UINT32, SINT64 = 4, 8, 11, 13, 18
"""Types of fields, as `descriptor.proto` numbers them."""
_OPTIONAL, _REPEATED = 1, 3

_Field = tuple[str, int, str]
_MESSAGES: dict[str, list[_Field]] = {
    "Pose": [
        ("tick", UINT64, ""),
        ("per_metre", UINT32, ""),
        ("creature_count", UINT32, ""),
        ("creatures", MESSAGE, "*Creature"),
        ("rigs", MESSAGE, "*Rig"),
        ("props", MESSAGE, "Props"),
    ],
    "Creature": [
        ("number", UINT32, ""),
        ("segments", MESSAGE, "*Segment"),
        ("legs", MESSAGE, "*Leg"),
    ],
    "Segment": [("position", SINT64, "*"), ("orientation", SINT64, "*")],
    "Leg": [
        *((name, SINT64, "*") for name in ("tip", "goal", "foothold")),
        *((name, SINT64, "*") for name in ("normal", "heading", "joints")),
        ("is_swinging", BOOL, ""),
    ],
    "Rig": [("joints", SINT64, "*"), ("targets", SINT64, "*")],
    "Props": [("positions", SINT64, "*"), ("orientations", SINT64, "*")],
}
"""Name, type, and of what message each field is; a star: there may be several."""


def number(value: int) -> bytes:
    """A number as protobuf writes it."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)


def plain(field: int, value: int) -> bytes:
    """A field that is a number."""
    return number(field << 3) + number(value)


def block(field: int, data: bytes) -> bytes:
    """A field that is text, a message or packed numbers."""
    return number(field << 3 | 2) + number(len(data)) + data


def schema() -> bytes:
    """The FileDescriptorSet that MCAP asks for."""
    file = block(1, b"creature_sim/pose.proto") + block(2, PACKAGE.encode())
    for name, fields in _MESSAGES.items():
        file += block(4, block(1, name.encode()) + b"".join(_described(fields)))
    return block(1, file + block(12, b"proto3"))


def _described(fields: list[_Field]) -> Iterator[bytes]:
    for index, (name, kind, of) in enumerate(fields, 1):
        label = _REPEATED if of.startswith("*") else _OPTIONAL
        data = block(1, name.encode()) + plain(3, index) + plain(4, label) + plain(5, kind)
        if of.strip("*"):
            data += block(6, f".{PACKAGE}.{of.strip('*')}".encode())
        yield block(2, data)
