"""What `creature-sim export` writes: a replay, a run made for it, or the ground of a world."""

import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from creature_sim.cli.drawing import kilobytes
from creature_sim.cli.progress import progress
from creature_sim.cli.references import (
    creature_of,
    driver_of,
    kind_among,
    peopled_world,
    world_of,
)
from creature_sim.cli.replaying import opened
from creature_sim.cli.running import MAX_SECONDS, tick_count
from creature_sim.cli.signals import Stopped
from creature_sim.cli.verifying import proven
from creature_sim.definitions import PlacementDef, WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.export.formats import (
    Choice,
    WriteRobot,
    format_of,
    ground_writer,
    write_export,
)
from creature_sim.export.states import Kept
from creature_sim.files.hints import hint
from creature_sim.files.output import check_apart, check_output, temporary
from creature_sim.library.loader import files_of, located_in, packaged_names
from creature_sim.replay import Replay, open_replay, record
from creature_sim.terrain import read_ground

SECONDS = 20.0
"""A creature walks so long."""


@dataclass(frozen=True)
class Run:
    """How a world or a creature runs; None: as it says itself.

    Attributes:
        seconds: how long.
        drive: who leads it.
        creature: name or file of what walks instead of the world's creatures.
        climb: whether all of them climb.
    """

    seconds: float | None = None
    drive: str | None = None
    creature: str | None = None
    climb: bool = False

    @property
    def options(self) -> dict[str, object]:
        """What was chosen, by the option's name."""
        given = {
            "--drive": self.drive,
            "--creature": self.creature,
            "--climb": self.climb or None,
            "--seconds": self.seconds,
        }
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class Job:
    """One file that is written, once or again and again.

    Attributes:
        source: file or built-in name of a replay, a world or a creature.
        output: the file.
        choice: which part of it.
        run: how it runs, if it is no replay.
        verify: whether a replay is proven first.
    """

    source: str
    output: Path
    choice: Choice
    run: Run
    verify: bool = False

    @cached_property
    def kind(self) -> Literal["replay", "world", "creature"]:
        """What the source is."""
        path = Path(self.source)
        names = (*packaged_names("world"), *packaged_names("creature"))
        is_name = self.source in names
        if not (is_name or path.suffix or (self.source and path.exists())):
            raise DefinitionError(
                "FILE: expected a file, or the name of a built-in world or creature, found "
                f"{self.source!r}{hint(self.source, names)}"
            )
        if path.suffix.lower() == ".toml" or is_name:
            is_creature = kind_among(self.source, "world", "creature") == "creature"
            return "creature" if is_creature else "world"
        return "replay"

    def files(self) -> list[Path]:
        """Those that it is of; none if all is built in."""
        if self.kind == "replay":
            return [Path(self.source)]
        other = self.run.creature
        return files_of(self.kind, self.source) + (files_of("creature", other) if other else [])

    def write(self, force: bool) -> None:
        """Write it, and say so.

        Args:
            force: whether another file may be replaced.

        Raises:
            CreatureSimError: of what is read, chosen or written.
        """
        if self.kind == "replay":
            self._refuse(self.run.options, "a world or a creature")
            check_output(self.output, force)
            hint = format_of(self.output, self.choice).hint
            self._write_replay(opened(Path(self.source)), hint, force)
            return
        self._refuse({"--verify": self.verify or None}, "a replay")
        check_apart(self.output, self.files(), f"those that {self.source} is made of")
        known = format_of(self.output, self.choice)
        if known.robot:
            self._write_robot(known.robot, known.hint, force)
        elif self.kind == "world" and self.run.seconds is None:
            self._write_ground(force)
        else:
            self._write_run(force)

    def _refuse(self, options: Mapping[str, object], expected: str) -> None:
        """Refuse options that this source does not have, None being none."""
        for name, value in options.items():
            if value is not None:
                raise DefinitionError(
                    f"{name}: expected {expected}, found the {self.kind} {self.source}"
                )

    def _write_robot(self, write: WriteRobot, hint: str, force: bool) -> None:
        """Write a creature that does not move."""
        for name, value in (("--seconds", self.run.seconds), ("--drive", self.run.drive)):
            if value is not None:
                raise DefinitionError(
                    f"{name}: expected a file of a run, found {self.output.name}, a robot that "
                    "stands; --angles writes how its joints turn"
                )
        if self.kind == "creature":
            self._refuse({"--creature": self.run.creature}, "a world")
        check_output(self.output, force)
        write(self._world(), self.output, self.choice.creature, force)
        self._tell(hint)

    def _write_ground(self, force: bool) -> None:
        """Write the ground of a world alone."""
        for option in (*self.choice.options, *self.run.options):
            raise DefinitionError(
                f"{option}: expected --seconds too, how long the world {self.source} runs, "
                "found none"
            )
        write = ground_writer(self.output)
        check_output(self.output, force)
        write(world_of(self.source), self.output, force)
        self._tell("its ground")

    def _write_run(self, force: bool) -> None:
        """Run a world or a creature, and write that."""
        if self.kind == "creature":
            self._refuse({"--creature": self.run.creature}, "a world")
        check_output(self.output, force)
        world = self._world()
        known, choice = format_of(self.output, self.choice), self.choice
        has_more = choice.creature is None and "--creature" in known.options
        if self.kind == "creature" and has_more:
            choice = replace(choice, creature=0)
        count = tick_count(self.run.seconds, None, world.tick_rate, SECONDS)
        assert count is not None
        with TemporaryDirectory(prefix="creature-sim-") as folder:
            path = Path(folder) / f"{self.output.stem}.mcap"
            is_own = self.kind == "world" and self.run.creature is None
            with (
                progress("running", count) as show,
                located_in(self.source) if is_own else nullcontext(),
            ):
                driver, kept = driver_of(world, self.run.drive), Kept()
                with temporary("the run before it is exported"):
                    record(world, path, count, driver=driver, progress=show, seen=kept.add)
            self._write_replay(kept.given_to(open_replay(path)), known.hint, force, choice)

    def _world(self) -> WorldDef:
        """What runs; a creature walks ahead on level ground that does not end."""
        if self.kind == "world":
            return peopled_world(self.source, self.run.creature, self.run.climb)
        creature = creature_of(self.source, self.run.climb)
        return WorldDef(
            name=creature.name,
            driver=f"forward {MAX_SECONDS:g}",
            terrain=read_ground({"kind": "flat", "endless": True}),
            creatures=(PlacementDef(creature=creature.name),),
            species={creature.name: creature},
        )

    def _write_replay(
        self, replay: Replay, hint: str, force: bool, choice: Choice | None = None
    ) -> None:
        """Write a replay."""
        proof = proven(replay) if self.verify else ""
        try:
            with progress(f"writing {self.output.name}", replay.ticks) as show:
                notice = write_export(
                    replay,
                    self.output,
                    proof=proof,
                    force=force,
                    progress=show,
                    choice=choice or self.choice,
                    origin="" if self.kind == "replay" else Path(self.source).name,
                )
        except Stopped as stop:
            stop.done = f"while writing {self.output.name}; nothing was written"
            raise
        if notice:
            print(f"notice: {notice}", file=sys.stderr)
        self._tell(hint)

    def _tell(self, what: str) -> None:
        print(f"wrote {self.output}: {kilobytes(self.output)}; {what}", flush=True)
