"""The level: the file format that designers write, checked."""
