"""`python -m creature_sim.cli`."""

from creature_sim.cli import main

main()
