"""The ground in pybullet: tiles as bodies, and rays that meet them."""
