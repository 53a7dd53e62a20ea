import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { inNativeCode } from '../../../shared/nativeCode.mts';
import { giveBack, readToGiveBack } from './givenBack.mts';
import type { InferenceSession } from './ort.wasm.bundle.min.mjs';
import { sessionOf, Tensor } from './runtime.mts';

/** A network's inputs or outputs: numbers, and the length of each of their dimensions. */
export type Arrays = Readonly<
	Record<string, { readonly data: Float32Array; readonly dims: readonly number[] }>
>;

/** The networks of this thread, by the address of their graph. */
const networks = new Map<string, Network>();

/** A neural network in ONNX's format, run by ONNX Runtime in the caller's thread. */
export class Network {
	private readonly graph: URL;
	private readonly weights: URL | undefined;
	private session: Promise<InferenceSession> | undefined;
	private running = 0;

	private constructor(graph: URL, weights: URL | undefined) {
		this.graph = graph;
		this.weights = weights;
	}

	/**
	 * Returns a network, which each thread loads once.
	 *
	 * @param graph an .onnx file.
	 * @param weights those that `halves.py` has put beside the graph.
	 */
	static async load(graph: URL, weights?: URL): Promise<Network> {
		const network = networks.get(graph.href) ?? new Network(graph, weights);
		networks.set(graph.href, network);
		await network.opened();
		return network;
	}

	/**
	 * Frees the memory of a network in this thread, for others, unless it runs. It is loaded again when it is to run.
	 *
	 * @param graph as for `load`.
	 */
	static async release(graph: URL): Promise<void> {
		const network = networks.get(graph.href);
		const session = network?.session;
		if (network === undefined || session === undefined || network.running > 0) return;
		network.session = undefined;
		const ended = await session;
		await inNativeCode(() => ended.release());
	}

	private async opened(): Promise<InferenceSession> {
		return await (this.session ??= readSession(this.graph, this.weights));
	}

	/** Runs the network once. @throws when its thread is about to end. */
	async run(inputs: Arrays): Promise<Arrays> {
		const tensors = Object.entries(inputs).map(([name, { data, dims }]) => {
			return [name, new Tensor('float32', data, dims)] as const;
		});
		this.running += 1;
		try {
			const session = await this.opened();
			return await inNativeCode(() => session.run(Object.fromEntries(tensors)));
		} finally {
			this.running -= 1;
		}
	}
}

async function readSession(graph: URL, weights: URL | undefined): Promise<InferenceSession> {
	const model = await readFile(graph);
	const data = weights && (await readWeights(weights));
	try {
		const named = data && { path: basename(weights.pathname), data };
		return await inNativeCode(() => sessionOf({ graph: model, weights: named }));
	} finally {
		if (data) giveBack(data);
	}
}

/** So many weights are widened at a time. */
const WEIGHTS_AT_ONCE = 65_536;

/** Reads weights of 16 bits each, and makes them 32 bits wide in the same memory, which threads that load at once need. */
async function readWeights(file: URL): Promise<Uint8Array<ArrayBuffer>> {
	const bytes = await readToGiveBack(file, 2);
	const halves = new Float16Array(bytes.buffer, bytes.length / 2);
	const widened = new Float32Array(bytes.buffer);
	const some = new Float16Array(WEIGHTS_AT_ONCE);
	for (let from = 0; from < halves.length; from += some.length) {
		const piece = halves.subarray(from, from + some.length);
		some.set(piece);
		widened.set(some.subarray(0, piece.length), from);
	}
	return bytes;
}
