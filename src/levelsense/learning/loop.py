"""The loop of trainings by PyTorch: epochs, early stopping, a checkpoint that a killed run goes on from."""

import io
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from levelsense.errors import TrainingError
from levelsense.files import write_bytes

_DRAWING: Final = threading.Lock()


@contextmanager
def drawn_by(seed: int) -> Iterator[None]:
    """What PyTorch draws in the block is drawn by a seed, whatever is trained on other threads.

    Its generator is one for the whole process: one block at a time, and nothing may draw by it elsewhere.
    """
    with _DRAWING:
        torch.manual_seed(seed)
        yield


@dataclass(frozen=True)
class Epoch:
    """How far training has come: mean losses in nats a move, the seconds of processor time so far."""

    number: int
    of: int
    loss: float
    validation: float
    seconds: float
    best: bool


@dataclass
class Run:
    """A training run between two epochs; without a schedule the learning rate stays as it is."""

    network: nn.Module
    optimizer: torch.optim.Optimizer
    schedule: torch.optim.lr_scheduler.LRScheduler | None = None
    epochs: list[Epoch] = field(default_factory=list)  # all that are over
    best: float = math.inf
    since_best: int = 0
    best_state: dict[str, Tensor] | None = None

    @property
    def epoch(self) -> int:
        """How many epochs are over."""
        return len(self.epochs)

    def step(self, loss: Tensor) -> None:
        """Changes the weights so that a loss becomes less; TrainingError if it is no number any more."""
        self._refuse_no_number(loss.item())
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        if self.schedule is not None:
            self.schedule.step()

    def note(self, loss: float, validation: float, seconds: float, of: int) -> Epoch:
        """Takes note of an epoch that is over, one of so many; TrainingError if its loss is no number."""
        self._refuse_no_number(validation)
        is_best = validation < self.best
        self.since_best = 0 if is_best else self.since_best + 1
        if is_best:
            self.best = validation
            self.best_state = {name: value.clone() for name, value in self.network.state_dict().items()}
        before = self.epochs[-1].seconds if self.epochs else 0.0
        epoch = Epoch(self.epoch + 1, of, loss, validation, before + seconds, is_best)
        self.epochs.append(epoch)
        return epoch

    def _refuse_no_number(self, loss: float) -> None:
        if not math.isfinite(loss):
            raise TrainingError(
                f"a loss of {loss} in epoch {self.epoch + 1}: the weights have grown without end; "
                "expected a number, as a lower learning rate gives"
            )

    def saved(self, key: str) -> dict[str, Any]:
        """All of it, to go on from."""
        return {
            "key": key,
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "schedule": self.schedule.state_dict() if self.schedule is not None else None,
            "epochs": [asdict(epoch) for epoch in self.epochs],
            "best": self.best,
            "since_best": self.since_best,
            "best_state": self.best_state,
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Goes back to where it was saved."""
        self.network.load_state_dict(saved["network"])
        self.optimizer.load_state_dict(saved["optimizer"])
        if self.schedule is not None:
            self.schedule.load_state_dict(saved["schedule"])
        self.epochs = [Epoch(**epoch) for epoch in saved["epochs"]]
        self.best, self.since_best = saved["best"], saved["since_best"]
        self.best_state = saved["best_state"]


def rise_and_fall(optimizer: torch.optim.Optimizer, steps: int) -> torch.optim.lr_scheduler.LRScheduler:
    """A schedule of so many steps: rates rise over a tenth to the optimizer's, and fall to nothing."""
    rates = [group["lr"] for group in optimizer.param_groups]
    total = steps + 1
    share = 0.11 if total == 10 else 0.1  # a tenth of ten is a rise of no step, by which it would divide
    return torch.optim.lr_scheduler.OneCycleLR(optimizer, rates, total_steps=total, pct_start=share)


def train_epochs(
    run: Run,
    epochs: int,
    patience: int,
    train: Callable[[], float],
    validate: Callable[[], float],
    *,
    key: str,
    checkpoint: Path | None = None,
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
) -> None:
    """Trains up to so many epochs, or until `patience` of them in a row were no better than the best.

    `train` goes through all examples once, `validate` looks how good the network is by then; both give a mean
    loss. The network ends as it was when it was best. With a checkpoint, what is done is kept there after
    each epoch, and a run of the same key goes on from it.
    """
    if checkpoint is not None and checkpoint.exists():
        run.restore(_read_checkpoint(checkpoint, key))
    while run.epoch < epochs and run.since_best < patience:
        start = time.thread_time()
        loss = train()
        validation = validate()
        epoch = run.note(loss, validation, time.thread_time() - start, epochs)
        if checkpoint is not None:
            _write_checkpoint(checkpoint, run.saved(key))
        on_epoch(epoch)
    if run.best_state is not None:
        run.network.load_state_dict(run.best_state)


def _write_checkpoint(path: Path, saved: dict[str, Any]) -> None:
    content = io.BytesIO()
    torch.save(saved, content)
    write_bytes(path, content.getbuffer())


def _read_checkpoint(path: Path, key: str | None = None) -> dict[str, Any]:
    try:
        saved: dict[str, Any] = torch.load(path, weights_only=True)
        if "epochs" not in saved:  # one of an earlier version
            raise ValueError
    except Exception:
        raise TrainingError(
            f"{path}: not a checkpoint that can be read; expected one of this run, or no such file"
        ) from None
    if key is not None and saved.get("key") != key:
        raise TrainingError(
            f"{path}: a checkpoint of other moves or settings; expected one of this run, or no such file"
        )
    return saved


def epochs_in(path: Path) -> list[Epoch]:
    """The epochs of a training by its checkpoint, those before it was killed among them."""
    return [Epoch(**epoch) for epoch in _read_checkpoint(path)["epochs"]]
