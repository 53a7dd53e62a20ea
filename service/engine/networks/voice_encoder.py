"""Writes Resemblyzer's voice encoder as the service uses it: python3 voice_encoder.py pretrained.pt encoder.onnx

The input is in the format of early PyTorch: four pickles, the keys of the storages, and the storages. Only names of
classes are taken from it, none is called.
"""

import pickle
import struct
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from halves import save

HIDDEN, LAYERS, BANDS, WINDOWS = 256, 3, 40, 160


class Known(dict):
    """A dictionary that may have attributes, which do not matter."""


class Reader(pickle.Unpickler):
    """Makes a tensor a tuple of its storage's key, its offset and its shape."""

    def find_class(self, module, name):
        if name == "_rebuild_tensor_v2":
            return lambda key, offset, shape, *_: (key, offset, shape)
        if (module, name) == ("collections", "OrderedDict"):
            return Known
        return name

    def persistent_load(self, saved):
        return saved[2]


with open(sys.argv[1], "rb") as file:
    for _ in range(3):
        Reader(file).load()
    tensors = Reader(file).load()["model_state"]
    storages = {}
    for key in Reader(file).load():
        (size,) = struct.unpack("<q", file.read(8))
        storages[key] = np.frombuffer(file.read(4 * size), "<f4")


def values(name):
    key, offset, shape = tensors[name]
    return storages[key][offset : offset + int(np.prod(shape))].reshape(shape)


def gates(array):
    """PyTorch orders the gates of an LSTM as input, forget, cell, output; ONNX as input, output, forget, cell."""
    i, f, c, o = np.split(array, 4)
    return np.concatenate([i, o, f, c])


nodes, weights, last = [], {}, "steps"
nodes.append(helper.make_node("Transpose", ["mel"], ["steps"], perm=[1, 0, 2]))
for layer in range(LAYERS):
    w, r, b = f"w{layer}", f"r{layer}", f"b{layer}"
    weights[w] = gates(values(f"lstm.weight_ih_l{layer}"))[None]
    weights[r] = gates(values(f"lstm.weight_hh_l{layer}"))[None]
    biases = [gates(values(f"lstm.bias_{kind}_l{layer}")) for kind in ("ih", "hh")]
    weights[b] = np.concatenate(biases)[None]
    outputs = [f"all{layer}", f"last{layer}"]
    nodes.append(helper.make_node("LSTM", [last, w, r, b], outputs, hidden_size=HIDDEN))
    last = f"steps{layer}"
    nodes.append(helper.make_node("Squeeze", [f"all{layer}", "direction"], [last]))
nodes.append(helper.make_node("Squeeze", [f"last{LAYERS - 1}", "first"], ["hidden"]))
weights["linear"], weights["bias"] = values("linear.weight"), values("linear.bias")
nodes.append(helper.make_node("Gemm", ["hidden", "linear", "bias"], ["raw"], transB=1))
nodes.append(helper.make_node("Relu", ["raw"], ["positive"]))
nodes.append(helper.make_node("LpNormalization", ["positive"], ["voices"], axis=1, p=2))

stored = [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in weights.items()]
stored.append(numpy_helper.from_array(np.array([1], np.int64), "direction"))
stored.append(numpy_helper.from_array(np.array([0], np.int64), "first"))
mel = helper.make_tensor_value_info("mel", TensorProto.FLOAT, ["sounds", WINDOWS, BANDS])
voices = helper.make_tensor_value_info("voices", TensorProto.FLOAT, ["sounds", HIDDEN])
graph = helper.make_graph(nodes, "voice_encoder", [mel], [voices], stored)
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), sys.argv[2])
