/**
 * Measures what 300 recordings in one execution cost a real n8n: how long its event loop is blocked,
 * what it stores, and how fast the editor answers meanwhile. A second n8n without work shows what is the
 * machine's share. `npm run bench -- n8n`
 *
 * The service takes submissions as fast as they come, so that Create Edit works without pauses, and
 * its answers have no texts.
 */
import { describe, test } from 'node:test';
import { join } from 'node:path';

import { startInstantService } from '../../bench/children.mts';
import { table } from '../../demo/report.mts';
import { bar } from '../support/bars.mts';
import { startN8n } from '../support/n8nServer.mts';
import { Editor } from '../support/pages/editor.mts';
import { type Sandbox, installPackage, openSandbox } from '../support/sandbox.mts';
import { type Span, delaysIn, percentile, probeInto } from './n8n/eventLoop.mts';
import { runOnce } from './n8n/run.mts';
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

/** Starts an n8n with a person at its editor. */
async function startVisited(home: Sandbox) {
	const { pid, url } = await startN8n(home, { env });
	const editor = new Editor(url);
	await editor.enter();
	return { pid, editor, visitor: new Visitor(editor) };
}

const credential = await busy.editor.createCredential('Unlimited', {
	...{ baseUrl: service.url, apiKey: 'bench' },
	...{ plan: 'custom', submissionsPerMinute: '1000000' },
});
const { whole, nodes, storedBytes } = await runOnce(
	busy.editor,
	credential,
	RECORDINGS,
	sandbox.home,
);
for (const { visitor } of [busy, idle]) await visitor.leave();

const rows = [['', 'time', 'loop p99', 'editor p99']];
const ms = (figure: number) => `${figure.toFixed(1)} ms`;

/** Adds a row. @returns the 99th percentiles: how late the event loop was, and the editor's answers */
async function percentilesOf(name: string, span: Span, { pid, visitor } = busy) {
	const loop = percentile(await delaysIn(loopFolder, pid, span), 99);
	const visits = visitor.answers.filter(({ atMs }) => atMs >= span.fromMs && atMs <= span.toMs);
	const answer = percentile(
		visits.map(({ tookMs }) => tookMs),
		99,
	);
	rows.push([name, `${((span.toMs - span.fromMs) / 1_000).toFixed(1)} s`, ms(loop), ms(answer)]);
	return { loop, answer };
}

const loops: number[] = [];
for (const [name, span] of nodes) loops.push((await percentilesOf(name, span)).loop);
const worstMs = Math.max(...loops);
const { answer: busyMs } = await percentilesOf('the execution', whole);
const { answer: idleMs } = await percentilesOf('n8n without work', whole, idle);
console.log(`\n${table(rows)}\n`);

describe(`${RECORDINGS} recordings in a real n8n`, () => {
	test('the event loop is not blocked', () => {
		const isMet = worstMs <= P99_GOAL_MS;
		bar('event loop delay, p99, at the slowest node', ms(worstMs), `<= ${P99_GOAL_MS} ms`, isMet);
	});

	test('what n8n stores is small', () => {
		const storedKb = storedBytes / 1_000 / RECORDINGS;
		const isMet = storedKb <= STORED_GOAL_KB;
		bar('stored a recording', `${storedKb.toFixed(1)} KB`, `<= ${STORED_GOAL_KB} KB`, isMet);
	});

	test('the editor answers', () => {
		const isMet = busyMs <= ANSWER_GOAL * idleMs;
		const ratio = (busyMs / idleMs).toFixed(2);
		bar('answer of the editor, p99 / of n8n without work', ratio, `<= ${ANSWER_GOAL}`, isMet);
	});
});
