"""The mcts agent: Monte Carlo tree search with chance nodes (Poromaa's thesis, chapter 3)."""
