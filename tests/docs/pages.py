"""The pages as tests see them: their blocks of code, their links, and what their commands are.

Blocks of a page are one session, from top to bottom, in one empty folder that holds the demo's
recording. A block with a title is a file that the reader writes. Every other block is run:

    sh      line by line; a comment with "minute" says that it takes long, and only its options
            are checked
    toml    loaded as a world, a creature or a file of limits
    python  executed; one whose title is a file of the repository is an entry of a table there
    yaml    parsed
    text    a drawing; nothing to run
"""

import re
import shlex
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
LANGUAGES = ("sh", "toml", "python", "yaml", "text")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page.

    Attributes:
        language: behind the fence.
        title: of a file that the reader writes; empty: none.
        text: without the fences.
        line: of the page, where it begins.
    """

    language: str
    title: str
    text: str
    line: int


@dataclass(frozen=True)
class Command:
    """A line of shell.

    Attributes:
        words: as the shell splits them.
        is_long: whether its comment says that it takes minutes.
    """

    words: tuple[str, ...]
    is_long: bool


@dataclass(frozen=True)
class Page:
    """A Markdown file."""

    path: Path

    @property
    def name(self) -> str:
        """Its path in the repository."""
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def text(self) -> str:
        """All of it."""
        return self.path.read_text()

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Its blocks of code, in order."""
        found = []
        for match in re.finditer(r"^```(\S*)(.*)\n((?:.*\n)*?)```$", self.text, re.MULTILINE):
            title = re.search(r'title="(.*?)"', match[2])
            line = self.text.count("\n", 0, match.start()) + 1
            found.append(Block(match[1], title[1] if title else "", match[3], line))
        return tuple(found)

    @cached_property
    def links(self) -> tuple[str, ...]:
        """Where its links and pictures lead to."""
        prose = re.sub(r"^```.*?^```$", "", self.text, flags=re.MULTILINE | re.DOTALL)
        return tuple(re.findall(r"\]\(([^)\s]+)\)", prose))


def commands(block: Block) -> list[Command]:
    """The commands of a block of shell; those of a line that `&&` joins come apart."""
    found = []
    for line in block.text.splitlines():
        words: list[str] = []
        for word in (*shlex.split(line, comments=True), "&&"):
            if word != "&&":
                words.append(word)
            elif words:
                found.append(Command(tuple(words), "minute" in line.partition("#")[2]))
                words = []
    return found


TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
PAGES = tuple(
    Page(path) for path in sorted([*(ROOT / name for name in TOP), *(ROOT / "docs").rglob("*.md")])
)


def page(name: str) -> Page:
    """A page by its path in the repository."""
    (found,) = [page for page in PAGES if page.name == name]
    return found
