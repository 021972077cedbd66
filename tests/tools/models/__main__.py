"""Writes the models of the library."""

from tests.tools.models import FOLDER, files


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name, data in files():
        (FOLDER / name).write_bytes(data)
        print(f"{name:14} {len(data):6} bytes")


if __name__ == "__main__":
    main()
