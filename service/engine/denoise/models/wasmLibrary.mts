import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import type { WasmCall } from '../../signal/wasmCall.mts';

/** Returns the exports of a WebAssembly file. @param path in a package, `package/file.wasm`, or from this folder, `./file.wasm` */
export async function wasmExports(
	path: string,
	imports: Record<string, Record<string, WasmCall>>,
): Promise<object> {
	const bytes = await readFile(createRequire(import.meta.url).resolve(path));
	const { instance } = await WebAssembly.instantiate(bytes, imports);
	return instance.exports;
}
