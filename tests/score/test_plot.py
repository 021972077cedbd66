"""Plots of walks: names of files are shown as they are."""

from pathlib import Path

import pytest
from PIL import Image

from creature_sim.score.plot import open_figure, save_figure


@pytest.mark.parametrize("name", ["$x^$.mcap", "a$b$c.mcap", "bad\udcff.mcap", "\u65e5\u672c.mcap"])
def test_any_name_of_a_file_may_be_a_title(name: str, tmp_path: Path) -> None:
    """Dollars began a formula, and ended in a traceback; warnings are errors here."""
    figure = open_figure(tmp_path / "a.png", (2.0, 2.0))
    axes = figure.subplots()
    axes.set_title(name)
    save_figure(figure, tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (200, 200)
    assert axes.get_title() == name.replace("\udcff", "?")
