"""What the pages say is so: their commands, programs and files are tried as they stand."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from creature_sim.cli.running import DEMO_DRIVE, DEMO_FILE
from creature_sim.definitions.motions import FORMS
from creature_sim.motions import MOTIONS, NUMBERS
from creature_sim.systems import SYSTEMS
from creature_sim.view.shows.controls import Mode, controls_of
from tests.commands import sim
from tests.docs.pages import LANGUAGES, PAGES, ROOT, Page, commands, page
from tests.docs.sessions import PROGRAMS, check_options, reader
from tests.marks import THOROUGH

WITH_CODE = [page for page in PAGES if page.blocks]
LONG = ("animation", "pictures", "recording", "sweeps", "tuning", "twins")
"""Pages whose commands take long, and are tried by tests of their own, too."""
GENERATED = ("commands.md", "keys.md", "index.md", "contributing.md", "changelog.md")
"""Pages that docs/hooks.py makes."""


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The beginning of the recording of the demo, which pages show things of."""
    folder = tmp_path_factory.mktemp("demo")
    words = ("run", "hills", "--headless", "--seconds", "8", "--record", DEMO_FILE.name)
    done = sim(*words, "--drive", DEMO_DRIVE, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / DEMO_FILE


@pytest.fixture(autouse=True)
def _motions_of_pages_are_forgotten() -> Iterator[None]:
    """Creatures have a record for each motion that is registered: digests would differ later."""
    count = len(MOTIONS)
    yield
    for motion in MOTIONS[count:]:
        del NUMBERS[motion.name], FORMS[motion.name]
    del MOTIONS[count:]


@pytest.mark.slow
@pytest.mark.parametrize(
    "shown",
    [pytest.param(page, marks=THOROUGH) if page.path.stem in LONG else page for page in WITH_CODE],
    ids=lambda page: page.name,
)
def test_what_a_page_tells_to_do_works(
    shown: Page, recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    with reader(tmp_path, recording) as somebody:
        somebody.do(shown)


@pytest.mark.slow
@pytest.mark.parametrize("shown", WITH_CODE, ids=lambda page: page.name)
def test_every_block_is_of_a_kind_that_is_tried(shown: Page) -> None:
    fences = len(re.findall(r"^ *```", shown.text, re.MULTILINE))
    assert fences == 2 * len(shown.blocks)
    for block in shown.blocks:
        assert block.language in LANGUAGES, f"{shown.name}:{block.line}"
        for command in commands(block) if block.language == "sh" else ():
            program = command.words[0].removeprefix(".venv/bin/")
            assert program in PROGRAMS, f"{shown.name}:{block.line}: {program}"
            if program == "creature-sim":
                check_options(list(command.words[1:]))


@pytest.mark.parametrize("shown", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(shown: Page) -> None:
    for link in shown.links:
        target, _, _ = link.partition("#")
        if target and not re.match(r"[a-z]+:", target) and Path(target).name not in GENERATED:
            assert (shown.path.parent / target).exists(), link


def test_readme_is_short_and_begins_with_the_two_commands() -> None:
    lines = page("README.md").text.splitlines()
    assert len(lines) <= 150
    found = [number for number, line in enumerate(lines) if line.startswith("python3.11 -m venv")]
    assert len(found) == 2
    assert found[-1] < 30


@pytest.mark.parametrize("mode", ["live", "replay"])
def test_every_control_is_listed_as_the_window_lists_it(mode: Mode) -> None:
    written = page("docs/steering.md").text.split(f"<!-- keys: {mode} -->\n")[1].split("\n\n")[0]
    rows = [tuple(cell.strip() for cell in line.split("|")[1:3]) for line in written.splitlines()]
    assert rows[2:] == [(control.label, control.meaning) for control in controls_of(mode)]


def test_the_map_of_the_house_is_the_contract_of_imports() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contract = project["tool"]["importlinter"]["contracts"][0]["layers"]
    layers = [set(re.findall(r"creature_sim\.(\w+)", layer)) for layer in contract]
    rooms = page("docs/architecture.md").text.split("## The rooms")[1].split("\n## ")[0]
    rows = [row.split("|")[1] for row in rooms.splitlines() if row.startswith("| `")]
    assert [set(re.findall(r"`(\w+)(?:/|\.py)`", row)) for row in rows] == layers


def test_the_tick_is_in_the_order_of_the_systems() -> None:
    tick = page("docs/architecture.md").text.split("## The tick")[1].split("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", tick, re.MULTILINE) == [one.__name__ for one in SYSTEMS]


def test_the_page_of_creatures_shows_what_check_says(tmp_path: Path) -> None:
    """What it showed was of a gait whose swings were shorter."""
    blocks = page("docs/creatures.md").blocks
    for title, speed, warned in (("skitter.toml", "1.5", True), ("train.toml", None, False)):
        (own,) = (block.text for block in blocks if block.title == title)
        fast = re.sub(r"(?m)^speed = [\d.]+", f"speed = {speed}", own) if speed else own
        (tmp_path / title).write_text(fast)
        said = sim("check", title, cwd=tmp_path).stdout.split()
        shown = [block.text.split() for block in blocks if block.language == "text"]
        assert ("warning:" in said) == warned
        assert said in shown or not warned


def test_scores_stand_between_their_marks() -> None:
    from tests.tools.scores import BEGIN, END, PAGE

    head, rest = PAGE.read_text().split(BEGIN)
    assert head
    assert rest.count(END) == 1
    assert "| hexapod |" in rest.split(END)[0]


def test_workflows_and_hooks_are_yaml_and_run_what_there_is() -> None:
    (job,) = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"].values()
    assert ".ci/run" in [step.get("run") for step in job["steps"]]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    checks = (ROOT / ".ci" / "run").read_text()
    (hooks,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    for hook in hooks["hooks"]:
        assert hook["entry"].removesuffix(" --fix") in checks


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every page, built as .ci/run builds it: a warning is an error."""
    pytest.importorskip("material", reason="mkdocs-material is in the docs extra")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(folder)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_the_site_asks_the_network_for_nothing(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text()
        loads = re.findall(r"<(?:script|img|iframe)[^>]*\bsrc=\"?([^\" >]+)", text)
        loads += re.findall(r"<link[^>]*rel=\"?(?:stylesheet|preconnect|icon)[^>]*", text)
        assert loads
        assert not [load for load in loads if "//" in load], path


@pytest.mark.slow
def test_the_reference_has_every_command_and_key(site: Path) -> None:
    text = (site / "commands.html").read_text()
    for name in ("run", "verify", "world map", "bench view", "new creature"):
        assert f"creature-sim {name}" in text
    text = (site / "keys.html").read_text()
    for key in ("ride_height", "stride_length", "waypoints", "alternation"):
        assert key in text


@pytest.mark.slow
def test_search_works_where_pages_are_opened_from_disk(site: Path) -> None:
    api = pytest.importorskip("playwright.sync_api", reason="driving a browser needs playwright")
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("no chromium")
    asked: list[str] = []
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        shown = browser.new_page()
        shown.on("request", lambda request: asked.append(request.url))
        shown.goto((site / "index.html").as_uri())
        shown.click(".md-search__input")
        shown.keyboard.type("stance drift")
        shown.wait_for_selector(".md-search-result__link[href*='walk.html']", state="attached")
        browser.close()
    assert not [url for url in asked if not url.startswith(("file:", "data:"))]
