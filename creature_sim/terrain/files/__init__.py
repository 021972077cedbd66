"""Ground from data: height files and meshes."""
