/** Where the recognizer's project publishes its models, as `ggml-<name>.bin`. */
export const MODEL_ADDRESS = 'https://huggingface.co/ggerganov/whisper.cpp/resolve/main';

/** The models worth having on a usual machine, with the SHA-1 published beside them. */
const SHA1 = {
	base: '465707469ff3a37a2b9b8d8f89f2f99de7299dac',
	small: '55356645c2b361a969dfd0ef2c5a50d530afd8d5',
	medium: 'fd9727b6e1217c2f614f9b698455c4ffd82463b4',
};

export type ModelName = keyof typeof SHA1;

export const MODEL_NAMES = Object.keys(SHA1);

export function isModelName(name: string): name is ModelName {
	return Object.hasOwn(SHA1, name);
}

export function fileNameOf(name: ModelName): string {
	return `ggml-${name}.bin`;
}

/** Returns the published checksum of a model, as hexadecimal digits. */
export function sha1Of(name: ModelName): string {
	return SHA1[name];
}
