"""Writes the golden transcripts, the hashes and the drawings of docs/saga.md anew; read the diff first."""

from tests.golden import FOLDER, LEVELS, hashes, transcript
from tests.saga.page import redraw

for name in LEVELS:
    (FOLDER / f"{name}.txt").write_text(transcript(name), encoding="utf-8", newline="\n")
hashes.write()
redraw()
