"""Writes the models of the library."""

from pathlib import Path

from tests.tools.models.animals import ANIMALS
from tests.tools.models.glb import glb_of

FOLDER = Path(__file__).parents[3] / "creature_sim" / "library" / "models"


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name, make in ANIMALS.items():
        body = make()
        (FOLDER / f"{name}.glb").write_bytes(glb_of(body))
        count = sum(len(skin.vertices) for skin in body.skins.values())
        print(f"{name:10} {len(body.bones):3} bones {count:5} vertices {(FOLDER / f'{name}.glb').stat().st_size:6} bytes")


if __name__ == "__main__":
    main()
