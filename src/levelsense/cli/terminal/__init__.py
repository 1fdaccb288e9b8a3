"""What levelsense shows in a terminal, and how a person plays there."""
