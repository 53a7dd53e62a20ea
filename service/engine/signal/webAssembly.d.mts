/** Node has WebAssembly, but its types are in the DOM library. These are the ones we use. */
declare global {
	namespace WebAssembly {
		class Memory {
			readonly buffer: ArrayBuffer;
			constructor(descriptor: { initial: number });
		}

		const Module: new (bytes: Uint8Array) => object;

		const Instance: new (
			module: object,
			imports: Record<string, Record<string, (...values: number[]) => number>>,
		) => { exports: object };

		function instantiate(
			bytes: Uint8Array,
			imports: Record<string, Record<string, (...values: number[]) => number>>,
		): Promise<{ instance: { exports: object } }>;
	}
}

export {};
