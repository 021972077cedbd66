"""Files that are written whole or not at all."""

import os
import resource
from pathlib import Path
from typing import NoReturn

import pytest

from creature_sim.errors import OutputError
from creature_sim.files.output import check_output, open_part, part_of, write_output
from creature_sim.lab.files import tasks_of, verify_file


def test_a_folder_that_cannot_be_written_to_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_output(tmp_path / "film.webp", force=False)
    # Root may write anywhere but to what is mounted for reading, so the answer is given here.
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    with pytest.raises(OutputError) as caught:
        check_output(tmp_path / "film.webp", force=False)
    expected = f"{tmp_path}/film.webp: expected a folder that can be written to, found another at "
    assert str(caught.value) == f"{expected}{tmp_path}"


def test_a_ctrl_c_as_a_file_is_opened_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(path: Path) -> NoReturn:
        open_part(path).close()
        raise KeyboardInterrupt

    monkeypatch.setattr("creature_sim.files.output.open_part", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_output(tmp_path / "a.mcap", b"data", force=False)
    assert list(tmp_path.iterdir()) == []


def test_what_another_writes_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    part_of(path).write_bytes(b"half")
    with pytest.raises(OutputError, match="expected nothing else to be written there"):
        write_output(path, b"data", force=False)
    assert part_of(path).read_bytes() == b"half"
    assert not path.exists()


def test_a_copy_that_has_no_space_names_the_folder_and_its_variable(tmp_path: Path) -> None:
    """Not a file of the user's that he would look for."""
    path = tmp_path / "walk.mcap"
    path.write_bytes(bytes(5000))
    (task,) = tasks_of([path])
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, old[1]))
    try:
        found = str(verify_file(task))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert f"expected space for a copy of {path}, found too little" in found
    assert "TMPDIR" in found
