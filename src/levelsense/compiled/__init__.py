"""How kernels become machine code, and how that is kept: what `kernel.py` is made of."""
