/** The package brings no types; these are the functions of rnnoise.h that we call. */
declare module '@echogarden/rnnoise-wasm' {
	/** An instance of the compiled library. Pointers are byte offsets into its memory. */
	export interface RnnoiseModule {
		readonly HEAPF32: Float32Array;
		_malloc(bytes: number): number;
		_free(pointer: number): void;
		/** @param model 0 for the built-in one. */
		_rnnoise_create(model: number): number;
		_rnnoise_destroy(state: number): void;
		/** Returns the probability of speech, 0 to 1. */
		_rnnoise_process_frame(state: number, output: number, input: number): number;
	}

	export default function load(): Promise<RnnoiseModule>;
}
