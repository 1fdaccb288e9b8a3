"""ONNX files for tests: a small network over planes, and what can be wrong with one."""

from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

from levelsense.agents.convolution.planes import PLANES, SIDE, SWAPS


def small_network(
    seed: int = 1,
    *,
    shape: tuple[Any, ...] = ("N", PLANES, SIDE, SIDE),
    swaps: int = SWAPS,
    type: int = TensorProto.FLOAT,
    mean: bool = True,
    names: tuple[str, str] = ("planes", "logits"),
    outputs: tuple[Any, ...] | None = None,
    weights: Any = None,
    metadata: dict[str, str] | None = None,
) -> ModelProto:
    """A layer of convolution and a mean over all cells, so that nearly every swap has another logit.

    `type` is that of its input; without `mean` it gives the numbers of all cells.
    """
    if weights is None:
        weights = np.random.default_rng(seed).normal(size=(swaps, shape[1], 3, 3))
    given, result = names
    nodes = [
        helper.make_node("Cast", [given], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Conv", ["floats", "weights"], ["cells"], pads=[1, 1, 1, 1]),
        helper.make_node("GlobalAveragePool" if mean else "Identity", ["cells"], ["means"]),
        helper.make_node("Flatten", ["means"], [result]),
    ]
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info(given, type, shape)],
        [helper.make_tensor_value_info(result, TensorProto.FLOAT, outputs or (shape[0], swaps))],
        [numpy_helper.from_array(np.asarray(weights, np.float32), "weights")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    for key, value in (metadata or {}).items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    return model


@lru_cache(maxsize=1)
def small_file() -> Path:
    """The file of a small network, written once in a process."""
    path = Path(mkdtemp(prefix="levelsense-networks-")) / "small.onnx"
    path.write_bytes(small_network().SerializeToString())
    return path


def with_model(spec: str) -> str:
    """A spec as it is, but for one of onnx without a model, which gets the small network's file."""
    name, colon, options = spec.partition(":")
    if name != "onnx":
        return spec
    return f"onnx:model={small_file()}" + (f",{options}" if colon else "")
