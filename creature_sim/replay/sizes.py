"""How large anything in a replay may be [bytes]: checked when it is written and when it is read.

With them any file is read within 512 MB, whatever it claims to hold.
"""

LARGEST_CHUNK = 64 << 20
"""Of a chunk, compressed or not: a second of a large world."""
LARGEST_ATTACHMENT = 16 << 20
"""More than any world, and than the ground of any file, compressed."""
LARGEST_WORLD = 8 << 20
"""Of a world that is written out."""
LARGEST_KEYFRAME = 32 << 20
"""Larger states get no keyframes."""
LARGEST_INPUT = 1 << 20
"""Of the events of a tick: definitions of creatures that come."""
LARGEST_REST = 1 << 20
"""Of any other record of the container."""
SMALLEST = 1 << 16
"""Every message may be so large; those of large worlds may be larger."""
MAX_ITEMS = 160_000
"""Values in the JSON of a world, or of creatures that come: each one that is wrong takes memory."""
MAX_ATTACHMENTS = 64
MAX_GROWTH = 16
"""What a replay does not know may be so many times as large as the file when it is unpacked."""


def check_items(name: str, data: bytes, largest: int) -> None:
    """Refuse JSON that is too large to be checked against the models; ValueError says why."""
    if len(data) > largest:
        raise ValueError(f"{name} of {len(data)} bytes; {largest} are allowed")
    count = data.count(b",") + data.count(b"{") + data.count(b"[")
    if count > MAX_ITEMS:
        raise ValueError(f"{name} of {count} values; {MAX_ITEMS} are allowed")
