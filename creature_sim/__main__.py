"""`python -m creature_sim`."""

from creature_sim.cli import main

main()
