"""Kinds of ground, from definition and seed to heights or boxes."""
