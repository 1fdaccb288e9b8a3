"""Writes the golden transcripts anew; read the diff before you keep it."""

from tests.golden import FOLDER, LEVELS, transcript

for name in LEVELS:
    (FOLDER / f"{name}.txt").write_text(transcript(name), encoding="utf-8", newline="\n")
