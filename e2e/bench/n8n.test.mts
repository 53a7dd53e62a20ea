/**
 * Measures what 300 recordings in one execution cost a real n8n: how long its event loop is blocked,
 * what it stores, and how fast the editor answers meanwhile. The same requests by n8n's own
 * nodes show what is n8n's share; a second n8n without work, what is the machine's.
 * `npm run bench -- n8n`
 *
 * The service takes submissions as fast as they come, so that Create Edit works without pauses, and
 * its answers have no texts.
 */
import { describe, test } from 'node:test';
import { join } from 'node:path';

import { startInstantService } from '../../bench/children.mts';
import { table } from '../../demo/report.mts';
import { bar } from '../support/bars.mts';
import { Editor } from '../support/pages/editor.mts';
import { startN8n } from '../support/n8nServer.mts';
import { type Sandbox, installPackage, openSandbox } from '../support/sandbox.mts';
import { n8nChain, ourChain } from './n8n/chains.mts';
import { BLOCKED_MS, type Span, delaysIn, percentile, probeInto } from './n8n/eventLoop.mts';
import { type ChainAt, runOnce } from './n8n/run.mts';
import { Visitor } from './n8n/visitor.mts';

const RECORDINGS = 300;

const RESULT_BYTES = 64 * 1_024;

/** Long enough that Wait For Edit sees several statuses. */
const EDIT_SECONDS = 45;

const P99_GOAL_MS = 50;

const STORED_GOAL_KB = 20;

/** Our own goal: at most this many times as long as the n8n without work takes in the same seconds. */
const ANSWER_GOAL = 2;

const sandbox = await openSandbox('n8n');
await installPackage(sandbox);
const service = await startInstantService(RESULT_BYTES, EDIT_SECONDS);
sandbox.onEnd(async () => {
	await service.stop();
});
const loopFolder = join(sandbox.folder, 'loop');
const env = await probeInto(loopFolder);
const busy = await startVisited(sandbox);
const idle = await startVisited(await openSandbox('n8n-idle'));

type Visited = Awaited<ReturnType<typeof startVisited>>;

/** Starts an n8n with a person at its editor. */
async function startVisited(home: Sandbox) {
	const { pid, url } = await startN8n(home, { env });
	const editor = new Editor(url);
	await editor.enter();
	return { pid, editor, visitor: new Visitor(editor) };
}

const access = { baseUrl: service.url, apiKey: 'bench' };
const credential = await busy.editor.createCredential('Unlimited', {
	...access,
	plan: 'custom',
	submissionsPerMinute: '1000000',
});
const entries = Array.from({ length: RECORDINGS }, (_, index) => ({
	fileUrl: `https://files.example.com/uploads/episode-${index + 1}.mp3`,
	sourceFileName: `episode-${index + 1}.mp3`,
}));

const run = async (chainAt: ChainAt) =>
	await runOnce(busy.editor, credential, chainAt, entries, sandbox.home);
const ours = await run(ourChain);
const theirs = await run((path) => n8nChain(path, access, EDIT_SECONDS));
for (const { visitor } of [busy, idle]) await visitor.leave();

const delays = async (span: Span, { pid } = busy) => await delaysIn(loopFolder, pid, span);
const within = ({ fromMs, toMs }: Span, { visitor }: Visited) =>
	visitor.answers.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).map(({ tookMs }) => tookMs);
const ms = (figure: number) => `${figure.toFixed(1)} ms`;

async function rowOf(name: string, span: Span, visited = busy): Promise<string[]> {
	const { p99Ms, worstMs, blockedMs } = await delays(span, visited);
	const answers = within(span, visited);
	const seconds = `${((span.toMs - span.fromMs) / 1_000).toFixed(1)} s`;
	const loop = [ms(p99Ms), ms(worstMs), ms(blockedMs)];
	return [name, seconds, ...loop, ms(percentile(answers, 99)), ms(Math.max(0, ...answers))];
}

for (const [title, { whole, nodes, storedBytes }] of [
	['Our nodes', ours],
	["n8n's own nodes", theirs],
] as const) {
	const head = ['', 'time', 'loop p99', 'worst', `together above ${BLOCKED_MS} ms`];
	const rows = [[...head, 'editor p99', 'worst']];
	for (const [name, span] of nodes) rows.push(await rowOf(name, span));
	rows.push(await rowOf('the execution', whole), await rowOf('n8n without work', whole, idle));
	const stored = storedBytes / 1_000 / RECORDINGS;
	console.log(`\n${title}: ${stored.toFixed(1)} KB stored a recording\n\n${table(rows)}`);
}
console.log('');

describe(`${RECORDINGS} recordings in a real n8n`, () => {
	test('the event loop is not blocked', async () => {
		const p99s = await Promise.all(
			[...ours.nodes.values()].map(async (span) => await delays(span)),
		);
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
		const [busyMs, idleMs] = [busy, idle].map((one) => percentile(within(ours.whole, one), 99));
		const isMet = busyMs <= ANSWER_GOAL * idleMs;
		const ratio = (busyMs / idleMs).toFixed(2);
		bar('answer of the editor, p99 / of n8n without work', ratio, `<= ${ANSWER_GOAL}`, isMet);
	});
});
