"""What a study is given: a folder that keeps its results, and ears for progress; stopped, it goes on."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from levelsense.errors import OutputError, StoppedError, StudyError
from levelsense.files import write_text
from levelsense.playtest.runner import default_threads

SETTINGS_FILE: Final = "settings.json"
SECONDS_FILE: Final = "seconds.json"

Hear = Callable[[str, int, int], None]  # what is being done, how much of it is done, and of how much


@dataclass(frozen=True)
class StudyRun:
    """A study that is under way.

    folder    where its results are kept; the same study goes on from what is there
    quick     whether less will do: a few minutes
    seed      of everything that is drawn
    data      the file of a study that takes one
    threads   how many; as many as there are processors if None
    """

    folder: Path
    quick: bool = False
    seed: int = 1
    data: Path | None = None
    threads: int | None = None
    progress: Hear | None = None
    stop: threading.Event | None = None

    def claim(self, study: str, **settings: Any) -> None:
        """Makes the folder, and notes whose it is; StudyError if it holds another study's results."""
        wanted = {"study": study, "quick": self.quick, "seed": self.seed, **settings}
        path = self.folder / SETTINGS_FILE
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else wanted
        except OSError as error:
            raise OutputError(self.folder, f"cannot be used: {error.strerror}") from None
        except json.JSONDecodeError:
            raise StudyError(f"{path}: no JSON; expected the settings of a study, or no such file") from None
        if known != wanted:
            name = next(key for key in {**wanted, **known} if known.get(key) != wanted.get(key))
            raise StudyError(
                f"{self.folder}: results with {name} {known.get(name)}, not {wanted.get(name)}; "
                "expected another folder"
            )
        write_text(path, json.dumps(wanted, indent=1) + "\n")

    def hear(self, doing: str, done: int, total: int) -> None:
        """Tells how far it is; StoppedError if it is to stop."""
        if self.progress is not None:
            self.progress(doing, done, total)
        if self.stop is not None and self.stop.is_set():
            raise StoppedError

    def collect(
        self, part: str, keys: Sequence[str], make: Callable[[int], Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """What `make` gives for the number of each key, in order: kept in files, made where one is missing.

        Several are made at once, on threads.
        """
        folder = self.folder / part
        folder.mkdir(exist_ok=True)
        paths = [folder / f"{key}.json" for key in keys]
        missing = [number for number, path in enumerate(paths) if not path.exists()]
        done = len(keys) - len(missing)

        def keep(number: int) -> None:
            if self.stop is None or not self.stop.is_set():
                write_text(paths[number], json.dumps(make(number)) + "\n")

        with self.timed(part), ThreadPoolExecutor(self.threads or default_threads()) as threads:
            futures: list[Future[None]] = [threads.submit(keep, number) for number in missing]
            try:
                for future in as_completed(futures):
                    future.result()
                    done += 1
                    self.hear(part, done, len(keys))
            except BaseException:
                threads.shutdown(cancel_futures=True)
                raise
        return [json.loads(path.read_text(encoding="utf-8")) for path in paths]

    @property
    def seconds(self) -> dict[str, float]:
        """How long each part has taken so far, in all runs together."""
        path = self.folder / SECONDS_FILE
        return dict(json.loads(path.read_text())) if path.exists() else {}

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Adds the time of the block to a part's, even if it is interrupted."""
        start = time.perf_counter()
        try:
            yield
        finally:
            seconds = self.seconds
            seconds[part] = seconds.get(part, 0.0) + time.perf_counter() - start
            write_text(self.folder / SECONDS_FILE, json.dumps(seconds, indent=1))
