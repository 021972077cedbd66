"""Tables as Parquet. Needs the extra `tables`."""

import json
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from typing import IO, Any

import numpy as np
import pyarrow
from pyarrow import parquet

from creature_sim.export.rows import COLUMNS, Label
from creature_sim.maths import Floats

GROUP_ROWS = 100_000
"""Rows that are written together, at least."""
METADATA = "creature_sim"
NUMBERS = ("x", "y", "z", "qx", "qy", "qz", "qw", "bend")


class ParquetTable:
    """Rows in groups, compressed; the schema's metadata say units and where the rows come from."""

    def __init__(self, stream: IO[bytes], tick_rate: int, about: Mapping[str, str]) -> None:
        """Begin a file."""
        kinds = {"tick": pyarrow.int64(), "number": pyarrow.int32(), "joint": pyarrow.int32()}
        words = {
            name: pyarrow.string() for name in ("kind", "name", "part", "joint_name", "source")
        }
        self._schema = pyarrow.schema(
            [
                pyarrow.field(
                    name,
                    {**kinds, **words}.get(name, pyarrow.float64()),
                    metadata={"unit": unit} if unit else None,
                )
                for name, unit in COLUMNS.items()
            ],
            metadata={METADATA: json.dumps({"tick_rate": tick_rate, **about})},
        )
        self._file = parquet.ParquetWriter(stream, self._schema, compression="zstd")
        self._rate, self._source = tick_rate, about["source"]
        self._ticks: list[int] = []
        self._labels: list[list[Label]] = []
        self._numbers: list[Floats] = []
        self._count = 0

    def add(self, tick: int, labels: list[Label], numbers: Floats) -> None:
        """Add the rows of a tick."""
        self._ticks.append(tick)
        self._labels.append(labels)
        self._numbers.append(numbers)
        self._count += len(labels)
        if self._count >= GROUP_ROWS:
            self._write()

    def __enter__(self) -> "ParquetTable":
        """Enter the block in which rows are added."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        """Write what is left, and the end of the file; close it in any case."""
        try:
            if kind is None and self._ticks:
                self._write()
        finally:
            with nullcontext() if kind is None else suppress(OSError):  # the first error counts
                self._file.close()

    def _write(self) -> None:
        ticks = np.repeat(self._ticks, [len(labels) for labels in self._labels])
        numbers = np.concatenate(self._numbers)
        labelled = zip(*(label for labels in self._labels for label in labels), strict=True)
        columns: dict[str, Any] = dict(zip(Label._fields, map(list, labelled), strict=True))
        columns |= {"time": ticks / self._rate, "tick": ticks}
        columns |= {name: numbers[:, k] for k, name in enumerate(NUMBERS)}
        columns["source"] = [self._source] * len(ticks)
        arrays = [
            pyarrow.array(columns[field.name], field.type, from_pandas=True)
            for field in self._schema
        ]
        self._file.write_table(pyarrow.Table.from_arrays(arrays, schema=self._schema))
        self._ticks, self._labels, self._numbers, self._count = [], [], [], 0
