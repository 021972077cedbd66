"""Files that somebody else edits."""

import os
import threading
import time
from pathlib import Path

import pytest

from creature_sim.files.watched import POLL_SECONDS, Watched


def saved(path: Path, text: str, second: int) -> None:
    """Write a file, as at a second of its own: two writes in a moment have the same time."""
    path.write_text(text)
    os.utime(path, (second, second))


def test_a_saved_file_has_changed_once(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    saved(path, "a", 1)
    watched = Watched([path])
    assert not watched.has_changed()
    saved(path, "b", 2)
    assert watched.has_changed()
    assert not watched.has_changed()


def test_a_missing_file_may_come_back(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    saved(path, "a", 1)
    watched = Watched([path])
    path.unlink()
    assert not watched.has_changed()
    saved(path, "a", 1)
    assert not watched.has_changed()
    saved(path, "a", 2)
    assert watched.has_changed()


def test_of_other_files_those_known_stay_as_they_were_seen(tmp_path: Path) -> None:
    old, new = tmp_path / "old.toml", tmp_path / "new.toml"
    saved(old, "a", 1)
    saved(new, "a", 1)
    watched = Watched([old])
    saved(old, "b", 2)  # while somebody reads it
    watched.take([old, new])
    assert watched.has_changed()
    watched.take([new])
    saved(old, "c", 3)
    assert not watched.has_changed()


@pytest.mark.slow
def test_it_waits_until_a_file_is_saved_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    saved(path, "a", 1)
    watched = Watched([path])

    def save_slowly() -> None:
        for second in range(2, 6):
            saved(path, "b" * second, second)
            time.sleep(0.6 * POLL_SECONDS)

    writer = threading.Thread(target=save_slowly)
    writer.start()
    watched.wait()
    assert path.read_text() == "b" * 5
    writer.join()
