"""Files of whole lines: what was cut off is not there, what was kept stays."""

from pathlib import Path

import pytest

from creature_sim.errors import OutputError
from creature_sim.files.line_file import LineFile, remove, whole_lines


def test_a_line_that_was_cut_off_is_removed_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"one\ntwo\nthr")
    assert list(whole_lines(path)) == [(0, b"one\n"), (4, b"two\n")]
    lines = LineFile(path)
    assert lines.append(b"four") == len(b"one\ntwo\n")
    assert path.read_bytes() == b"one\ntwo\nfour\n"  # kept before the next one
    lines.close()
    assert lines.end == path.stat().st_size


def test_of_a_line_that_is_being_written_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    lines = LineFile(path)
    lines.append(b"one")
    with path.open("ab") as other:
        other.write(b"tw")
    lines.close()
    assert path.read_bytes() == b"one\n"


def test_only_one_command_at_a_time_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    lines = LineFile(path)
    lines.append(b"one")
    for another in (LineFile, remove):
        with pytest.raises(OutputError, match="expected no other command that writes it"):
            another(path)
    lines.append(b"two")
    lines.close()
    assert path.read_bytes() == b"one\ntwo\n"
    remove(path)
    assert not path.exists()
