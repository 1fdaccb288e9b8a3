"""Agents that play levels."""
