import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { INodeType } from 'n8n-workflow';

import type { Time } from '../../api/time.ts';
import { loadNodes } from '../../demo/builtPackage.mts';
import { liveBy } from '../time/liveBy.mts';

const require = createRequire(import.meta.url);
const BUILT = join(import.meta.dirname, '..', '..', 'dist');

/** A process of n8n: it has loaded the built nodes for itself, and lives by the clock of its trial until it dies. */
export class Process {
	isDead = false;

	readonly nodes: Record<string, INodeType>;

	constructor(time: Time) {
		for (const path of Object.keys(require.cache)) {
			if (path.startsWith(BUILT)) Reflect.deleteProperty(require.cache, path);
		}
		// Keeps what it has loaded, so each process has its own.
		const load = createRequire(import.meta.url);
		const { systemTime } = load(join(BUILT, 'api', 'time.js')) as { systemTime: Time };
		liveBy(systemTime, time, () => this.isDead);
		this.nodes = loadNodes();
	}
}
