#!/bin/sh
# Installs ONNX Runtime for this machine into a folder. Where NODE_PATH names its node_modules, the service runs its
# networks with it, in half the time.
#
# usage: native.sh FOLDER
set -eu

# Packed, not installed: that runs no script, and brings no packages that only a script needs.
VERSION=1.30.0
NODE_SHA256=6e3390d6b783e7be946fad629292799da28d0b42f84856e50d2c1b0383291e75
COMMON_SHA256=7906c439e0d3e0f4048caa23b64cdfadc0f455c377f579ce1ab2a4b778f07d5f

modules=$1/node_modules
mkdir -p "$modules"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --silent "onnxruntime-node@$VERSION" "onnxruntime-common@$VERSION") >/dev/null

# add NAME CHECKSUM
add() {
	archive=$work/$1-$VERSION.tgz
	if command -v sha256sum >/dev/null; then sum=$(sha256sum "$archive"); else sum=$(shasum -a 256 "$archive"); fi
	if [ "${sum%% *}" != "$2" ]; then
		echo "$1 $VERSION does not have the expected checksum" >&2
		exit 1
	fi
	mkdir -p "$modules/$1"
	tar -xzf "$archive" -C "$modules/$1" --strip-components 1
}
add onnxruntime-node $NODE_SHA256
add onnxruntime-common $COMMON_SHA256

# What is for other machines, five sixths of it.
machine=$(node -p 'process.platform + "/" + process.arch')
for folder in "$modules"/onnxruntime-node/bin/*/*/*; do
	case $folder in */"$machine") ;; *) rm -rf "$folder" ;; esac
done
