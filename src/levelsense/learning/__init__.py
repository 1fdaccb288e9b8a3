"""Training of learned agents on the moves of players."""

from importlib.util import find_spec

from levelsense.errors import TrainingError


def require_torch() -> None:
    """TrainingError if PyTorch is not installed; otherwise it uses one thread from here on.

    The batches are small: several threads wait for each other most of the time, and their sums would differ
    from machine to machine.
    """
    if find_spec("torch") is None:
        raise TrainingError(
            "PyTorch is not installed; expected the extra `train`: pip install 'levelsense[train]'"
        )
    import torch

    torch.set_num_threads(1)
