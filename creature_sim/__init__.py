"""Creatures that walk over generated terrain with no animation data."""
