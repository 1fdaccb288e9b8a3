"""The study of CandyCrush.ai: its game, its agents, and its averages beside ours."""
