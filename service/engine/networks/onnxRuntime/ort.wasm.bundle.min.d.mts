/** The package's own types come with 139 MB; these are the parts that we call. */

/** Numbers in an array of several dimensions. */
export class Tensor {
	constructor(type: 'float32', data: Float32Array, dims: readonly number[]);
	readonly data: Float32Array;
	readonly dims: readonly number[];
}

/** A network that is ready to run. */
export interface InferenceSession {
	run(inputs: Readonly<Record<string, Tensor>>): Promise<Record<string, Tensor>>;
	release(): Promise<void>;
}

interface SessionOptions {
	executionProviders: ReadonlyArray<'cpu' | 'wasm'>;
	intraOpNumThreads: number;
	interOpNumThreads: number;
	graphOptimizationLevel: 'all';
	logSeverityLevel: number;
	externalData?: ReadonlyArray<{ path: string; data: Uint8Array }>;
}

export const InferenceSession: {
	create(model: Uint8Array, options: SessionOptions): Promise<InferenceSession>;
};

export const env: { wasm: { numThreads: number; wasmBinary: Uint8Array<ArrayBuffer> } };
