"""Writes the golden transcripts and the drawings of docs/saga.md anew; read the diff before you keep it."""

from tests.golden import FOLDER, LEVELS, transcript
from tests.saga.page import redraw

for name in LEVELS:
    (FOLDER / f"{name}.txt").write_text(transcript(name), encoding="utf-8", newline="\n")
redraw()
