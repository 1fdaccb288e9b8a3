"""Output of commands to a terminal, and interactive play there."""
