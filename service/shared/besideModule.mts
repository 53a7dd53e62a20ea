import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the URL of a module in the folder of another, for a thread to run. It ends as that one's
 * does: `.mts` in the sources, `.mjs` in the published package.
 */
export function besideModule(moduleUrl: string, name: string): URL {
	return new URL(`./${name}${extname(fileURLToPath(moduleUrl))}`, moduleUrl);
}
