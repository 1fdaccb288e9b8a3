"""Simulated players: who they are, how they come to a move, what they do at levels."""
