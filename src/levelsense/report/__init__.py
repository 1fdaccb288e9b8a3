"""Reports: results of playtests and predictions as charts, and as pages of one HTML file."""
