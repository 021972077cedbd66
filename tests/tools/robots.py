"""What becomes of real robots, as the table of docs/robots-in.md.

`python -m tests.tools.robots` writes the table; it takes a minute or two.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from creature_sim.anatomy import creature_text, robot_anatomy
from creature_sim.anatomy.anatomy import Anatomy
from creature_sim.definitions import CreatureDef
from creature_sim.errors import CreatureSimError
from creature_sim.lab.course import Trial
from creature_sim.lab.run import run_trial
from creature_sim.library.loader import load_creature
from tests.robots.files import DATA, GYM, ROBOTS

PAGE = Path(__file__).parents[2] / "docs" / "robots-in.md"
BEGIN, END = "<!-- robots -->\n", "<!-- end of robots -->\n"
KINDS = ("hills", "stairs")
DIFFICULTY, SEED = 0.25, 0
HEAD = ("robot", "found", "hills", "stairs")


def path_of(robot: str) -> Path | None:
    """The file of a robot; None where its package is not installed."""
    package, name = robot.split("/", 1)
    folder = DATA if package == "pybullet_data" else GYM
    return None if folder is None else folder / name


def made(robot: str, folder: Path) -> tuple[Anatomy, CreatureDef] | str:
    """The creature of a robot, written and loaded again, or why there is none."""
    path = path_of(robot)
    assert path is not None
    try:
        anatomy, data = robot_anatomy(path)
        text = creature_text(anatomy, "robot", "robot.glb", "x.json")
    except CreatureSimError as error:
        return str(error).replace(f"{path}: ", "")
    (folder / "robot.glb").write_bytes(data)
    (folder / "robot.toml").write_text(text)
    return anatomy, load_creature(folder / "robot.toml")


def told(found: tuple[Anatomy, CreatureDef] | str) -> str:
    """What was found, in a few words."""
    if isinstance(found, str):
        return f"refused: {found}"
    anatomy = found[0]
    words = [f"{2 * len(anatomy.legs)} legs, {anatomy.robot.mass:.3g} kg"]
    limits = [left.limits for left, _ in anatomy.legs]
    words += dict.fromkeys(f"{one.added} is added" for one in limits if one and one.added)
    return "; ".join(words)


def walked(creature: CreatureDef, kind: str) -> str:
    """How a trial went."""
    try:
        outcome = run_trial(creature, Trial(kind, DIFFICULTY, SEED))
    except CreatureSimError as error:
        return str(error)
    return "walks" if outcome.verdict == "success" else f"no: {outcome.cause}"


def rows() -> Iterator[tuple[str, ...]]:
    """The rows of the table."""
    for robot in ROBOTS:
        with TemporaryDirectory() as folder:
            found = made(robot, Path(folder))
            trials = ["", ""]
            if not isinstance(found, str):
                trials = [walked(found[1], kind) for kind in KINDS]
        yield f"`{robot}`", shown(told(found)), *map(shown, trials)


def shown(text: str) -> str:
    """A text that a cell can hold."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def main() -> None:
    """Write the table into its page."""
    lines = [HEAD, ("---",) * len(HEAD), *rows()]
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
