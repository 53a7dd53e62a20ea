/**
 * `npm run bench -w service -- review`: what a review loses, and how long people wait. `-- review 600` takes ten minutes
 * instead of an hour for the waiting.
 */
import { join } from 'node:path';

import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';
import { startChildService } from '../../../testkit/service/childService.mts';
import type { Client } from '../../../testkit/service/client.mts';
import { QUICK } from '../../../testkit/service/testService.mts';
import { FFMPEG_SOURCE_VARIABLE } from '../../media/ffmpeg/ffmpeg.mts';
import { count, printBars } from '../../../testkit/measure/bars.mts';
import { tryHour } from './hour.mts';
import { tryPutBacks } from './putBack.mts';
import { tryReviewKills } from './reviewKills.mts';

const KILLS = 30;
const SEED = 40;

// The same ffmpeg as that of the comparison.
process.env[FFMPEG_SOURCE_VARIABLE] = 'PATH';

const seconds = Number(process.argv[2] ?? 3_600);
await using folder = await temporaryFolder();

async function withService<T>(name: string, work: (client: Client) => Promise<T>): Promise<T> {
	await using service = await startChildService(join(folder.path, name), ...QUICK, '--review');
	return await work(service.client);
}

console.log('Cuts put back');
const back = await withService('back', tryPutBacks);
console.log(`kill -9, ${KILLS} times`);
const killed = await tryReviewKills(join(folder.path, 'killed'), KILLS, SEED);
console.log(`A recording of ${seconds} s`);
const hour = await withService('hour', (client) => tryHour(client, seconds, folder.path));

console.log(`seeds ${SEED}`);
console.log(
	`the sound on the page: first byte after ${hour.firstSeconds.toFixed(2)} s, whole after ${hour.wholeSeconds.toFixed(2)} s, at worst ${hour.worstSeconds.toFixed(2)} s`,
);
printBars([
	count(`cuts put back that differ in a sample, of ${back.tried}`, back.differ),
	{
		name: `Approve to SUCCESS, ${seconds / 3_600} h with 200 cuts, over decode + encode`,
		figure: hour.ratio,
		limit: 1.5,
	},
	count(`reviews lost over ${KILLS} kill -9, of ${killed.accepted}`, killed.lost),
	{ name: 'page bytes for an hour', figure: hour.megabytes, limit: 2, unit: 'MB' },
	{
		name: 'time to the first sound on the page for a recording of an hour',
		figure: hour.firstSeconds,
		limit: 1,
		unit: 's',
	},
]);
