import { z } from 'zod';

import { wasmCall, wasmExports } from '../wasmLibrary.mts';

/** Columns that are multiplied at a time. */
const STEP_COLUMNS = 16;

const librarySchema = z.object({ memory: z.instanceof(WebAssembly.Memory), multiply: wasmCall });

/** A matrix: write `vector`, then multiply. The next product overwrites this one. */
export interface Matrix {
	readonly values: Float32Array;
	readonly vector: Float32Array;
	readonly product: Float32Array;
}

/** Matrices in the memory of a small library, which multiplies them on the vector unit. */
export class Matrices {
	private readonly library: z.infer<typeof librarySchema>;
	private usedBytes = 0;

	private constructor(exports: object) {
		this.library = librarySchema.parse(exports);
	}

	static async load(): Promise<Matrices> {
		return new Matrices(await wasmExports('./dtln/multiply.wasm', {}));
	}

	/** @param rows one after the other, of this many columns each. */
	add(rows: Float32Array, columns: number): Matrix {
		const width = STEP_COLUMNS * Math.ceil(columns / STEP_COLUMNS);
		const count = rows.length / columns;
		const values = this.room(count * width);
		for (let row = 0; row < count; row++) {
			values.set(rows.subarray(row * columns, (row + 1) * columns), row * width);
		}
		return { values, vector: this.room(width), product: this.room(count) };
	}

	/** Writes the product of a matrix and its vector, and returns it. */
	multiply({ values, vector, product }: Matrix): Float32Array {
		const places = [values, vector, product].map(({ byteOffset }) => byteOffset);
		this.library.multiply(...places, product.length, vector.length);
		return product;
	}

	/** Reserves memory for numbers, all 0. */
	private room(length: number): Float32Array {
		const start = this.usedBytes;
		this.usedBytes += Math.ceil(length / STEP_COLUMNS) * STEP_COLUMNS * 4;
		return new Float32Array(this.library.memory.buffer, start, length);
	}
}
