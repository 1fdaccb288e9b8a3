"""Small matrices on one thread.

A fit multiplies small matrices thousands of times. BLAS hands each product to all processors, which costs
more than the product: fitting 800 levels took 3 to 5 s on two busy cores, and takes 1 s on one thread.
"""

from contextlib import AbstractContextManager
from typing import Any

from threadpoolctl import threadpool_limits


def one_thread() -> AbstractContextManager[Any]:
    """Within its block, BLAS uses one thread, in the whole process."""
    limits: AbstractContextManager[Any] = threadpool_limits(limits=1, user_api="blas")
    return limits
