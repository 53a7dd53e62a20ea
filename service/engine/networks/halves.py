"""Stores a network's weights apart from its graph, with 16 bits each."""

from pathlib import Path

import onnx
from onnx import TensorProto, numpy_helper

SMALL = 4096


def save(model, path):
    """Writes the graph to `path` (.onnx), and all weights of more than 16 kB beside it (.weights).

    The graph says where each lies once the service has made them 32 bits wide. In one file with the graph, the
    runtime would hold three copies of them.
    """
    onnx.checker.check_model(model)
    weights = Path(path).with_suffix(".weights")
    halves = bytearray()
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or values.size <= SMALL:
            continue
        where = {"location": weights.name, "offset": 2 * len(halves), "length": 4 * values.size}
        halves += values.astype("<f2").tobytes()
        tensor.ClearField("raw_data")
        tensor.ClearField("float_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in where.items():
            tensor.external_data.add(key=key, value=str(value))
    weights.write_bytes(halves)
    Path(path).write_bytes(model.SerializeToString())
