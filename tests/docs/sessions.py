"""Does what a page tells the reader to do."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np
import typer
import yaml
from PIL import Image

from creature_sim.cli.commands import app
from creature_sim.lab.sweeps import read_plan
from creature_sim.lab.tuning import load_objective
from creature_sim.library.loader import check
from creature_sim.score.limits import load_limits
from tests.commands import sim
from tests.docs.pages import ROOT, Block, Command, Page, commands
from tests.export.peers import BLENDER
from tests.workers.inline import Inline

SHORT = ("--ticks", "30")
"""What windows of pages are opened for."""
MOST = {"--seconds": 8.0, "--seeds": 1.0}
"""What longer runs, and more of them, are cut to."""
COMMANDS = """
import json, sys
from tests.commands import sim
for words in json.loads(sys.argv[1]):
    done = sim(*words)
    if done.returncode:
        sys.exit(f"{words}: {done.stderr}{done.stdout}")
"""


@contextmanager
def reader(folder: Path, recording: Path) -> Iterator["Reader"]:
    """Somebody who works in a folder of their own, which holds recordings."""
    (folder / "replays").mkdir()
    for copy in ("creature-sim-demo.mcap", "replays/walk.mcap"):
        shutil.copy(recording, folder / copy)
    with chdir(folder):
        yield Reader(folder)


@dataclass
class Reader:
    """Reads a page and does what it says.

    Attributes:
        folder: that they work in.
        points: entry points of the packages that they write, by group.
        waiting: commands that such packages belong to; those of a block share a process.
    """

    folder: Path
    points: dict[str, dict[str, str]] = field(default_factory=dict)
    waiting: list[list[str]] = field(default_factory=list)

    def do(self, page: Page) -> None:
        """Everything on a page, from top to bottom."""
        for block in page.blocks:
            try:
                getattr(self, f"do_{block.language}")(block)
            except BaseException as error:
                error.add_note(f"{page.name}:{block.line}")
                raise

    def do_text(self, block: Block) -> None:
        """Look at it."""

    def do_sh(self, block: Block) -> None:
        """Type the lines."""
        for command in commands(block):
            print("$", *command.words)
            self.run(command)
        if self.waiting:
            self.process("-c", COMMANDS, json.dumps(self.waiting))
            self.waiting.clear()

    def do_toml(self, block: Block) -> None:
        """Write the file, and load it as what it is."""
        path = self.write(block)
        if block.title == "pyproject.toml":
            self.install(tomllib.loads(block.text))
        elif self.points:
            pass  # what packages bring would stay in this process; the page's commands load it
        elif block.title == "limits.toml":
            load_limits(path)
        elif block.title.startswith("sweep"):
            read_plan(path)
        elif block.title.startswith("objective"):
            load_objective(str(path))
        else:
            self.bring_data(block.text)
            check(path)

    def do_python(self, block: Block) -> None:
        """Run the program; a module of the reader's is only written, for others to import it."""
        if block.title.startswith("creature_sim/"):
            module = importlib.import_module(block.title.removesuffix(".py").replace("/", "."))
            assert eval(f"{{{block.text}}}", dict(vars(module)))
            return
        path = self.write(block)
        code = compile(block.text, str(path), "exec")
        if block.title.startswith("test_"):
            self.process("-m", "pytest", "-q", "-p", "no:cacheprovider", block.title)
        elif "pybullet." in block.text:  # its functions mean client 0, which is another's here
            self.process(path.name)
        elif not block.title or "__main__" in block.text:
            program = ModuleType("__main__")  # dataclasses look for the module that they are in
            before, sys.modules["__main__"] = sys.modules["__main__"], program
            try:
                exec(code, program.__dict__)
            finally:
                sys.modules["__main__"] = before

    def do_yaml(self, block: Block) -> None:
        """Write the workflow and do its steps, but for those that bring Python and packages."""
        assert (ROOT / "docs" / Path(block.title).name).read_text() == block.text
        (self.folder / "replays" / "limits.toml").write_text('M1 = "pass"\n')
        workflow = yaml.safe_load(block.text)
        for job in workflow["jobs"].values():
            for step in job["steps"]:
                assert ("run" in step) != ("uses" in step), step
                self.do_sh(Block("sh", "", step.get("run", ""), block.line))

    def write(self, block: Block) -> Path:
        """The file of a block."""
        path = self.folder / (block.title or f"block.{block.language[:2]}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text)
        return path

    def bring_data(self, text: str) -> None:
        """Data that the reader has: heights of 160 x 160 m, a mesh of one rock."""
        for name in re.findall(r'file = "(.*?)"', text):
            if (self.folder / name).exists():
                continue
            if name.endswith(".glb"):
                import trimesh

                trimesh.creation.icosphere(radius=1.0).export(self.folder / name)
            else:
                x = np.arange(640.0)
                values = 12_000.0 + 40.0 * np.sin(0.05 * x[:, None]) + 0.0 * x
                Image.fromarray(values.astype(np.float32)).save(self.folder / name)

    def install(self, project: dict[str, Any]) -> None:
        """What pip would leave of a package whose modules lie in the folder."""
        for group, points in project["project"]["entry-points"].items():
            self.points.setdefault(group, {}).update(points)
        information = self.folder / "of_the_reader-1.0.dist-info"
        information.mkdir(exist_ok=True)
        (information / "METADATA").write_text("Name: of-the-reader\nVersion: 1.0\n")
        lines = [
            line
            for group, points in self.points.items()
            for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
        ]
        (information / "entry_points.txt").write_text("\n".join(lines))

    def run(self, command: Command) -> None:
        """One command of the shell; a KeyError names a program that pages do not use."""
        program = command.words[0].removeprefix(".venv/bin/")
        PROGRAMS[program](self, command)

    def creature_sim(self, command: Command) -> None:
        """The command of this package, in this process; where it opens a window, for a moment."""
        words = [
            found
            for word in command.words[1:]
            for found in (
                sorted(str(path.relative_to(self.folder)) for path in self.folder.glob(word))
                if "*" in word
                else [word]
            )
        ]
        assert words, command
        check_options(words)
        if command.is_long or words == ["demo"]:  # its recording is here already
            return
        if words[0] == "run" and "--headless" not in words:
            words = [word if word != "--twin" else "--physical" for word in words]  # wants a window
            words += ["--headless", *SHORT]
        if words[0] == "export" and "--watch" in words:
            words.remove("--watch")  # once, and not until somebody stops it
        if words[0] in ("trial", "verify", "sweep", "tune", "evolve") and "--cluster" not in words:
            words += ["--jobs", "1"]  # a process takes longer to start than these take to run
        words = shortened(words)
        if self.points:
            self.waiting.append(words)
            return
        with (
            mock.patch("creature_sim.view.open.show_replay") as show,
            mock.patch("creature_sim.workers.processes.Processes", Inline),
        ):
            done = sim(*words, cwd=self.folder)
        assert done.returncode == 0, done.stderr + done.stdout
        shows = words[0] == "results" and "--replay" in words
        assert show.called == (shows or (words[0] == "replay" and "--headless" not in words))

    def process(self, *words: str) -> None:
        """Run Python in a process of its own, which finds the reader's modules."""
        done = subprocess.run(
            [sys.executable, *words],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(self.folder), str(ROOT)])},
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def shortened(words: list[str]) -> list[str]:
    """A command that does the same for less long."""
    found = list(words)
    for option, most in MOST.items():
        if option in found:
            place = found.index(option) + 1
            found[place] = f"{min(float(found[place]), most):g}"
    if "--loop" in found and "--seconds" not in found:
        found += ["--seconds", f"{MOST['--seconds']:g}"]
    return found


def check_options(words: list[str]) -> None:
    """Refuse a command that does not exist, or options that it does not have."""
    command: Any = typer.main.get_command(app)
    context = typer.Context(command, info_name="creature-sim")
    while hasattr(command, "commands"):
        assert words[0] in command.commands, f"no command {words[0]!r}"
        command, words = command.commands[words[0]], words[1:]
    command.make_context(command.name, list(words), parent=context)


def _pip(reader: Reader, command: Command) -> None:
    """Extras exist, and what is installed is this package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (what,) = [word for word in command.words[2:] if not word.startswith("-")]
    name, _, extras = what.partition("[")
    if "==" in name:
        name, _, version = name.partition("==")
        assert version == project["version"]
    assert name in (".", "creature-sim")
    for extra in filter(None, extras.rstrip("]").split(",")):
        assert extra in project["optional-dependencies"], extra


def _python(reader: Reader, command: Command) -> None:
    """The module exists, and the files that are named."""
    assert command.words[1] == "-m", command
    module = command.words[2]
    assert module in ("venv", "pytest") or find_spec(module), module
    for word in command.words[3:]:
        if "/" in word:
            assert (ROOT / word).exists(), word


def _apt(reader: Reader, command: Command) -> None:
    """Packages are among those that .ci/run installs."""
    known = (ROOT / ".ci" / "run").read_text()
    assert command.words[1:3] == ("apt-get", "install")
    for name in command.words[3:]:
        assert re.search(rf"\b{name}\b", known), name


def _tool(reader: Reader, command: Command) -> None:
    """.ci/run runs it too, or it is of the development environment."""
    ci = (ROOT / ".ci" / "run").read_text()
    line = " ".join(command.words)
    assert line in ci or line in ("pre-commit install", "mkdocs serve", "mkdocs build"), line


def _blender(reader: Reader, command: Command) -> None:
    """A script in Blender's Python, if that is here; functions of timers are called once."""
    *_, option, script = command.words
    assert option == "--python"
    if not BLENDER.is_file():
        return
    level = [word for word in command.words[1:] if word.endswith(".blend")]
    words = [str(ROOT / "tests" / "docs" / "in_blender.py"), script, *level]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [str(BLENDER), *words], capture_output=True, text=True, cwd=reader.folder, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _exists(reader: Reader, command: Command) -> None:
    """A program of the repository, or of an environment that was just made."""
    name = command.words[-1]
    assert name == ".venv/bin/activate" or (ROOT / name).exists(), name


PROGRAMS: dict[str, Callable[[Reader, Command], None]] = {
    "creature-sim": Reader.creature_sim,
    "pip": _pip,
    "python": _python,
    "python3.11": _python,
    "sudo": _apt,
    "blender": _blender,
    ".ci/run": _exists,
    ".": _exists,
    **dict.fromkeys(("ruff", "mypy", "lint-imports", "mkdocs", "pre-commit"), _tool),
}
"""What the first word of a line of shell may be, and how it is tried."""
