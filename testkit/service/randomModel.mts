import { appendFile, writeFile } from 'node:fs/promises';

import { Chance } from '../measure/chance.mts';

/** Sizes of a speech model. The smallest that the recognizer loads has one layer of 64. */
export interface ModelSizes {
	layers: number;
	state: number;
	heads: number;
}

const TINY: ModelSizes = { layers: 1, state: 64, heads: 1 };

const MELS = 80;
const FFT_BINS = 201;
const TOKENS = 51_865;
const WRITTEN_TOKENS = 50_257;
const AUDIO_CONTEXT = 1_500;
const TEXT_CONTEXT = 448;
const HALF = 1;

function int32(...numbers: number[]): Buffer {
	return Buffer.from(Int32Array.from(numbers).buffer);
}

/** Half-precision numbers between about -0.1 and 0.1. */
function halves(chance: Chance, count: number): Buffer {
	const numbers = Uint16Array.from({ length: count }, () => {
		const sign = chance.isTrue(0.5) ? 0x80_00 : 0;
		return sign | (chance.whole(8, 11) << 10) | chance.whole(0, 1_023);
	});
	return Buffer.from(numbers.buffer);
}

/** The names and shapes of the tensors of one attention, and of one multilayer perceptron. */
function* blockShapes(prefix: string, state: number): Generator<[string, number[]]> {
	for (const part of ['query', 'key', 'value', 'out']) {
		yield [`${prefix}.${part}.weight`, [state, state]];
		if (part !== 'key') yield [`${prefix}.${part}.bias`, [state]];
	}
	yield* layerShapes(`${prefix}_ln`, [state]);
}

function* layerShapes(
	name: string,
	weight: number[],
	bias = weight,
): Generator<[string, number[]]> {
	yield [`${name}.weight`, weight];
	yield [`${name}.bias`, bias];
}

function* shapes({ layers, state }: ModelSizes): Generator<[string, number[]]> {
	yield ['encoder.positional_embedding', [state, AUDIO_CONTEXT]];
	yield* layerShapes('encoder.conv1', [3, MELS, state], [1, state]);
	yield* layerShapes('encoder.conv2', [3, state, state], [1, state]);
	yield ['decoder.positional_embedding', [state, TEXT_CONTEXT]];
	yield ['decoder.token_embedding.weight', [state, TOKENS]];
	yield* layerShapes('encoder.ln_post', [state]);
	yield* layerShapes('decoder.ln', [state]);
	for (const side of ['encoder', 'decoder']) {
		for (let layer = 0; layer < layers; layer++) {
			const prefix = `${side}.blocks.${layer}`;
			yield* blockShapes(`${prefix}.attn`, state);
			if (side === 'decoder') yield* blockShapes(`${prefix}.cross_attn`, state);
			yield* layerShapes(`${prefix}.mlp_ln`, [state]);
			yield* layerShapes(`${prefix}.mlp.0`, [state, 4 * state], [4 * state]);
			yield* layerShapes(`${prefix}.mlp.2`, [4 * state, state], [state]);
		}
	}
}

/** Weights are halves, except embeddings of positions, biases and norms. */
const isHalf = (name: string) => name.endsWith('.weight') && !/ln(_post)?\.weight$/.test(name);

function vocabulary(): Buffer {
	const words = [' ', ' -', " '"];
	const parts = Array.from({ length: WRITTEN_TOKENS }, (_, token) => {
		const text = Buffer.from(words[token] ?? ` w${token}`);
		return Buffer.concat([int32(text.length), text]);
	});
	return Buffer.concat([int32(WRITTEN_TOKENS), ...parts]);
}

/**
 * Writes a model in whisper.cpp's format with random weights. The real recognizer loads and runs it; what it
 * hears, and when, is nonsense.
 */
export async function writeRandomModel(path: string, sizes = TINY): Promise<void> {
	const chance = new Chance(41);
	const { layers, state, heads } = sizes;
	const side = [state, heads, layers];
	const filters = Float32Array.from({ length: MELS * FFT_BINS }, (_, at) =>
		at % FFT_BINS === 2 * Math.floor(at / FFT_BINS) ? 0.02 : 0,
	);
	const header = [0x67_67_6d_6c, TOKENS, AUDIO_CONTEXT, ...side, TEXT_CONTEXT, ...side, MELS, HALF];
	await writeFile(
		path,
		Buffer.concat([int32(...header, MELS, FFT_BINS), Buffer.from(filters.buffer), vocabulary()]),
	);
	const block = halves(chance, 65_536);
	for (const [name, shape] of shapes(sizes)) {
		const count = shape.reduce((product, size) => product * size, 1);
		const head = int32(shape.length, name.length, isHalf(name) ? HALF : 0, ...shape);
		const one = /ln(_post)?\.weight$/.test(name) ? 1 : 0;
		const weights = isHalf(name)
			? Buffer.concat(Array<Buffer>(Math.ceil((2 * count) / block.length)).fill(block), 2 * count)
			: Buffer.from(new Float32Array(count).fill(one).buffer);
		await appendFile(path, Buffer.concat([head, Buffer.from(name), weights]));
	}
}
