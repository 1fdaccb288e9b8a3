"""Where an attempt's randomness comes from: a hash of what the attempt is, and nothing else."""

import hashlib

import numpy as np
from numpy.typing import NDArray

from levelsense.game.version import RULES_VERSION

_SEED_BYTES = 16


def attempt_seeds(
    level_digest: str, agent_spec: str, run_seed: int, first: int, count: int, rules: int = RULES_VERSION
) -> NDArray[np.uint64]:
    """The seeds of attempts first, first + 1, ...: `count` pairs, the game's seed and the agent's.

    A pair depends on these arguments and its number only, so that an attempt is the same whatever the number
    of threads, batches or machines. It is BLAKE2b, 16 bytes, of the five parts with a zero byte after each.

    Of the digest, the part behind the dash counts, which the limit has no part in: a level is dealt the same
    boards and candies whatever its limit, so that an agent that does not watch the limit never wins less with
    more of it. The digests of earlier versions have no dash, and count whole.
    """
    parts = (level_digest.partition("-")[2] or level_digest, agent_spec, str(rules), str(run_seed))
    common = hashlib.blake2b(b"".join(part.encode() + b"\0" for part in parts), digest_size=_SEED_BYTES)
    words = bytearray()
    for number in range(first, first + count):
        own = common.copy()
        own.update(b"%d\0" % number)
        words += own.digest()
    return np.frombuffer(bytes(words), "<u8").reshape(-1, 2).astype(np.uint64)
