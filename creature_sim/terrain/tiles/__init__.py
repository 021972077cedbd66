"""Tiles and chunks: how ground is cut, and which of it is kept."""
