import { temporaryFolder } from '../test/service/support/temporaryFolder.mts';
import { join } from 'node:path';

import { tryFiles } from './attack/fileTrial.mts';
import { tryKilling } from './attack/killTrial.mts';
import { tryWaiting } from './attack/waitingTrial.mts';
import { printBars } from './bars.mts';

/**
 * Attacks a running local service on loopback with hostile files, unreachable sources and kill -9.
 * Everything is in a temporary folder that is deleted afterwards.
 */

const KILLS = 50;

await using folder = await temporaryFolder();
// No client knows the folder's name, so if the page shows it, that counts as a leak.
console.log('Hostile files');
const files = await tryFiles(folder.path);
console.log('Unreachable sources');
const ratio = await tryWaiting(join(folder.path, 'waiting'));
console.log(`kill -9, ${KILLS} times`);
const { accepted, lost, failed } = await tryKilling(join(folder.path, 'killed'), KILLS);
console.log(
	`  ${failed} of ${accepted} ended with FAILURE: the service was killed five times during them`,
);

printBars([
	{
		name: `hostile files survived, of ${files.files}`,
		...{ figure: files.survived, limit: files.files, goal: '>=', decimals: 0 },
	},
	{ name: 'kinds of hostile files', figure: files.files, limit: 40, goal: '>=', decimals: 0 },
	{
		name: 'bytes of other files that left the machine',
		...{ figure: files.leakedBytes, limit: 0, decimals: 0 },
	},
	{
		name: 'peak RSS of service and children on any of them, MB',
		...{ figure: files.peakMegabytes, limit: 600, decimals: 0 },
	},
	{ name: 'slowest refusal, s', figure: files.slowestRefusalSeconds, limit: 10, decimals: 1 },
	{
		name: 'a 1 s edit after 10 unreachable sources, wall / alone',
		...{ figure: ratio, limit: 1.5 },
	},
	{
		name: `accepted edits lost over ${KILLS} kill -9 at random moments`,
		...{ figure: lost, limit: 0, decimals: 0 },
	},
]);
