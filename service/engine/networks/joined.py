"""Writes DeepFilterNet 3 as the service uses it: python3 joined.py FOLDER deepFilterNet.onnx

The folder holds its three networks, which forget everything after each run. This joins them into one. What they
remember comes in and goes out: the last frames that the convolutions reach back to, and the states of the recurrent
layers.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from halves import save
from onnx import TensorProto, helper, numpy_helper

PARTS = ("enc", "erb_dec", "df_dec")
# What one part hands to the next.
SHARED = ("feat_erb", "feat_spec", "e0", "e1", "e2", "e3", "emb", "c0", "m", "coefs")
NAMES = {"feat_erb": "bands", "feat_spec": "bins", "m": "gains", "coefs": "filters"}
UNITS = 256
LAYERS = 5
# Frames of the first layers' output that the filters' own path reaches back to.
REACH = 4

nodes, weights, states = [], {}, []
for part in PARTS:
    graph = onnx.load(Path(sys.argv[1]) / f"{part}.onnx").graph

    def named(name):
        return NAMES.get(name, name) if name in SHARED else name and f"{part}:{name}"

    padded = {}
    for source in graph.node:
        node = onnx.NodeProto()
        node.CopyFrom(source)
        node.name = ""
        if node.op_type == "Constant":
            weights[named(node.output[0])] = numpy_helper.to_array(node.attribute[0].t)
            continue
        if node.op_type == "Pad":
            # These frames of silence come in instead.
            padded[node.output[0]] = node.input[0]
            continue
        inputs = [padded.get(name, name) for name in node.input]
        inputs = ["c0:all" if name == "c0" and source.input[0] in padded else named(name) for name in inputs]
        outputs = [named(name) for name in node.output]
        if node.op_type == "GRU":
            inputs[5] = f"state:{len(states)}"
            states.append(outputs[1])
        del node.input[:], node.output[:]
        node.input.extend(inputs)
        node.output.extend(outputs)
        nodes.append(node)
    weights.update({named(one.name): numpy_helper.to_array(one) for one in graph.initializer})
assert len(states) == LAYERS

weights |= {"reach:start": np.array([-REACH]), "reach:end": np.array([2**31 - 1]), "reach:axis": np.array([2])}
before = [
    helper.make_node("Split", ["memory"], [f"state:{layer}" for layer in range(LAYERS)], axis=0),
]
after = [
    helper.make_node("Concat", states, ["memory:next"], axis=0),
    helper.make_node("Slice", ["c0:all", "reach:start", "reach:end", "reach:axis"], ["past:next"]),
]
join = helper.make_node("Concat", ["past", "c0"], ["c0:all"], axis=2)
place = next(index for index, node in enumerate(nodes) if "c0" in node.output)
nodes = before + nodes[: place + 1] + [join] + nodes[place + 1 :] + after

wanted = {"gains": [1, 1, "frames", 32], "filters": [1, "frames", 96, 10]}
memory = {"memory": [LAYERS, 1, UNITS], "past": [1, 64, REACH, 96]}
taken = {"bands": [1, 1, "frames+2", 32], "bins": [1, 2, "frames+2", 96], **memory}
given = {**wanted, **{f"{name}:next": shape for name, shape in memory.items()}}

# Only what leads to an output stays.
needed, kept = set(given), []
for node in reversed(nodes):
    if needed.isdisjoint(node.output):
        continue
    kept.insert(0, node)
    needed.update(node.input)

stored = [numpy_helper.from_array(values, name) for name, values in weights.items() if name in needed]


def described(shapes):
    return [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]


graph = helper.make_graph(kept, "deepFilterNet", described(taken), described(given), stored)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 12)], ir_version=8)
save(model, sys.argv[2])
