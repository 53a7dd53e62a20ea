/** Node has WebAssembly, but its types come with the browser's; this is what is used of it. */
declare global {
	namespace WebAssembly {
		class Memory {
			readonly buffer: ArrayBuffer;
			constructor(descriptor: { initial: number });
		}

		function instantiate(
			bytes: Uint8Array,
			imports: Record<string, Record<string, (...values: number[]) => number>>,
		): Promise<{ instance: { exports: object } }>;
	}
}

export {};
