/** The package brings no types; these are the functions of fvad.h that we call. */
declare module '@echogarden/fvad-wasm' {
	/** An instance of the compiled library. Pointers are byte offsets into its memory. */
	export interface FvadModule {
		readonly HEAP16: Int16Array;
		_malloc(bytes: number): number;
		_free(pointer: number): void;
		_fvad_new(): number;
		_fvad_free(instance: number): void;
		/** @param mode 0 (hears voices everywhere) to 3 (only where it is sure). */
		_fvad_set_mode(instance: number, mode: number): number;
		_fvad_set_sample_rate(instance: number, rateHz: number): number;
		/** Returns 1 for a voice, 0 for none, -1 for a frame of a length it does not know. */
		_fvad_process(instance: number, frame: number, samples: number): number;
	}

	export default function load(): Promise<FvadModule>;
}
