"""What commands print, made harmless: text of files, names and the environment is no command.

A terminal obeys control characters, wherever they come from: a replay whose metadata hold the
right ones could clear the screen and print "verified". While a command runs, what it prints goes
through `guarded` streams that show them instead, the way Python writes them.
"""

import io
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console

_CONTROLS = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 without tab and newline, DEL, C1
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # what turns the direction of writing
    r"\u2028\u2029"  # separators of lines and paragraphs
    r"\ud800-\udfff"  # bytes of a file name that are no text
)
_HARMFUL = re.compile(f"[{_CONTROLS}]")
_HARMFUL_IN_LINE = re.compile(rf"[\n{_CONTROLS}]")


def _shown(found: re.Match[str]) -> str:
    """A character as Python writes it."""
    return found[0].encode("unicode_escape", "surrogatepass").decode()


def escaped(text: str) -> str:
    """Text of any number of lines with every control character shown instead of obeyed."""
    return _HARMFUL.sub(_shown, text)


def one_line(text: str) -> str:
    """The same for text that has no right to a line of its own: newlines are shown, too."""
    return _HARMFUL_IN_LINE.sub(_shown, text)


def _fit(text: str, stream: TextIO) -> str:
    """Text with what the stream's encoding does not have as Python writes it."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


class Guarded:
    """A text stream that shows control characters, and whatever its encoding does not have.

    One piece of text is one line: a newline at its end is obeyed, one within it came with a name
    or a file and is shown. So nobody can add a line to what a command says: `print` writes its
    text and its newline apart.

    Attributes:
        stream: behind it.
        is_over: whether the command has ended; then everything passes. Libraries that keep the
            stream reset a terminal's colours when the process ends (colorama, for numba).
    """

    def __init__(self, stream: TextIO) -> None:
        """Write to a stream."""
        self.stream = stream
        self.is_over = False

    def write(self, text: str) -> int:
        """Write a piece of text."""
        if self.is_over:
            return self.stream.write(text)
        end = "\n" if text.endswith("\n") else ""
        self.stream.write(_fit(one_line(text.removesuffix("\n")), self.stream) + end)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write one text after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        """Anything else is the stream's own."""
        return getattr(self.stream, name)


@contextmanager
def guarded() -> Iterator[None]:
    """A block in which `sys.stdout` and `sys.stderr` are guarded; they may be None."""
    before = sys.stdout, sys.stderr
    guards = [
        None if stream is None or isinstance(stream, Guarded) else Guarded(stream)
        for stream in before
    ]
    sys.stdout, sys.stderr = (
        stream if guard is None else cast(TextIO, guard)
        for stream, guard in zip(before, guards, strict=True)
    )
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for guard in filter(None, guards):
            guard.is_over = True


def print_text(text: str) -> None:
    """Print text of our own that has many lines."""
    stream = _unguarded(sys.stdout)
    if stream is not None:
        stream.write(_fit(escaped(text), stream))


def console(*, is_error: bool = False) -> "Console":
    """A console of rich for tables and bars: its colours and moves pass, those of cells do not."""
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    found = _unguarded(sys.stderr if is_error else sys.stdout)
    stream = io.StringIO() if found is None else found

    class Safe(Console):
        """Shows control characters of what it renders, and what the encoding does not have."""

        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterable[Segment]:
            for segment in super().render(renderable, options):
                if segment.control:
                    yield segment
                else:
                    yield Segment(_fit(escaped(segment.text), stream), segment.style)

    return Safe(file=stream)


def _unguarded(stream: TextIO | None) -> TextIO | None:
    """The stream behind a guard."""
    return stream.stream if isinstance(stream, Guarded) else stream
