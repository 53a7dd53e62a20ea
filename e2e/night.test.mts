/**
 * Two nights in which nobody watches, at the same time: 40 recordings each, of which one is broken. One node
 * stops at the first error, the other sends it to its error output. n8n is restarted and killed on the way.
 */
import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { shortRecording } from '../testkit/service/recordings.mts';
import { eventually } from '../testkit/time/eventually.mts';
import { startHost } from './support/host.mts';
import { fileReader, ours, webhook } from './support/nodes.mts';
import { chain } from './support/workflowFiles.mts';

const RECORDINGS = 40;
/** It is submitted after the restart, and before the kill. */
const BROKEN = 30;
const MAX_CLEAN_RUNS = 10;

/** Edits take as long as it takes to restart n8n. */
const SLOW = ['--min-state-seconds', '4', '--concurrency', '100'];
const UNLIMITED = ['--submissions-per-minute', '100000', '--status-calls-per-minute', '100000'];

const env = { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '2' };
const host = await startHost('night', { flags: [...SLOW, ...UNLIMITED], env });
const { editor, sandbox, service } = host;
const files = join(sandbox.home, '.n8n-files');
const proxy = await host.counted();
const credential = await editor.createCredential('A night', {
	baseUrl: proxy.url,
	apiKey: service.apiKey,
	plan: 'custom',
	submissionsPerMinute: '80',
});

/** What the node does with a recording that fails. */
const NIGHTS = { stop: 'stopWorkflow', output: 'continueErrorOutput' } as const;
type Night = keyof typeof NIGHTS;
const NAMES = Object.keys(NIGHTS) as Night[];

const nameOf = (night: Night, index: number) =>
	`${night}-${String(index).padStart(2, '0')}.${index === BROKEN ? 'mp3' : 'wav'}`;

/** Puts the recordings of a night into its folder, and publishes its workflow. @returns the workflow's ID */
async function prepared(night: Night): Promise<string> {
	for (const folder of ['inbox', 'edited']) {
		await mkdir(join(files, folder, night), { recursive: true });
	}
	for (let index = 0; index < RECORDINGS; index += 1) {
		const content = index === BROKEN ? 'This is a text.' : shortRecording;
		await writeFile(join(files, 'inbox', night, nameOf(night, index)), content);
	}
	const edit = ours('audioEditing', {
		onError: NIGHTS[night],
		parameters: {
			preset: 'none',
			sound: { remove_noise: 'false' },
			costAndSafety: { skipEdited: 'nameAndSize' },
			advanced: { firstPollDelaySeconds: 0, transfersAtOnce: 4 },
		},
	});
	const save: INodeParameters = {
		operation: 'write',
		fileName: `=${join(files, 'edited', night)}/{{ $binary.data.fileName }}`,
		options: {},
	};
	const read = fileReader(join(files, 'inbox', night, '*.{wav,mp3}'));
	const links = [webhook(night), read, edit, { ...fileReader(''), name: 'Save', parameters: save }];
	return await editor.published(chain(`Night: ${night}`, credential, links));
}

const workflows: Record<Night, string> = {
	stop: await prepared('stop'),
	output: await prepared('output'),
};

/** Starts an execution of a night, as a schedule does. @returns its ID */
async function start(night: Night): Promise<string> {
	const before = await editor.executionsOf(workflows[night]);
	await editor.post(night);
	return await eventually(`an execution of ${night} has started`, async () => {
		const newest = (await editor.executionsOf(workflows[night])).at(0);
		return newest !== undefined && newest.id !== before.at(0)?.id ? newest.id : undefined;
	});
}

/** Runs both nights once. @returns how each execution ended */
async function runBoth(): Promise<string[]> {
	const ids = [await start('stop'), await start('output')];
	return await Promise.all(ids.map(async (id) => (await editor.reached(id)).status));
}

/** The recordings whose edits the service has accepted, each as often as that was. */
function charged(): string[] {
	return proxy.exchanges
		.filter(
			({ method, path, status }) => method === 'POST' && path === '/v2/edits' && status === 200,
		)
		.map(({ sent }) => /\/((?:stop|output)-\d\d\.\w+)"/.exec(sent)?.[1] ?? 'unknown');
}

/**
 * Waits until a number of edits exist, and the rate limit holds up the others: then n8n has stored each edit,
 * because it has asked about it, and nothing is being submitted. A night that has ended before starts again,
 * as the next one would: for two minutes, n8n may take a dead process for one that is still at work.
 */
async function heldUp(least: number): Promise<void> {
	await eventually(`${least} edits exist, and n8n waits for the rate limit`, async () => {
		const before = proxy.paths('POST').length;
		await sleep(1_000);
		const polled = new Set(proxy.paths('GET').filter((path) => path.startsWith('/v2/edits/')));
		const isQuiet = proxy.paths('POST').length === before && proxy.underWay() === 0;
		const count = charged().length;
		if (count < least) await Promise.all(NAMES.map(startAgainIfEnded));
		return (isQuiet && count >= least && polled.size === count) || undefined;
	});
}

async function startAgainIfEnded(night: Night): Promise<void> {
	const newest = (await editor.executionsOf(workflows[night])).at(0);
	const isRunning = newest !== undefined && ['new', 'running'].includes(newest.status);
	if (!isRunning) await start(night);
}

const savedIn = async (night: Night) => (await readdir(join(files, 'edited', night))).toSorted();

test('a restart, kill -9 and clean runs: each good recording is saved, and charged once', async () => {
	await heldUp(30);
	await host.restartN8n();
	await heldUp(60);
	await host.killN8n();
	for (let run = 1; run <= MAX_CLEAN_RUNS; run += 1) {
		console.log(`clean run ${run}:`, await runBoth());
		const saved = await Promise.all(NAMES.map(async (night) => (await savedIn(night)).length));
		if (saved.every((count) => count === RECORDINGS - 1)) break;
	}
	const times = new Map<string, number>();
	for (const name of charged()) times.set(name, (times.get(name) ?? 0) + 1);
	for (const night of NAMES) {
		const names = Array.from({ length: RECORDINGS }, (_, index) => nameOf(night, index));
		const good = names.filter((_, index) => index !== BROKEN);
		assert.equal((await savedIn(night)).length, RECORDINGS - 1, `${night}: not all are on disk`);
		assert.deepEqual(
			good.filter((name) => times.get(name) !== 1),
			[],
			`${night}: charged more or less than once`,
		);
		const broken = times.get(nameOf(night, BROKEN)) ?? 0;
		const kept = (await savedIn(night)).length;
		console.log(`${night}: ${kept} files on disk, the broken one charged ${broken} times`);
		assert.ok(broken >= 1 && broken <= 2, `${night}: the broken one was charged ${broken} times`);
	}
	assert.equal(times.get('unknown'), undefined);
});
