import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setFlagsFromString } from 'node:v8';

import { env, InferenceSession, Tensor } from './ort.wasm.bundle.min.mjs';

/** A network's inputs or outputs: numbers, and the length of each of their dimensions. */
export type Arrays = Readonly<
	Record<string, { readonly data: Float32Array; readonly dims: readonly number[] }>
>;

/** 3 only errors are logged. */
const ERRORS_ONLY = 3;

/**
 * V8 compiles a function again, for speed, once it has run about this much. The first compilation of this runtime
 * is as fast, and compiling its large functions again takes 110 MB for each thread.
 */
const TIERING_BUDGET = 1_000_000_000;
const USUAL_TIERING_BUDGET = 13_000_000;

let runtime: Promise<void> | undefined;

/** The networks of this thread, by the address of their graph. */
const loaded = new Map<string, Promise<Network>>();

/** Gives ONNX Runtime its code. One thread: the engine has threads of its own. */
async function prepare(): Promise<void> {
	env.wasm.numThreads = 1;
	env.wasm.wasmBinary = await readToGiveBack(
		new URL('ort-wasm-simd-threaded.wasm', import.meta.url),
	);
}

/** Bytes whose memory `giveBack` returns to the system at once. Once freed, other memory stays with its thread. */
function bytesToGiveBack(length: number): Uint8Array<ArrayBuffer> {
	return new Uint8Array(new ArrayBuffer(length, { maxByteLength: length }));
}

async function readToGiveBack(file: URL): Promise<Uint8Array<ArrayBuffer>> {
	await using handle = await open(file);
	const bytes = bytesToGiveBack((await handle.stat()).size);
	await handle.read(bytes);
	return bytes;
}

function giveBack({ buffer }: Uint8Array<ArrayBuffer>): void {
	buffer.resize(0);
}

/** Reads weights of 16 bits each, and makes them 32 bits wide. */
async function readWeights(file: URL): Promise<Uint8Array<ArrayBuffer>> {
	const halves = await readToGiveBack(file);
	const bytes = bytesToGiveBack(2 * halves.length);
	new Float32Array(bytes.buffer).set(new Float16Array(halves.buffer));
	giveBack(halves);
	return bytes;
}

/** A neural network in ONNX's format, run by ONNX Runtime's WebAssembly build in the caller's thread. */
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
		await (runtime ??= prepare());
		const data = weights && (await readWeights(weights));
		const externalData = data && [{ path: basename(weights.pathname), data }];
		const model = await readFile(graph);
		setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
		try {
			const session = await InferenceSession.create(model, {
				executionProviders: ['wasm'],
				graphOptimizationLevel: 'all',
				logSeverityLevel: ERRORS_ONLY,
				externalData,
			});
			// It is compiled now.
			giveBack(env.wasm.wasmBinary);
			return new Network(session);
		} finally {
			setFlagsFromString(`--wasm-tiering-budget=${USUAL_TIERING_BUDGET}`);
			if (data) giveBack(data);
		}
	}

	/** Runs the network once. */
	async run(inputs: Arrays): Promise<Arrays> {
		const tensors = Object.entries(inputs).map(([name, { data, dims }]) => {
			return [name, new Tensor('float32', data, dims)] as const;
		});
		return await this.session.run(Object.fromEntries(tensors));
	}
}
