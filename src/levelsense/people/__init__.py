"""People's results on levels, real and simulated."""
