"""A file with every evaluation as it comes: what ended early goes on from there."""

from pathlib import Path

import orjson

from creature_sim.errors import OutputError, OutputExists
from creature_sim.files.line_file import LineFile, remove, whole_lines
from creature_sim.lab.tuning.run import Evaluation, Run


class Journal:
    """Evaluations by key, on a disk.

    Attributes:
        path: of the file; a line for each evaluation.
        count: number of those that are kept.
    """

    def __init__(self, path: Path, *, resume: bool = False, force: bool = False) -> None:
        """Open a journal, new or to go on with.

        Raises:
            OutputError: there is one and neither was asked for, or none can be written.
        """
        self.path = path
        self._found: dict[str, Evaluation] = {}
        try:
            if path.exists() and not resume and not force:
                found = f"{path}: expected no evaluations there, found some"
                raise OutputExists(
                    f"{found}; resume=True goes on with them, force=True replaces them",
                    f"{found}; --resume goes on with them, --force replaces them",
                )
            if force and not resume:
                remove(path)
            path.touch()
            for _, line in whole_lines(path):
                self._take(line)
            self._lines = LineFile(path)
        except OSError as error:
            raise OutputError(
                f"{path}: expected a path that can be written, found one that cannot "
                f"({error.strerror})"
            ) from None
        self.count = len(self._found)

    def _take(self, line: bytes) -> None:
        try:
            row = orjson.loads(line)
            runs = tuple(
                Run(run["numbers"], tuple(run["failed"]), run["duty"], run["error"])
                for run in row["runs"]
            )
            self._found[row["key"]] = Evaluation(runs, row["seconds"])
        except (ValueError, KeyError, TypeError) as error:
            raise OutputError(
                f"{self.path}: expected evaluations, found something else: {error}"
            ) from None

    def get(self, key: str) -> Evaluation | None:
        """The evaluation with a key, if it is kept."""
        return self._found.get(key)

    def add(self, key: str, values: dict[str, float], found: Evaluation) -> None:
        """Keep an evaluation.

        Raises:
            OutputError: the disk is full. What was kept before is whole.
        """
        runs = [run._asdict() for run in found.runs]
        row = {"key": key, "values": values, "runs": runs, "seconds": found.seconds}
        try:
            self._lines.append(orjson.dumps(row))
        except OSError as error:
            raise OutputError(
                f"{self.path}: expected space on the disk, found none ({error.strerror}); "
                f"{self.count:,} evaluations are kept, --resume goes on"
            ) from None
        self._found[key] = found
        self.count += 1

    def __enter__(self) -> "Journal":
        """Enter a block in which evaluations are added."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file; of a line that was being written nothing is left."""
        self._lines.close()
