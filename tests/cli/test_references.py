"""What the command line says of files that are of another kind than was asked for."""

from pathlib import Path

import pytest

from creature_sim.cli.references import no_replay
from tests.docs.sessions import check_options


@pytest.mark.parametrize("name", ["meadow", "hexapod"])
def test_the_command_that_records_a_replay_exists(name: str) -> None:
    advice = no_replay(Path(name))
    assert name in advice
    check_options(advice.rsplit(": ", 1)[1].split())


def test_what_is_no_definition_may_be_a_replay(tmp_path: Path) -> None:
    assert no_replay(tmp_path / "walk.mcap") == ""
    assert no_replay(tmp_path / "missing.toml") == ""
