import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';

import { giveBack, readToGiveBack } from './givenBack.mts';
import * as wasm from './ort.wasm.bundle.min.mjs';

/** What we call of ONNX Runtime: its WebAssembly build and the npm package onnxruntime-node have it. */
type Runtime = Pick<typeof wasm, 'InferenceSession' | 'Tensor'>;

/** A network's graph, and weights that lie beside it, under the name that the graph calls them. */
export interface Model {
	graph: Uint8Array;
	weights?: { path: string; data: Uint8Array };
}

/** 3 only errors are logged. */
const ERRORS_ONLY = 3;

/**
 * V8 compiles a function again, for speed, once it has run about this much. The first compilation of this runtime
 * is as fast, and compiling its large functions again takes 110 MB for each thread.
 */
const TIERING_BUDGET = 1_000_000_000;
const USUAL_TIERING_BUDGET = 13_000_000;

/** The npm package onnxruntime-node, which takes half the time. It has 288 MB, so we do not bring it along. */
const native = installed('onnxruntime-node');

export const isNative = native !== undefined;

/** The runtime's. */
export const { Tensor } = native ?? wasm;

let prepared: Promise<void> | undefined;

/** Loads a network in this thread. One thread for each: the engine has threads of its own. */
export async function sessionOf(model: Model): Promise<wasm.InferenceSession> {
	if (native) return await create(native, 'cpu', model);
	await (prepared ??= prepare());
	setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
	try {
		return await create(wasm, 'wasm', model);
	} finally {
		setFlagsFromString(`--wasm-tiering-budget=${USUAL_TIERING_BUDGET}`);
		// It is compiled now.
		giveBack(wasm.env.wasm.wasmBinary);
	}
}

async function create(
	{ InferenceSession }: Runtime,
	provider: 'cpu' | 'wasm',
	{ graph, weights }: Model,
): Promise<wasm.InferenceSession> {
	return await InferenceSession.create(graph, {
		executionProviders: [provider],
		intraOpNumThreads: 1,
		interOpNumThreads: 1,
		graphOptimizationLevel: 'all',
		logSeverityLevel: ERRORS_ONLY,
		externalData: weights && [weights],
	});
}

/** Gives the WebAssembly build its code. */
async function prepare(): Promise<void> {
	wasm.env.wasm.numThreads = 1;
	wasm.env.wasm.wasmBinary = await readToGiveBack(
		new URL('ort-wasm-simd-threaded.wasm', import.meta.url),
	);
}

/** Returns a package if it is installed beside ours or in a folder of NODE_PATH, and made for this machine. */
function installed(name: string): Runtime | undefined {
	try {
		const found: unknown = createRequire(import.meta.url)(name);
		return isRuntime(found) ? found : undefined;
	} catch {
		return undefined;
	}
}

function isRuntime(found: unknown): found is Runtime {
	return (
		typeof found === 'object' && found !== null && 'InferenceSession' in found && 'Tensor' in found
	);
}
