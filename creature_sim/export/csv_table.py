"""Tables as CSV."""

from typing import IO

from creature_sim.export.rows import COLUMNS, Label
from creature_sim.maths import Floats


class CsvTable:
    """Rows as text: numbers have all the digits that tell them from any other."""

    def __init__(self, stream: IO[bytes], tick_rate: int, source: str) -> None:
        """Write the head."""
        self._stream, self._rate, self._source = stream, tick_rate, source
        self._labels: list[Label] = []
        self._texts: list[str] = []
        stream.write((",".join(COLUMNS) + "\n").encode())

    def add(self, tick: int, labels: list[Label], numbers: Floats) -> None:
        """Add the rows of a tick; no name or part has a comma in it."""
        if labels is not self._labels:
            self._labels = labels
            self._texts = [",".join(map(str, label)) for label in labels]
        moment = f"{tick / self._rate!r},{tick}"
        lines = [
            f"{moment},{text},{x!r},{y!r},{z!r},"
            + (",,," if turn[0] != turn[0] else ",".join(map(repr, turn)))
            + ("," if bend != bend else f",{bend!r}")
            + f",{self._source}\n"
            for text, (x, y, z, *turn, bend) in zip(self._texts, numbers.tolist(), strict=True)
        ]
        self._stream.write("".join(lines).encode())

    def __enter__(self) -> "CsvTable":
        """Enter the block in which rows are added."""
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing is left to write."""
