"""Published studies, run again with levelsense and compared with their own figures."""
