"""Compilation of kernels to machine code and its cache on disk, behind `kernel.py`."""
