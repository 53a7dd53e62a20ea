import { statfs } from 'node:fs/promises';

import type { FastifyInstance } from 'fastify';
import type * as prom from 'prom-client';

import type { ServiceContext } from './context.mts';
import { EDIT_STATUSES, isFinalStatus } from '../shared/contract.mts';
import { pageAccess } from './page/pageAccess.mts';
import type { Kept, Totals } from '../store/totals.mts';

const MS = 1_000;

/** Prometheus' text format. */
const FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/** Service milliseconds for which an answer serves all that ask: the database reads every edit for it. */
const SHARED_MS = 5_000;

/** One measured value with its labels. */
type Sample = readonly [labels: Record<string, string>, value: number];

/** A value without labels. */
const only = (value: number): readonly Sample[] => [[{}, value]];

/** All values of one answer, read when they are asked for. */
class Answer {
	readonly registry: prom.Registry;

	constructor(private readonly library: typeof prom) {
		this.registry = new library.Registry();
	}

	gauge(what: string, help: string, samples: readonly Sample[]): void {
		const metric = new this.library.Gauge(this.optionsOf(what, help));
		for (const [labels, value] of samples) metric.set(labels, value);
	}

	counter(what: string, help: string, samples: readonly Sample[]): void {
		const metric = new this.library.Counter(this.optionsOf(what, help));
		for (const [labels, value] of samples) metric.inc(labels, value);
	}

	private optionsOf(what: string, help: string) {
		const name = `audio_editing_${what}`;
		return { name, help, labelNames: ['status', 'reason', 'files'], registers: [this.registry] };
	}
}

/** The counters, which go on after a restart and count the edits of all machines. */
function countTotals(answer: Answer, totals: Totals): void {
	const ended = (status: string) => totals.filter((row) => row.status === status);
	const sum = (rows: Totals, key: 'edits' | 'wait_ms' | 'run_ms' | 'recording_ms') =>
		rows.reduce((total, row) => total + row[key], 0);
	const seconds = (rows: Totals, key: 'wait_ms' | 'run_ms' | 'recording_ms') =>
		only(sum(rows, key) / MS);
	answer.counter(
		'finished_edits_total',
		'Edits that ended, by status.',
		['SUCCESS', 'FAILURE'].map((status) => [{ status }, sum(ended(status), 'edits')]),
	);
	answer.counter(
		'failures_total',
		'By the status before FAILURE, and the reason.',
		ended('FAILURE').map((row) => [{ status: row.failed_in, reason: row.kind }, row.edits]),
	);
	answer.counter(
		'wait_seconds_total',
		'From submission to the first place at the processor, and waits for later ones, of all that ended.',
		seconds(totals, 'wait_ms'),
	);
	answer.counter(
		'run_seconds_total',
		'All other time until SUCCESS.',
		seconds(ended('SUCCESS'), 'run_ms'),
	);
	answer.counter(
		'recording_seconds_total',
		'Length of the recordings of edits with SUCCESS, before the edit.',
		seconds(ended('SUCCESS'), 'recording_ms'),
	);
}

/** What is kept now. */
function gaugeEdits(answer: Answer, kept: readonly Kept[], uploadBytes: number, nowMs: number) {
	const unfinished = kept.filter(({ status }) => !isFinalStatus(status));
	const secondsSince = (momentsMs: ReadonlyArray<number | null>) =>
		only(Math.max(0, ...momentsMs.map((sinceMs) => nowMs - (sinceMs ?? nowMs))) / MS);
	const resultBytes = kept.reduce((total, { bytes }) => total + bytes, 0);
	answer.gauge(
		'edits',
		'Edits that are kept, by status.',
		EDIT_STATUSES.map((status) => {
			return [{ status }, kept.find((row) => row.status === status)?.edits ?? 0];
		}),
	);
	answer.gauge(
		'oldest_waiting_seconds',
		'Since the submission of the oldest edit in RETRY or without a place at the processor so far; 0 without one.',
		secondsSince(
			unfinished.map(({ status, oldestMs, oldestNewMs }) =>
				status === 'RETRY' ? oldestMs : oldestNewMs,
			),
		),
	);
	answer.gauge(
		'oldest_unfinished_seconds',
		'Since the submission of the oldest edit that has not ended; 0 without one.',
		secondsSince(unfinished.map(({ oldestMs }) => oldestMs)),
	);
	answer.gauge(
		'reviews_waiting',
		'Edits that wait until somebody approves their cuts; the two above leave them out.',
		only(kept.reduce((total, { waiting }) => total + waiting, 0)),
	);
	answer.gauge('kept_bytes', 'Files that are kept.', [
		[{ files: 'uploads' }, uploadBytes],
		[{ files: 'results' }, resultBytes],
	]);
}

/** This process and its disk. */
async function gaugeMachine(answer: Answer, storageFolder: string): Promise<void> {
	const { bavail, blocks, bsize } = await statfs(storageFolder);
	answer.gauge('disk_free_bytes', 'Free on the disk of --storage.', only(bavail * bsize));
	answer.gauge('disk_bytes', 'Size of the disk of --storage.', only(blocks * bsize));
	answer.gauge('memory_bytes', 'Memory of this process.', only(process.memoryUsage.rss()));
}

/** Measures everything, in Prometheus' format. */
async function measure({ tools, settings }: ServiceContext): Promise<string> {
	const { totals, kept, uploadBytes } = await tools.store.measure();
	// Loading it takes about 60 ms, which no start should cost: few services are asked for metrics.
	const answer = new Answer(await import('prom-client'));
	countTotals(answer, totals);
	gaugeEdits(answer, kept, uploadBytes, tools.clock.nowMs());
	await gaugeMachine(answer, settings.storageFolder);
	return await answer.registry.metrics();
}

/**
 * GET /metrics (docs/service/operating.md#monitoring), for Prometheus: counts and times of the edits of all
 * keys, without names, keys or URLs. Open to those who may see the page.
 */
export function metricsRoutes(routes: FastifyInstance, context: ServiceContext): void {
	const { clock } = context.tools;
	let last = { ageMs: -Infinity, text: Promise.resolve('') };
	routes.get('/metrics', async (request, reply) => {
		const access = pageAccess(request, context);
		if (access.kind === 'refused') {
			const { statusCode, text } = access;
			if (statusCode === 401) reply.header('WWW-Authenticate', 'Basic realm="Metrics"');
			return await reply.code(statusCode).type('text/plain').send(text);
		}
		const { ageMs } = clock.moment();
		// A failure is shared, too: the next caller would fail at the same.
		if (ageMs - last.ageMs >= SHARED_MS) last = { ageMs, text: measure(context) };
		const text = await last.text;
		return await reply.headers({ 'Content-Type': FORMAT, 'Cache-Control': 'no-store' }).send(text);
	});
}
