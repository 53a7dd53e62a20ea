"""Writes YAMNet as the service uses it: python3 unquantized.py model.onnx yamnet.onnx

The input is a graph of float weights around which each value is rounded to 8 bits and back. Without this rounding it is
the network that Google trained. Weights of more than 16 kB are stored with 16 bits.
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROUNDING = ("QuantizeLinear", "DequantizeLinear")
SMALL = 4096

source = onnx.load(sys.argv[1]).graph
known = {one.name: numpy_helper.to_array(one) for one in source.initializer}
same = {node.output[0]: node.input[0] for node in source.node if node.op_type in ROUNDING}


def unrounded(name):
    while name in same:
        name = same[name]
    return name


nodes, weights = [], {}
for node in source.node:
    if node.op_type in ROUNDING:
        continue
    inputs = [unrounded(name) for name in node.input]
    if node.op_type == "Reshape":
        # It is written for one sound; this does the same for many.
        copy = helper.make_node("Flatten", inputs[:1], list(node.output), axis=1)
    else:
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        del copy.input[:]
        copy.input.extend(inputs)
    nodes.append(copy)
    weights.update({name: known[name] for name in copy.input if name in known})
nodes[-1].output[0] = "logits"

stored, casts = [], []
for name, values in weights.items():
    if values.size <= SMALL:
        stored.append(numpy_helper.from_array(values, name))
        continue
    stored.append(numpy_helper.from_array(values.astype(np.float16), name + "_half"))
    casts.append(helper.make_node("Cast", [name + "_half"], [name], to=TensorProto.FLOAT))

audio = helper.make_tensor_value_info("audio", TensorProto.FLOAT, ["sounds", 1, 96, 64])
logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["sounds", 521])
graph = helper.make_graph(casts + nodes, "yamnet", [audio], [logits], stored)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
onnx.checker.check_model(model)
onnx.save(model, sys.argv[2])
