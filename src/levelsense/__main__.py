"""`python -m levelsense` is the command line."""

from levelsense.cli import main

main()
