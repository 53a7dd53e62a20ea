import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { type Bar, count } from '../../testkit/measure/bars.mts';
import { measureParts } from '../../testkit/measure/parts.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { slowerThanLinear } from '../../testkit/text/textTrial.mts';
import { tryDamages } from './attack/damageTrial.mts';
import { tryFairness } from './attack/fairTrial.mts';
import { tryFiles } from './attack/fileTrial.mts';
import { tryKilling } from './attack/killTrial.mts';
import { tryOutOfMemory } from './attack/outOfMemoryTrial.mts';
import { tryRequests } from './attack/requestTrial.mts';
import { tryStored } from './attack/storedTrial.mts';
import { tryEndless, tryLeaving, tryUndecodable } from './attack/survivalTrial.mts';
import { tryWaiting } from './attack/waitingTrial.mts';

/**
 * Attacks a running local service on loopback with hostile files, unreachable sources and kill -9.
 * Everything is in a temporary folder that is deleted afterwards.
 *
 *     npm run attack -w service                    # everything
 *     npm run attack -w service -- files kills     # these parts
 */

const KILLS = 50;

const STORED = 10_000;

const SEEDS = [1, 2, 3];

/** A death in ten of 110 edits would show itself ten times and more. */
const UNDECODABLE_EDITS = 400;
const LEFT_UPLOADS = 50;

const KILLED_PROGRAMS = 10;
const EDITS_WITH_KILLED_PROGRAMS = 60;

/** A part of the attack. Its folder is its own. */
type Part = (folder: string) => Promise<Bar[]>;

const PARTS: Readonly<Record<string, Part>> = {
	files: async (folder) => {
		await mkdir(folder);
		const { files, survived, leakedBytes, peakMegabytes, dearestRefusalSeconds } =
			await tryFiles(folder);
		return [
			count(`hostile files survived, of ${files}`, survived, files, '>='),
			count('kinds of hostile files', files, 140, '>='),
			count('bytes of other files that left the machine', leakedBytes, 0),
			count('peak RSS of service and children on any of them, MB', peakMegabytes, 600),
			{
				// What the programs compute: on a busy machine, the same refusal takes longer.
				name: 'processor time of the dearest refusal, s',
				figure: dearestRefusalSeconds,
				limit: 8.1,
				decimals: 1,
			},
		];
	},
	waiting: async (folder) => {
		const figure = await tryWaiting(folder);
		return [{ name: 'a 1 s edit after 10 unreachable sources, wall / alone', figure, limit: 1.5 }];
	},
	requests: async (folder) => {
		const { worstMs, longestSilenceSeconds } = await tryRequests(folder);
		return [
			count('processor time of the main thread for the worst single request, ms', worstMs, 50),
			silence('', longestSilenceSeconds),
		];
	},
	stored: async (folder) => {
		const figure = await tryStored(folder, STORED);
		const name = `a request with ${STORED} stored edits of its key / with 1`;
		return [{ name, figure, limit: 2 }];
	},
	fairness: async (folder) => {
		const name = 'an edit of 2 s beside two videos of 3 h of another key, s';
		return [{ name, figure: await tryFairness(folder), limit: 15, decimals: 1 }];
	},
	leaving: async (folder) => {
		const { deaths, othersFailed, longestSilenceSeconds } = await tryLeaving(folder, LEFT_UPLOADS);
		return [
			...survived('with uploads that are left', deaths, othersFailed),
			silence(', with uploads that are left', longestSilenceSeconds),
		];
	},
	undecodable: async (folder) => {
		const survival = await tryUndecodable(folder, UNDECODABLE_EDITS);
		const where = 'beside three busy processes and recordings of one sample';
		return [
			...survived(where, survival.deaths, survival.othersFailed),
			silence(`, ${where}`, survival.longestSilenceSeconds, 1.5),
		];
	},
	endless: async (folder) => {
		const survival = await tryEndless(folder);
		const where = 'with endless answers, sources and words';
		return [
			...survived(where, survival.deaths, survival.othersFailed),
			count(`peak memory ${where}, MB`, survival.peakMegabytes, 600),
			silence(`, ${where}`, survival.longestSilenceSeconds),
		];
	},
	damages: async (folder) => {
		const { lost, returned, failed } = await tryDamages(folder);
		return [
			count('files lost with lost or damaged databases and wrong clocks', lost, 0),
			count('deleted edits whose folder comes back', returned, 0),
			count('edits that fail after that', failed, 0),
		];
	},
	programs: async (folder) => {
		const edits = EDITS_WITH_KILLED_PROGRAMS;
		const { killed, failed, lost } = await tryOutOfMemory(folder, edits, KILLED_PROGRAMS, 1);
		return [
			count('programs killed by the machine', killed, KILLED_PROGRAMS, '>='),
			count(`FAILURE that blames a file, of ${edits} edits`, failed, 0),
			count('edits lost when programs are killed', lost, 0),
		];
	},
	texts: () => {
		const slow = slowerThanLinear();
		for (const one of slow) console.log(`  ${one}`);
		const name = 'functions that meet outside text, slower than linear';
		return Promise.resolve([count(name, slow.length, 0)]);
	},
	kills: async (folder) => {
		let lost = 0;
		for (const seed of SEEDS) {
			console.log(`kill -9, ${KILLS} times, seed ${seed}`);
			lost += await tryKilling(join(folder, `${seed}`), KILLS, seed);
		}
		const name = `accepted edits lost over ${KILLS} kill -9, on ${SEEDS.length} seeds`;
		return [count(name, lost, 0)];
	},
};

function survived(where: string, deaths: number, othersFailed: number): Bar[] {
	return [
		count(`process deaths ${where}`, deaths, 0),
		count(`other keys' edits that fail ${where}`, othersFailed, 0),
	];
}

function silence(where: string, seconds: number, limit = 0.5): Bar {
	return { name: `longest time in which /ping had no answer${where}, s`, figure: seconds, limit };
}

// No client knows the folder's name, so if the page shows it, that counts as a leak.
await using folder = await temporaryFolder();
const parts = Object.entries(PARTS).map(([name, attack]): [string, () => Promise<Bar[]>] => [
	name,
	async () => {
		console.log(name);
		return await attack(join(folder.path, name));
	},
]);
await measureParts(Object.fromEntries(parts), process.argv.slice(2));
