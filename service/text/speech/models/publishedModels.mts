/** Where the recognizer's project publishes its models, as `ggml-<name>.bin`. */
export const MODEL_ADDRESS = 'https://huggingface.co/ggerganov/whisper.cpp/resolve/main';

/**
 * The models worth having on a usual machine, with the SHA-1 published beside them: `.en` is for English only, and
 * `-q5` has smaller, less exact weights.
 */
const SHA1 = {
	tiny: 'bd577a113a864445d4c299885e0cb97d4ba92b5f',
	'tiny.en': 'c78c86eb1a8faa21b369bcd33207cc90d64ae9df',
	'tiny-q5_1': '2827a03e495b1ed3048ef28a6a4620537db4ee51',
	'tiny.en-q5_1': '3fb92ec865cbbc769f08137f22470d6b66e071b6',
	base: '465707469ff3a37a2b9b8d8f89f2f99de7299dac',
	'base.en': '137c40403d78fd54d454da0f9bd998f78703390c',
	'base-q5_1': 'a3733eda680ef76256db5fc5dd9de8629e62c5e7',
	'base.en-q5_1': 'd26d7ce5a1b6e57bea5d0431b9c20ae49423c94a',
	small: '55356645c2b361a969dfd0ef2c5a50d530afd8d5',
	'small.en': 'db8a495a91d927739e50b3fc1cc4c6b8f6c2d022',
	'small-q5_1': '6fe57ddcfdd1c6b07cdcc73aaf620810ce5fc771',
	'small.en-q5_1': '20f54878d608f94e4a8ee3ae56016571d47cba34',
	medium: 'fd9727b6e1217c2f614f9b698455c4ffd82463b4',
	'medium.en': '8c30f0e44ce9560643ebd10bbe50cd20eafd3723',
	'medium-q5_0': '7718d4c1ec62ca96998f058114db98236937490e',
	'medium.en-q5_0': 'bb3b5281bddd61605d6fc76bc5b92d8f20284c3b',
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
