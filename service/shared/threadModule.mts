import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the URL of a module in the same folder, for a thread to run. It has the caller's extension:
 * `.mts` in the sources, `.mjs` in the package.
 */
export function besideModule(moduleUrl: string, name: string): URL {
	return new URL(`./${name}${extname(fileURLToPath(moduleUrl))}`, moduleUrl);
}

/** Piscina's options for all threads that run our modules. */
export const THREAD_OPTIONS = {
	// Node itself strips the types; tsx would take a thread longer to load.
	execArgv: [],
	// Most objects in a thread are short-lived; by default, V8 lets 48 MB of them pile up.
	resourceLimits: { maxYoungGenerationSizeMb: 4 },
};
