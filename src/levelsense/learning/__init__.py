"""Training of learned agents on the moves of players."""
