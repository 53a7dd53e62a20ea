import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import { z } from 'zod';

/** A function of a library; pointers are byte offsets into its memory. */
type Call = (...values: number[]) => number;

/** The schema of such a function. */
export const wasmCall = z.custom<Call>((value) => typeof value === 'function');

/** Returns the exports of a WebAssembly file. @param path in a package, `package/file.wasm`, or from this folder, `./file.wasm` */
export async function wasmExports(
	path: string,
	imports: Record<string, Record<string, Call>>,
): Promise<object> {
	const bytes = await readFile(createRequire(import.meta.url).resolve(path));
	const { instance } = await WebAssembly.instantiate(bytes, imports);
	return instance.exports;
}
