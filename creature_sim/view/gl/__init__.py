"""OpenGL: canvases, meshes, shaders, textures."""
