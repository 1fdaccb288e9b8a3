"""Q-learning with approximated values: Lee et al., "CandyCrush.ai: An AI Agent for Candy Crush"."""
