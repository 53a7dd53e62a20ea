"""Writes YAMNet as the service uses it: python3 unquantized.py model.onnx yamnet.onnx

The input is a graph of float weights around which each value is rounded to 8 bits and back. Without this rounding it is
the network that Google trained.
"""

import sys

import onnx
from halves import save
from onnx import TensorProto, helper, numpy_helper

ROUNDING = ("QuantizeLinear", "DequantizeLinear")

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

stored = [numpy_helper.from_array(values, name) for name, values in weights.items()]
audio = helper.make_tensor_value_info("audio", TensorProto.FLOAT, ["sounds", 1, 96, 64])
logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["sounds", 521])
graph = helper.make_graph(nodes, "yamnet", [audio], [logits], stored)
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), sys.argv[2])
