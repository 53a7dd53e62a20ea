import { join } from 'node:path';

import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { tryDamages } from './attack/damageTrial.mts';
import { tryFairness } from './attack/fairTrial.mts';
import { tryFiles } from './attack/fileTrial.mts';
import { tryKilling } from './attack/killTrial.mts';
import { tryOutOfMemory } from './attack/outOfMemoryTrial.mts';
import { tryRequests } from './attack/requestTrial.mts';
import { tryStored } from './attack/storedTrial.mts';
import { tryEndless, tryLeaving, tryUndecodable } from './attack/survivalTrial.mts';
import { slowerThanLinear } from '../../testkit/text/textTrial.mts';
import { tryWaiting } from './attack/waitingTrial.mts';
import { count, printBars } from '../../testkit/measure/bars.mts';

/**
 * Attacks a running local service on loopback with hostile files, unreachable sources and kill -9.
 * Everything is in a temporary folder that is deleted afterwards.
 */

const KILLS = 50;

const STORED = 10_000;

const SEEDS = [1, 2, 3];

/** A death in ten of 110 edits would show itself ten times and more. */
const UNDECODABLE_EDITS = 400;
const LEFT_UPLOADS = 50;

const KILLED_PROGRAMS = 10;
const EDITS_WITH_KILLED_PROGRAMS = 60;

await using folder = await temporaryFolder();
// No client knows the folder's name, so if the page shows it, that counts as a leak.
console.log('Hostile files');
const files = await tryFiles(folder.path);
console.log('Unreachable sources');
const ratio = await tryWaiting(join(folder.path, 'waiting'));
console.log('Single requests');
const requests = await tryRequests(join(folder.path, 'requests'));
console.log('Stored edits');
const growth = await tryStored(join(folder.path, 'stored'), STORED);
console.log('Long edits of another key');
const fairSeconds = await tryFairness(join(folder.path, 'fair'));
console.log('Uploads that are left, recordings of one sample, answers without end');
const survivals = [
	await tryLeaving(join(folder.path, 'leaving'), LEFT_UPLOADS),
	await tryUndecodable(join(folder.path, 'undecodable'), UNDECODABLE_EDITS),
	await tryEndless(join(folder.path, 'endless')),
];
for (const survival of survivals) console.log(' ', survival);
const [leaving, undecodable, endless] = survivals;
console.log('Lost and damaged databases, wrong clocks');
const damages = await tryDamages(join(folder.path, 'damages'));
console.log('ffmpeg, killed by the machine');
const killed = await tryOutOfMemory(
	join(folder.path, 'out-of-memory'),
	EDITS_WITH_KILLED_PROGRAMS,
	KILLED_PROGRAMS,
	1,
);
console.log('Texts');
const slow = slowerThanLinear();
for (const one of slow) console.log(`  ${one}`);
let lost = 0;
for (const seed of SEEDS) {
	console.log(`kill -9, ${KILLS} times, seed ${seed}`);
	lost += await tryKilling(join(folder.path, `killed-${seed}`), KILLS, seed);
}

printBars([
	count(`hostile files survived, of ${files.files}`, files.survived, files.files, '>='),
	count('kinds of hostile files', files.files, 140, '>='),
	count('bytes of other files that left the machine', files.leakedBytes, 0),
	count('peak RSS of service and children on any of them, MB', files.peakMegabytes, 600),
	{
		// What the programs compute: on a busy machine, the same refusal takes longer.
		name: 'processor time of the dearest refusal, s',
		figure: files.dearestRefusalSeconds,
		limit: 8.1,
		decimals: 1,
	},
	{ name: 'a 1 s edit after 10 unreachable sources, wall / alone', figure: ratio, limit: 1.5 },
	count(`accepted edits lost over ${KILLS} kill -9, on ${SEEDS.length} seeds`, lost, 0),
	count('processor time of the main thread for the worst single request, ms', requests.worstMs, 50),
	{
		name: 'longest time in which /ping had no answer, s',
		figure: requests.longestSilenceSeconds,
		limit: 0.5,
	},
	{
		name: 'an edit of 2 s beside two videos of 3 h of another key, s',
		figure: fairSeconds,
		limit: 15,
		decimals: 1,
	},
	{ name: `a request with ${STORED} stored edits of its key / with 1`, figure: growth, limit: 2 },
	count('process deaths', survivals.filter(({ deaths }) => deaths > 0).length, 0),
	count(
		"other keys' edits that fail",
		survivals.reduce((sum, { othersFailed }) => sum + othersFailed, 0),
		0,
	),
	count('peak memory with endless answers, sources and words, MB', endless.peakMegabytes, 600),
	{
		name: 'longest time in which /ping had no answer, with uploads that are left, s',
		figure: leaving.longestSilenceSeconds,
		limit: 0.5,
	},
	{
		name: 'the same with endless answers, sources and words, s',
		figure: endless.longestSilenceSeconds,
		limit: 0.5,
	},
	{
		name: 'the same beside three busy processes and recordings of one sample, s',
		figure: undecodable.longestSilenceSeconds,
		limit: 1.5,
	},
	count('files lost with lost or damaged databases and wrong clocks', damages.lost, 0),
	count('deleted edits whose folder comes back', damages.returned, 0),
	count('edits that fail after that', damages.failed, 0),
	count('programs killed by the machine', killed.killed, KILLED_PROGRAMS, '>='),
	count(`FAILURE that blames a file, of ${EDITS_WITH_KILLED_PROGRAMS} edits`, killed.failed, 0),
	count('edits lost when programs are killed', killed.lost, 0),
	count('functions that meet outside text, slower than linear', slow.length, 0),
]);
