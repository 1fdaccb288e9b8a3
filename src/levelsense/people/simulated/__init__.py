"""Simulated players: their traits, their choice of moves, and their results at levels."""
