/**
 * What n8n itself pays for 300 recordings in one execution of a real n8n: how long its event loop is
 * blocked, what it stores, and how fast the editor answers meanwhile. The same requests by n8n's own
 * nodes, and an n8n without work, show what is n8n's share. `npm run bench:n8n`
 *
 * The service takes submissions as fast as they come, so that Create Edit works without pauses, and
 * its answers have no texts.
 */
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';

import { startInstantService } from '../../bench/children.mts';
import { table } from '../../demo/report.mts';
import { bar } from '../support/bars.mts';
import { Editor } from '../support/editor.mts';
import { startN8n } from '../support/n8nServer.mts';
import { installPackage, openSandbox } from '../support/sandbox.mts';
import { n8nChain, ourChain } from './n8n/chains.mts';
import { BLOCKED_MS, type Span, delaysIn, percentile, probeInto } from './n8n/eventLoop.mts';
import { type ChainAt, type Run, runOnce } from './n8n/run.mts';
import { Visitor } from './n8n/visitor.mts';

const RECORDINGS = 300;

const RESULT_BYTES = 64 * 1_024;

/** Long enough that Wait For Edit sees several statuses. */
const EDIT_SECONDS = 45;

const IDLE_MS = 20_000;

const P99_GOAL_MS = 50;

const STORED_GOAL_KB = 20;

/** Our own goal. */
const ANSWER_GOAL_MS = 250;

const sandbox = await openSandbox('n8n');
await installPackage(sandbox);
const service = await startInstantService(RESULT_BYTES, EDIT_SECONDS);
sandbox.onEnd(async () => {
	await service.stop();
});
const loopFolder = join(sandbox.folder, 'loop');
const n8n = await startN8n(sandbox, { env: await probeInto(loopFolder) });
const editor = new Editor(n8n.url);
await editor.enter();
const access = { baseUrl: service.url, apiKey: 'bench' };
const credential = await editor.createCredential('Unlimited', {
	...access,
	plan: 'custom',
	submissionsPerMinute: '1000000',
});
const entries = Array.from({ length: RECORDINGS }, (_, index) => ({
	fileUrl: `https://files.example.com/uploads/episode-${index + 1}.mp3`,
	sourceFileName: `episode-${index + 1}.mp3`,
}));

/** Measures a chain while a person is at the editor, and the same n8n without work before. */
async function measured(chainAt: ChainAt): Promise<Run & { idle: Span }> {
	const fromMs = Date.now();
	await sleep(IDLE_MS);
	const idle = { fromMs, toMs: Date.now() };
	return { idle, ...(await runOnce(editor, credential, chainAt, entries, sandbox.home)) };
}

const visitor = new Visitor(editor);
const ours = await measured(ourChain);
const theirs = await measured((path) => n8nChain(path, access, EDIT_SECONDS));
await visitor.leave();

const delays = async (span: Span) => await delaysIn(loopFolder, n8n.pid, span);
const within = ({ fromMs, toMs }: Span) =>
	visitor.answers.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).map(({ tookMs }) => tookMs);
const ms = (figure: number) => `${figure.toFixed(1)} ms`;

async function rowOf(name: string, span: Span): Promise<string[]> {
	const { p99Ms, worstMs, blockedMs } = await delays(span);
	const answers = within(span);
	const seconds = `${((span.toMs - span.fromMs) / 1_000).toFixed(1)} s`;
	const loop = [ms(p99Ms), ms(worstMs), ms(blockedMs)];
	return [name, seconds, ...loop, ms(percentile(answers, 99)), ms(Math.max(0, ...answers))];
}

for (const [title, run] of [
	['Our nodes', ours],
	["n8n's own nodes", theirs],
] as const) {
	const head = ['', 'time', 'loop p99', 'worst', `together above ${BLOCKED_MS} ms`];
	const rows = [[...head, 'editor p99', 'worst'], await rowOf('n8n without work', run.idle)];
	for (const [name, span] of run.nodes) rows.push(await rowOf(name, span));
	rows.push(await rowOf('the execution', run.whole));
	const stored = run.storedBytes / 1_000 / RECORDINGS;
	console.log(`\n${title}: ${stored.toFixed(1)} KB stored a recording\n\n${table(rows)}`);
}
console.log('');

describe(`${RECORDINGS} recordings in a real n8n`, () => {
	test('the event loop is not blocked', async () => {
		const p99s = await Promise.all([ours.whole, ...ours.nodes.values()].map(delays));
		const worst = Math.max(...p99s.map(({ p99Ms }) => p99Ms));
		const isMet = worst <= P99_GOAL_MS;
		bar('event loop delay, p99, at the slowest node', ms(worst), `<= ${P99_GOAL_MS} ms`, isMet);
	});

	test('what n8n stores is small', () => {
		const storedKb = ours.storedBytes / 1_000 / RECORDINGS;
		const isMet = storedKb <= STORED_GOAL_KB;
		bar('stored a recording', `${storedKb.toFixed(1)} KB`, `<= ${STORED_GOAL_KB} KB`, isMet);
	});

	test('the editor answers', () => {
		const p99Ms = percentile(within(ours.whole), 99);
		const isMet = p99Ms <= ANSWER_GOAL_MS;
		bar('answer of the editor, p99', ms(p99Ms), `<= ${ANSWER_GOAL_MS} ms`, isMet);
	});
});
