"""The policy agent: a small network that chooses moves as the players do that it learned from."""
