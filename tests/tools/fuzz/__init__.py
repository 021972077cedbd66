"""Hostile files, made by the thousand: none may end in a traceback, hang, or lie.

`python -m tests.tools.fuzz --minutes 10` tries definitions and replays; each case has a number, and
`--only replays --case 123` tries one again and keeps its file.
"""
