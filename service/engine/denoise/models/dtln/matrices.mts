import { z } from 'zod';

import { wasmCall } from '../../../signal/wasmCall.mts';
import { wasmExports } from '../wasmLibrary.mts';

/** Rows that are multiplied at a time. */
const BLOCK_ROWS = 32;

/** Units of each recurrent layer. */
export const UNITS = 128;

const librarySchema = z.object({
	memory: z.instanceof(WebAssembly.Memory),
	multiply: wasmCall,
	remember: wasmCall,
	squash: wasmCall,
});

/** A matrix: write `vector` up to its biases, if it has any, then multiply. The next product overwrites this one. */
export interface Matrix {
	readonly values: Float32Array;
	readonly vector: Float32Array;
	readonly product: Float32Array;
}

/** Matrices in the memory of a small library, which computes with them on the vector unit. */
export class Matrices {
	private readonly library: z.infer<typeof librarySchema>;
	private readonly cells: Float32Array;
	private usedBytes = 0;

	private constructor(exports: object) {
		this.library = librarySchema.parse(exports);
		this.cells = this.room(UNITS);
	}

	static async load(): Promise<Matrices> {
		return new Matrices(await wasmExports('./dtln/layers.wasm', {}));
	}

	/**
	 * Puts matrices with this many rows side by side; each lists its values row after row. The vector begins as all 1,
	 * so a last column of biases is added as it is.
	 */
	add(rows: number, ...parts: readonly Float32Array[]): Matrix {
		const columns = parts.reduce((sum, part) => sum + part.length / rows, 0);
		const height = BLOCK_ROWS * Math.ceil(rows / BLOCK_ROWS);
		const values = this.room(height * columns);
		let place = 0;
		for (let first = 0; first < height; first += BLOCK_ROWS) {
			for (const part of parts) {
				const width = part.length / rows;
				for (let column = 0; column < width; column++, place += BLOCK_ROWS) {
					for (let row = first; row < Math.min(first + BLOCK_ROWS, rows); row++) {
						values[place + row - first] = part[row * width + column];
					}
				}
			}
		}
		const product = this.room(height).subarray(0, rows);
		return { values, vector: this.room(columns).fill(1), product };
	}

	/** Writes the product of a matrix and its vector, and returns it. */
	multiply({ values, vector, product }: Matrix): Float32Array {
		const [from, by, to] = [values.byteOffset, vector.byteOffset, product.byteOffset];
		this.library.multiply(from, by, to, Math.ceil(product.length / BLOCK_ROWS), vector.length);
		return product;
	}

	/** Returns the sigmoid of a product, 0 to 1. */
	squashed(matrix: Matrix): Float32Array {
		const product = this.multiply(matrix);
		this.library.squash(product.byteOffset, Math.ceil(product.length / 4));
		return product;
	}

	/** Makes a step of long short-term memory: returns what a layer says, and changes what its cells hold. */
	remember(matrix: Matrix, cells: Float32Array): Float32Array {
		const product = this.multiply(matrix);
		this.cells.set(cells);
		this.library.remember(product.byteOffset, this.cells.byteOffset);
		cells.set(this.cells);
		return product.subarray(0, UNITS);
	}

	/** Reserves memory for numbers, all 0. */
	private room(length: number): Float32Array {
		const start = this.usedBytes;
		this.usedBytes += Math.ceil(length / BLOCK_ROWS) * BLOCK_ROWS * 4;
		return new Float32Array(this.library.memory.buffer, start, length);
	}
}
