import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the URL of a module in the same folder, for a thread to run. It has the caller's extension:
 * `.mts` in the sources, `.mjs` in the package.
 */
export function besideModule(moduleUrl: string, name: string): URL {
	return new URL(`./${name}${extname(fileURLToPath(moduleUrl))}`, moduleUrl);
}
