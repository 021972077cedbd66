"""Text from files, made safe to show: names in worlds and replays are whatever somebody wrote."""

from unicodedata import category

from creature_sim.definitions.names import leg_name

__all__ = ["leg_name", "printable"]

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of characters that show nothing, move other text or break lines."""


def printable(text: str) -> str:
    """A text whose control characters are written as escapes: one line that says what it holds.

    Among them are C0, DEL and C1, and the marks that turn the direction of writing.
    """
    return "".join(_escaped(letter) if category(letter) in HIDDEN else letter for letter in text)


def _escaped(letter: str) -> str:
    """The escape that Python writes for a character."""
    code = ord(letter)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
