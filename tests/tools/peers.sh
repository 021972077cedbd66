#!/usr/bin/env bash
# Installs other programs that the tests let read what is exported, each by its own name and in a
# folder of its own: the validator of Khronos, three.js, Blender. Without them those tests are skipped.
set -euo pipefail
peers=${CREATURE_SIM_PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/creature_sim}
if command -v npm >/dev/null; then
  npm install --silent --no-audit --no-fund --prefix "$peers/node" gltf-validator three
fi
if [ ! -x "$peers/blender/bin/python" ]; then
  python3.11 -m venv "$peers/blender"
  # Blender's own modules are built for numpy 1.
  "$peers/blender/bin/pip" install -q 'numpy<2' 'bpy>=4.2,<5.1'
fi
