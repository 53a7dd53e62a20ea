import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { z } from 'zod';

const packageSchema = z.object({ name: z.string(), version: z.string() });

/** Looks upwards, because the compiled module is deeper in the package than its source. */
function versionAbove(folder: string): string {
	try {
		const text = readFileSync(join(folder, 'package.json'), 'utf8');
		const { name, version } = packageSchema.parse(JSON.parse(text));
		if (name === 'audio-editing-service') return version;
	} catch {
		// No package, or that of compiled files, which has no name.
	}
	return versionAbove(dirname(folder));
}

/** The version of the service's package, such as `0.1.0`. */
export const VERSION = versionAbove(import.meta.dirname);
