import { readFile } from 'node:fs/promises';
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

/** Gives ONNX Runtime its code. One thread: the engine has threads of its own. */
async function prepare(): Promise<void> {
	env.wasm.numThreads = 1;
	env.wasm.wasmBinary = await readFile(new URL('ort-wasm-simd-threaded.wasm', import.meta.url));
}

/** A neural network in ONNX's format, run by ONNX Runtime's WebAssembly build in the caller's thread. */
export class Network {
	private readonly session: InferenceSession;

	private constructor(session: InferenceSession) {
		this.session = session;
	}

	/** Loads a network from a file. */
	static async load(file: URL): Promise<Network> {
		await (runtime ??= prepare());
		const model = await readFile(file);
		setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
		try {
			const session = await InferenceSession.create(model, {
				executionProviders: ['wasm'],
				graphOptimizationLevel: 'all',
				logSeverityLevel: ERRORS_ONLY,
			});
			// It is compiled now, and would stay in the memory of each thread.
			env.wasm.wasmBinary = new Uint8Array();
			return new Network(session);
		} finally {
			setFlagsFromString(`--wasm-tiering-budget=${USUAL_TIERING_BUDGET}`);
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
