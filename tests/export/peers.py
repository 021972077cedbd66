"""Other programs that read what is exported: they are skipped where they are not installed.

    gltf-validator, three   npm packages, in `node_modules` of the folder NODE
    Blender                 the wheel `bpy`, in an environment of its own, BLENDER

`tests/tools/peers.sh` installs them there.
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import run
from typing import Any

import platformdirs
import pytest

CACHE = Path(os.environ.get("CREATURE_SIM_PEERS", platformdirs.user_cache_dir("creature_sim")))
NODE, BLENDER = CACHE / "node", CACHE / "blender" / "bin" / "python"
HERE = Path(__file__).parent

_VALIDATE = """
const validator = require('gltf-validator');
const data = new Uint8Array(require('fs').readFileSync(process.argv[1]));
validator.validateBytes(data).then((report) => console.log(JSON.stringify(report.issues)));
"""


def validated(path: Path) -> dict[str, Any]:
    """What the validator of Khronos says of a file."""
    node = shutil.which("node")
    if node is None or not (NODE / "node_modules" / "gltf-validator").is_dir():
        pytest.skip("needs node and gltf-validator: tests/tools/peers.sh")
    done = run(
        [node, "-e", _VALIDATE, str(path)], cwd=NODE, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def in_blender(file: Path, times: list[float], **picture: Any) -> dict[str, Any]:
    """Where Blender has the bones and objects of a file at times [s], by `object/bone`.

    Args:
        file: that it reads.
        times: at which it looks; what it may draw is the last one.
        picture: `path` of a picture, `eye` and `target` (3,) [m] and `view`, an angle [rad].
    """
    if not BLENDER.is_file():
        pytest.skip("needs Blender as a module: tests/tools/peers.sh")
    out = file.with_suffix(".json")
    words = [str(file), str(out), json.dumps(times), json.dumps(picture) if picture else ""]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = run(
        [str(BLENDER), str(HERE / "in_blender.py"), *words],
        cwd=file.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert out.is_file(), done.stdout + done.stderr
    found: dict[str, Any] = json.loads(out.read_text())
    return found


@contextmanager
def in_three(path: Path) -> Iterator[Any]:
    """A page of Chromium in which three.js has loaded a file; see `in_three.html`."""
    playwright = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium")
    modules = NODE / "node_modules" / "three"
    if chromium is None or not modules.is_dir():
        pytest.skip("needs chromium and three: tests/tools/peers.sh")
    kinds = {".js": "text/javascript", ".html": "text/html", ".glb": "model/gltf-binary"}

    def answer(route: Any) -> None:
        name = route.request.url.removeprefix("http://here/")
        file = {"page.html": HERE / "in_three.html", "run.glb": path}.get(name)
        file = file or modules / name.removeprefix("three/")
        route.fulfill(body=file.read_bytes(), content_type=kinds.get(file.suffix, "text/plain"))

    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-webgl"],
        )
        page = browser.new_page(viewport={"width": 960, "height": 540})
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.route("http://here/**", answer)
        page.goto("http://here/page.html")
        page.wait_for_function("window.isReady || window.failure", timeout=60_000)
        assert not problems, problems
        assert not page.evaluate("window.failure")
        yield page
        browser.close()
