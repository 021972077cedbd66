"""Kinds of ground, one file each: every file here is found, and its `KIND` is a kind.

A file has the name of its kind and holds the model of the definition, the functions that make the
ground, an example for new worlds, a trial, and `KIND`, a `TerrainKind` that binds them together.
What several kinds share stands in `terrain/patterns/`.
"""
