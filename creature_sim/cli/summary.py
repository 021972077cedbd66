"""The summary of a run or a replay, printed for people."""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

LISTED = 10
"""Up to this many creatures have a line each."""


def print_run(summary: dict[str, Any]) -> None:
    """Print the summary of a run or a replay."""
    creatures = summary["creatures"]
    if len(creatures) <= LISTED:
        for creature in creatures:
            x, y, z = creature["end"]
            ends = "lies" if creature.get("lies") else "stands"
            print(
                f"{creature['name']} walked {creature['distance']:.2f} m on {summary['world']} in "
                f"{summary['seconds']:.1f} s and {ends} at ({x:.2f}, {y:.2f}, {z:.2f})"
            )
            if "left" in creature:
                print(f"  {creature['left']:.2f} m from its goal")
            for fall in creature.get("fell", ()):
                print(f"  fell at {fall['tick'] / summary['tick_rate']:.2f} s: {fall['reason']}")
            for refusal in creature.get("refused", ()):
                seconds = refusal["tick"] / summary["tick_rate"]
                print(f"  {refusal['motion']} refused at {seconds:.2f} s: {refusal['reason']}")
            for limited in creature.get("limited", ()):
                seconds, percent = limited["tick"] / summary["tick_rate"], 100 * limited["fraction"]
                print(
                    f"  {limited['motion']} at {seconds:.2f} s goes {percent:.0f} % of the way: "
                    "legs and ground allow no more"
                )
    else:
        _print_many(summary)
    for chain in summary.get("chains", ()):
        gaps = [math.dist(*ends) for ends in zip(chain["tips"], chain["targets"], strict=True)]
        points = " ".join(f"({x:.2f}, {y:.2f}, {z:.2f})" for x, y, z in chain["tips"])
        print(f"{chain['name']} reaches {points}, at most {max(gaps):.4f} m from its targets")
    print(f"{summary['ticks']} ticks, {summary['ticks_per_second']} per second")
    if summary["digest"]:
        print(f"digest {summary['digest']}")
    if summary["replay"]:
        print(f"recorded in {summary['replay']}")


def _print_many(summary: dict[str, Any]) -> None:
    """One line for all creatures of a name."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for creature in summary["creatures"]:
        groups.setdefault(creature["name"], []).append(creature)
    print(
        f"{len(summary['creatures']):,} creatures walked on {summary['world']} for "
        f"{summary['seconds']:.1f} s:"
    )
    for name, group in groups.items():
        found = [creature["distance"] for creature in group]
        text = f"{found[0]:.2f} m"
        if len(found) > 1:
            mean = math.fsum(found) / len(found)
            text = f"{min(found):.2f} to {max(found):.2f} m, {mean:.2f} m on average"
        print(f"  {counted([name] * len(found))}: {text}{_falls(group)}{_on_the_way(group)}")


def _falls(group: list[dict[str, Any]]) -> str:
    """How many of some creatures fell, how often, and how many lie at the end."""
    counts = [len(creature["fell"]) for creature in group if "fell" in creature]
    if not counts:
        return ""
    lying = sum("lies" in creature for creature in group)
    often = f" {sum(counts):,} times" if sum(counts) > len(counts) else ""
    return f"; {len(counts):,} fell{often}" + (f", {lying:,} lying at the end" if lying else "")


def _on_the_way(group: list[dict[str, Any]]) -> str:
    """How many of some creatures have not arrived at their goal."""
    count = sum("left" in creature for creature in group)
    return f"; {count:,} not at their goal" if count else ""


def counted(names: Iterable[str]) -> str:
    """Names with their numbers: "2,000 x hexapod, spider4"."""
    return ", ".join(
        name if count == 1 else f"{count:,} x {name}" for name, count in Counter(names).items()
    )
