import { stat } from 'node:fs/promises';

/** Returns the size of a file in bytes; 0 if there is none. */
export async function sizeOf(path: string): Promise<number> {
	return await stat(path).then(
		({ size }) => size,
		() => 0,
	);
}
