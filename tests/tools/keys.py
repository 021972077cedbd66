"""The tables of keys on the page of steering: `python -m tests.tools.keys` writes them."""

from pathlib import Path

from creature_sim.view.shows.controls import Mode, controls_of

PAGE = Path(__file__).parents[2] / "docs" / "steering.md"


def table(mode: Mode) -> str:
    """Keys and what they do, as a table in Markdown."""
    rows = [f"| {control.label} | {control.meaning} |" for control in controls_of(mode)]
    return "\n".join(["| key | what it does |", "|---|---|", *rows])


def main() -> None:
    """Write both tables."""
    text = PAGE.read_text()
    modes: tuple[Mode, ...] = ("live", "replay")
    for mode in modes:
        mark = f"<!-- keys: {mode} -->\n"
        head, rest = text.split(mark)
        text = head + mark + table(mode) + "\n\n" + rest.partition("\n\n")[2]
    PAGE.write_text(text)


if __name__ == "__main__":
    main()
