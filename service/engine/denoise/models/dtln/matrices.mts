import { z } from 'zod';

import { wasmCall, wasmExports } from '../wasmLibrary.mts';

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

/** A matrix: write `vector`, then multiply. The next product overwrites this one. */
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

	/** Joins matrices of this many rows, row after row, side by side. The vector is all 1. */
	add(rows: number, ...parts: readonly Float32Array[]): Matrix {
		const columns = parts.reduce((sum, part) => sum + part.length / rows, 0);
		const height = BLOCK_ROWS * Math.ceil(rows / BLOCK_ROWS);
		const values = this.room(height * columns);
		let before = 0;
		for (const part of parts) {
			const width = part.length / rows;
			part.forEach((value, place) => {
				const [row, column] = [Math.floor(place / width), before + (place % width)];
				const block = Math.floor(row / BLOCK_ROWS);
				values[(block * columns + column) * BLOCK_ROWS + (row % BLOCK_ROWS)] = value;
			});
			before += width;
		}
		const product = this.room(height).subarray(0, rows);
		return { values, vector: this.room(columns).fill(1), product };
	}

	/** Writes the product of a matrix and its vector, and returns it. */
	multiply({ values, vector, product }: Matrix): Float32Array {
		const places = [values, vector, product].map(({ byteOffset }) => byteOffset);
		this.library.multiply(...places, Math.ceil(product.length / BLOCK_ROWS), vector.length);
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
