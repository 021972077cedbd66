"""Files that are written whole or not at all."""

import os
from pathlib import Path

import pytest

from creature_sim.errors import OutputError
from creature_sim.files.output import check_output


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
