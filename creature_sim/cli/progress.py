"""A progress bar on a terminal; nothing where output goes elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from creature_sim.cli.signals import Stopped
from creature_sim.cli.terminal import console, one_line


@contextmanager
def progress(
    task: str, total: int, *, unit: str = "ticks", quiet: bool = False
) -> Iterator[Callable[[int], None]]:
    """A block that shows its progress; one that a signal stops says how far it had come.

    Args:
        task: what is being done.
        total: number of units.
        unit: what is counted.
        quiet: whether to show nothing.

    Yields:
        A function to call with the number of units done.
    """
    reached = 0
    is_shown = not quiet and sys.stderr is not None and sys.stderr.isatty()
    try:
        with ExitStack() as stack:
            show = stack.enter_context(_bar(task, total, unit)) if is_shown else None

            def count(done: int) -> None:
                nonlocal reached
                reached = done
                if show:
                    show(done)

            yield count
    except Stopped as stop:
        stop.done = f"while {task}: {reached:,} of {total:,} {unit} done"
        raise


@contextmanager
def _bar(task: str, total: int, unit: str) -> Iterator[Callable[[int], None]]:
    """A block with a bar; it takes the number of units done."""
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """Units per second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed or 0.0
            return Text(f"{speed:,.0f} {unit}/s" if speed >= 10.0 else f"{speed:.1f} {unit}/s")

    label = TextColumn("{task.description}", markup=False)
    columns = (label, BarColumn(), TextColumn("{task.percentage:3.0f} %"), Rate())
    where = console(is_error=True)
    with Progress(*columns, TimeRemainingColumn(), console=where, transient=True) as bar:
        shown = bar.add_task(one_line(task), total=total)
        yield lambda done: bar.update(shown, completed=done)
