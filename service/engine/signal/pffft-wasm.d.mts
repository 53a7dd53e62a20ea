/** The package brings no types; these are the functions of pffft.h that we call. */
declare module '@echogarden/pffft-wasm/simd' {
	/** An instance of the compiled library. Pointers are byte offsets into its memory. */
	export interface PffftModule {
		readonly HEAPF32: Float32Array<ArrayBuffer>;
		/** @param kind 0 for real signals. */
		_pffft_new_setup(samples: number, kind: number): number;
		_pffft_aligned_malloc(bytes: number): number;
		/** @param direction 0 forward, 1 backward; neither scales. */
		_pffft_transform_ordered(
			setup: number,
			input: number,
			output: number,
			work: number,
			direction: number,
		): void;
	}

	export default function load(): Promise<PffftModule>;
}
