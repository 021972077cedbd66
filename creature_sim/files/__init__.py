"""How files are written: whole or not at all. And silence where libraries would print."""
