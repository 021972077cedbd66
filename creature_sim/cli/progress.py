"""A progress bar on a terminal; nothing where output goes elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(
    task: str, total: int, *, unit: str = "ticks", quiet: bool = False
) -> Iterator[Callable[[int], None]]:
    """A block that shows its progress.

    Args:
        task: what is being done.
        total: number of units.
        unit: what is counted.
        quiet: whether to show nothing.

    Yields:
        A function to call with the number of units done.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """Units per second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed or 0.0
            return Text(f"{speed:,.0f} {unit}/s" if speed >= 10.0 else f"{speed:.1f} {unit}/s")

    console = Console(stderr=True)
    columns = ("{task.description}", BarColumn(), "{task.percentage:3.0f} %", Rate())
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        shown = bar.add_task(task, total=total)
        yield lambda done: bar.update(shown, completed=done)
