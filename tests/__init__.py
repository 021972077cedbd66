"""Tests, whose hundreds of processes read the same modules: Python is to compile these once."""

import os
import sys

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
