"""Props: rays that meet them, paths that they follow, forces that push them."""
