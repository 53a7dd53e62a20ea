import { mkdir } from 'node:fs/promises';

import { openTools } from '../../cli/localService.mts';
import { InProcessQueue } from '../../queue/inProcessQueue.mts';
import { readSettings } from '../../shared/settings.mts';
import { eventually } from '../../../testkit/time/eventually.mts';

/** Opens the parts of a service without its HTTP side, on a storage folder that may exist. */
export async function openParts(storage: string, ...flags: string[]) {
	await mkdir(storage, { recursive: true });
	const log: string[] = [];
	const settings = readSettings(['--storage', storage, ...flags]);
	const { tools, database, close } = await openTools(settings, (line) => log.push(line));
	const queue = new InProcessQueue(tools);
	return {
		storage,
		tools,
		database,
		queue,
		log,
		/** Waits for a line in the log. */
		logged: async (pattern: RegExp) =>
			await eventually(String(pattern), () => log.find((line) => pattern.test(line))),
		[Symbol.asyncDispose]: async () => {
			await queue.close();
			await tools.folderAge.keep(tools.clock.moment().ageMs);
			await close();
		},
	};
}
