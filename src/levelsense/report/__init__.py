"""Reports: what a playtest found, as charts and as a page that needs nothing else."""
