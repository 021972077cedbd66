"""`pytest --creature-replays DIR`: every replay there is a test.

A replay passes if it is proven, and scores as well as `walk.toml` beside it wants, if there is one.
Where it fails, a picture shows the moment.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from creature_sim.replay import Replay

LIMITS = "walk.toml"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.getgroup("creature_sim").addoption(
        "--creature-replays",
        metavar="DIR",
        help=f"verify every replay in DIR, and score it against {LIMITS} beside it",
    )


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for each replay."""
    name = config.getoption("--creature-replays")
    if name is None:
        return
    folder = Path(name)
    paths = sorted(folder.rglob("*.mcap"))
    if not paths:
        raise pytest.UsageError(
            f"--creature-replays: expected a folder with replays (.mcap), found none in {folder}"
        )
    items += [ReplayItem.from_parent(session, name=str(path), replay=path) for path in paths]


class PoorReplayError(Exception):
    """A replay that is refuted, cannot be verified, or scores too low."""


class ReplayItem(pytest.Item):
    """The test of a replay."""

    def __init__(self, *, replay: Path, **options: Any) -> None:  # noqa: ANN401 - of pytest
        """Take the file."""
        super().__init__(**options)
        self.replay = replay

    def runtest(self) -> None:
        """Verify and score it."""
        from creature_sim.replay import open_replay, verify

        with open_replay(self.replay) as found:
            result = verify(found)
            if result.ok is None:
                raise PoorReplayError(f"cannot be verified: {result.reason}")
            if not result.ok:
                where = result.divergence
                assert where
                self._fail(f"differs: first at tick {where.tick}, {where.part}", found, where.tick)
            missed = list(self._missed(found))
            if missed:
                self._fail("\n".join(missed), found, found.last)

    def _missed(self, found: "Replay") -> Iterator[str]:
        """What is below the limits."""
        from creature_sim.score import load_limits, score_run, shortfalls
        from creature_sim.score.registry import load_plugins

        path = self.replay.parent / LIMITS
        if not path.exists():
            return
        load_plugins()
        limits = load_limits(path)
        with found.simulation() as simulation:
            for track, metrics in score_run(simulation, found.inputs):
                for line in shortfalls(metrics, limits):
                    yield f"{track.definition.name}: below the limit: {line}"

    def _fail(self, text: str, found: "Replay", tick: int) -> None:
        raise PoorReplayError(f"{text}\n{self._picture(found, tick)}")

    def _picture(self, found: "Replay", tick: int) -> str:
        """Draw a moment; where the picture is, or why there is none."""
        from creature_sim.errors import CreatureSimError
        from creature_sim.export.render import Rendering, Shot

        folder = self.config.rootpath / ".creature-replays"
        path = folder / f"{self.replay.stem}.png"
        shot = Shot(at=(tick - found.first) / found.tick_rate, size=(960, 540), is_overlaid=True)
        try:
            folder.mkdir(exist_ok=True)
            Rendering(found, path, shot, force=True).write()
        except (CreatureSimError, OSError) as error:
            return f"no picture: {error}"
        return f"picture of tick {tick}: {path}"

    def repr_failure(
        self,
        excinfo: pytest.ExceptionInfo[BaseException],
        style: Any = None,  # noqa: ANN401 - of pytest
    ) -> Any:  # noqa: ANN401 - of pytest
        """What is said of a failure: no traceback of what is no defect."""
        from creature_sim.errors import CreatureSimError

        if isinstance(excinfo.value, PoorReplayError | CreatureSimError):
            text = str(excinfo.value)
            return text if text.startswith(f"{self.replay}: ") else f"{self.replay}: {text}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the test is, and its name."""
        return self.replay, None, f"replay {self.replay}"
