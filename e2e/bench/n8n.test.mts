/**
 * Measures what 300 recordings in one execution cost a real n8n: how long its event loop is blocked,
 * what it stores, and how fast the editor answers meanwhile. A second n8n without work shows what is the
 * machine's share. `npm run bench -- n8n`
 *
 * The service takes submissions as fast as they come, so that Create Edit works without pauses, and
 * its answers have no texts.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { assertBar } from '../../testkit/measure/bars.mts';
import { startInstantService } from '../../testkit/measure/children.mts';
import { table } from '../../demo/report.mts';
import { startN8n } from '../support/n8nServer.mts';
import { type Link, createEdit, getResult, waitForEdit, webhook } from '../support/nodes.mts';
import { dataOf, failureOf, itemsOf } from '../support/outputs.mts';
import { Editor } from '../support/pages/editor.mts';
import { type Sandbox, installPackage, openSandbox } from '../support/sandbox.mts';
import { chain } from '../support/workflowFiles.mts';

const RECORDINGS = 300;

const RESULT_BYTES = 64 * 1_024;

/** Long enough that Wait For Edit sees several statuses. */
const EDIT_SECONDS = 45;

const P99_GOAL_MS = 50;

const STORED_GOAL_KB = 20;

/** Our own goal: at most this many times as long as the n8n without work takes in the same seconds. */
const ANSWER_GOAL = 2;

/** The editor's page, and what it loads when a person opens a list. */
const PAGES = ['/', '/rest/settings', '/rest/workflows'];

const VISIT_EVERY_MS = 1_000;

/** As often as the editor's list of executions asks. */
const LOOK_EVERY_MS = 4_000;

const SPLIT: Link = {
	name: 'Split Out',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body', options: {} },
};

const sandbox = await openSandbox('n8n');
await installPackage(sandbox);
const service = sandbox.use(await startInstantService(RESULT_BYTES, EDIT_SECONDS));
const loopFolder = join(sandbox.folder, 'loop');
await mkdir(loopFolder);
const probe = join(import.meta.dirname, 'probe.mts');
const env = { LOOP_PROBE_FOLDER: loopFolder, NODE_OPTIONS: `--import ${probe}` };
let isOver = false;
const busy = await startVisited(sandbox);
const idle = await startVisited(await openSandbox('n8n-idle'));

/** A moment, and how long something took then, in milliseconds. */
type Measured = readonly [atMs: number, tookMs: number];

/** Starts an n8n with a person who opens the editor's page and lists every second. */
async function startVisited(home: Sandbox) {
	const { pid, url } = await startN8n(home, { env });
	const editor = new Editor(url);
	await editor.enter();
	const answers: Measured[] = [];
	const visit = async () => {
		while (!isOver) {
			for (const path of PAGES) {
				const [atMs, began] = [Date.now(), performance.now()];
				await editor.open(path);
				answers.push([atMs, performance.now() - began]);
			}
			await sleep(VISIT_EVERY_MS);
		}
	};
	return { pid, editor, answers, visits: visit() };
}

const { editor } = busy;
const credential = await editor.createCredential('Unlimited', {
	baseUrl: service.url,
	apiKey: 'bench',
	plan: 'custom',
	submissionsPerMinute: '1000000',
});
const path = randomUUID();
// Dragged from the input, as most people fill a field.
const create = createEdit({ fileUrls: '={{ $json.fileUrl }}' });
const links = [webhook(path), SPLIT, create, waitForEdit(), getResult()];
const entries = Array.from({ length: RECORDINGS }, (_, index) => ({
	fileUrl: `https://files.example.com/uploads/episode-${index + 1}.mp3`,
	sourceFileName: `episode-${index + 1}.mp3`,
}));
const workflowId = await editor.published(chain('Bench', credential, links));
const fromMs = Date.now();
await editor.post(path, entries);
const [{ id: executionId }] = await editor.allEnded(workflowId, 1, LOOK_EVERY_MS);
const toMs = Date.now();
isOver = true;
await Promise.all([busy.visits, idle.visits]);
const execution = await editor.execution(executionId);
assert.equal(execution.status, 'success', failureOf(execution));
const arrived = itemsOf(execution, 'Audio Editing Get Result').filter(
	({ binary }) => binary !== undefined,
);
assert.equal(arrived.length, RECORDINGS);

/**
 * Returns the moments of a process's event loop, and its delays. They count as far as the thread used the CPU:
 * the delays on an otherwise idle machine.
 */
async function delaysOf(pid: number): Promise<Measured[]> {
	const lines = (await readFile(join(loopFolder, `loop-${pid}`), 'utf8')).trimEnd().split('\n');
	return lines.map((line) => {
		const [atMs, delayMs, cpuMs] = JSON.parse(line) as [number, number, number];
		return [atMs, Math.min(delayMs, cpuMs)];
	});
}

/** Returns the 99th percentile of what was measured in a span; 0 if there is nothing. */
function p99Of(measured: readonly Measured[], from: number, to: number): number {
	const inSpan = measured.filter(([atMs]) => atMs >= from && atMs <= to);
	const sorted = inSpan.map(([, tookMs]) => tookMs).toSorted((a, b) => a - b);
	return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}

const ms = (figure: number) => `${figure.toFixed(1)} ms`;
const delays = await delaysOf(busy.pid);
const { runData } = dataOf(execution).resultData;
const rows = [['', 'time', 'loop p99']];
const loops = links.map(({ name }) => {
	const [{ startTime, executionTime }] = runData[name];
	const p99Ms = p99Of(delays, startTime, startTime + executionTime);
	rows.push([name, `${(executionTime / 1_000).toFixed(1)} s`, ms(p99Ms)]);
	return p99Ms;
});
console.log(`\n${table(rows)}\n`);

test(`${RECORDINGS} recordings do not block the event loop`, () => {
	const name = 'event loop delay, p99, at the slowest node';
	const figure = Math.max(...loops);
	assertBar({ name, figure, limit: P99_GOAL_MS, decimals: 1, unit: 'ms' });
});

test('what n8n stores of them is small', () => {
	const file = join(sandbox.home, '.n8n', 'database.sqlite');
	using database = new DatabaseSync(file, { readOnly: true });
	const row = database
		.prepare('SELECT octet_length(data) AS bytes FROM execution_data WHERE executionId = ?')
		.get(executionId);
	const figure = Number(row?.['bytes']) / 1_000 / RECORDINGS;
	const more = { limit: STORED_GOAL_KB, decimals: 1, unit: 'KB' };
	assertBar({ name: 'stored a recording', figure, ...more });
});

test('the editor answers meanwhile', () => {
	const [busyMs, idleMs] = [busy, idle].map(({ answers }) => p99Of(answers, fromMs, toMs));
	console.log(`    editor p99: ${ms(busyMs)}, of n8n without work ${ms(idleMs)}`);
	const name = 'answer of the editor, p99 / of n8n without work';
	assertBar({ name, figure: busyMs / idleMs, limit: ANSWER_GOAL });
});
