import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { inNativeCode } from '../../../shared/nativeCode.mts';
import { bytesToGiveBack, giveBack, readToGiveBack } from './givenBack.mts';
import type { InferenceSession } from './ort.wasm.bundle.min.mjs';
import { sessionOf, Tensor } from './runtime.mts';

/** A network's inputs or outputs: numbers, and the length of each of their dimensions. */
export type Arrays = Readonly<
	Record<string, { readonly data: Float32Array; readonly dims: readonly number[] }>
>;

/** The networks of this thread, by the address of their graph. */
const loaded = new Map<string, Promise<Network>>();

/** A neural network in ONNX's format, run by ONNX Runtime in the caller's thread. */
export class Network {
	private readonly session: InferenceSession;

	private constructor(session: InferenceSession) {
		this.session = session;
	}

	/**
	 * Returns a network, which each thread loads once.
	 *
	 * @param graph an .onnx file.
	 * @param weights those that `halves.py` has put beside the graph.
	 */
	static async load(graph: URL, weights?: URL): Promise<Network> {
		const known = loaded.get(graph.href) ?? Network.read(graph, weights);
		loaded.set(graph.href, known);
		return await known;
	}

	private static async read(graph: URL, weights: URL | undefined): Promise<Network> {
		const model = await readFile(graph);
		const data = weights && (await readWeights(weights));
		try {
			const named = data && { path: basename(weights.pathname), data };
			return new Network(await inNativeCode(() => sessionOf({ graph: model, weights: named })));
		} finally {
			if (data) giveBack(data);
		}
	}

	/** Runs the network once. @throws when its thread is about to end. */
	async run(inputs: Arrays): Promise<Arrays> {
		const tensors = Object.entries(inputs).map(([name, { data, dims }]) => {
			return [name, new Tensor('float32', data, dims)] as const;
		});
		return await inNativeCode(() => this.session.run(Object.fromEntries(tensors)));
	}
}

/** Reads weights of 16 bits each, and makes them 32 bits wide. */
async function readWeights(file: URL): Promise<Uint8Array<ArrayBuffer>> {
	const halves = await readToGiveBack(file);
	const bytes = bytesToGiveBack(2 * halves.length);
	new Float32Array(bytes.buffer).set(new Float16Array(halves.buffer));
	giveBack(halves);
	return bytes;
}
