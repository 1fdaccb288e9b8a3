"""A saga of levels of our own: what appears when, how boards look, and how hard each level is meant to be."""
