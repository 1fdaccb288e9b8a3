"""The studio: a web server on the Lab, and the page on which a designer edits, plays and tunes levels."""
