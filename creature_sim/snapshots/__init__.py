"""What leaves a tick: an immutable copy of all state, and what drawing needs of it."""
