import { statfs } from 'node:fs/promises';

import type { FastifyInstance } from 'fastify';

import type { ServiceContext } from './context.mts';
import { EDIT_STATUSES, isFinalStatus } from '../shared/contract.mts';
import { pageAccess } from './page/pageAccess.mts';
import type { Kept, Totals } from '../store/totals.mts';

const MS = 1_000;

/** Prometheus' text format. */
const FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/** Service milliseconds for which an answer serves all that ask: the database reads every edit for it. */
const SHARED_MS = 5_000;

const LABELS = ['status', 'reason', 'files'];

/** One measured value with its labels. */
type Sample = readonly [labels: Record<string, string>, value: number];

/** A metric with its values: what it measures, in its name and in words. */
type Metric = readonly [kind: 'Counter' | 'Gauge', what: string, help: string, Sample[]];

/** A value without labels. */
const only = (value: number): Sample[] => [[{}, value]];

/** The counters, which go on after a restart and count the edits of all machines. */
function countersOf(totals: Totals): Metric[] {
	const successes = totals.filter(({ status }) => status === 'SUCCESS');
	const failures = totals.filter(({ status }) => status === 'FAILURE');
	const sum = (rows: Totals, key: 'edits' | 'wait_ms' | 'run_ms' | 'recording_ms') =>
		rows.reduce((total, row) => total + row[key], 0);
	const finished: Sample[] = [
		[{ status: 'SUCCESS' }, sum(successes, 'edits')],
		[{ status: 'FAILURE' }, sum(failures, 'edits')],
	];
	const reasons = failures.map((row): Sample => {
		return [{ status: row.failed_in, reason: row.kind }, row.edits];
	});
	const waited =
		'From submission to the first place at the processor, and waits for later ones, of all that ended.';
	const recorded = 'Length of the recordings of edits with SUCCESS, before the edit.';
	const [waitMs, runMs] = [sum(totals, 'wait_ms'), sum(successes, 'run_ms')];
	const recordingMs = sum(successes, 'recording_ms');
	return [
		['Counter', 'finished_edits_total', 'Edits that ended, by status.', finished],
		['Counter', 'failures_total', 'By the status before FAILURE, and the reason.', reasons],
		['Counter', 'wait_seconds_total', waited, only(waitMs / MS)],
		['Counter', 'run_seconds_total', 'All other time until SUCCESS.', only(runMs / MS)],
		['Counter', 'recording_seconds_total', recorded, only(recordingMs / MS)],
	];
}

/** What is kept now. */
function gaugesOf(kept: readonly Kept[], uploadBytes: number, nowMs: number): Metric[] {
	const unfinished = kept.filter(({ status }) => !isFinalStatus(status));
	const secondsSince = (momentsMs: ReadonlyArray<number | null>) =>
		only(Math.max(0, ...momentsMs.map((sinceMs) => nowMs - (sinceMs ?? nowMs))) / MS);
	const editsOf = (status: string) => kept.find((row) => row.status === status)?.edits ?? 0;
	const edits = EDIT_STATUSES.map((status): Sample => [{ status }, editsOf(status)]);
	const waiting = unfinished.map(({ status, oldestMs, oldestNewMs }) =>
		status === 'RETRY' ? oldestMs : oldestNewMs,
	);
	const bytes: Sample[] = [
		[{ files: 'uploads' }, uploadBytes],
		[{ files: 'results' }, kept.reduce((total, row) => total + row.bytes, 0)],
	];
	const oldestWaiting =
		'Since the submission of the oldest edit in RETRY or not yet started; 0 without one.';
	const oldest = 'Since the submission of the oldest edit that has not ended; 0 without one.';
	const reviews =
		'Edits that wait until somebody approves their cuts; the two above leave them out.';
	const waitingReviews = only(kept.reduce((total, row) => total + row.waiting, 0));
	const sinceOldest = secondsSince(unfinished.map(({ oldestMs }) => oldestMs));
	return [
		['Gauge', 'edits', 'Edits that are kept, by status.', edits],
		['Gauge', 'oldest_waiting_seconds', oldestWaiting, secondsSince(waiting)],
		['Gauge', 'oldest_unfinished_seconds', oldest, sinceOldest],
		['Gauge', 'reviews_waiting', reviews, waitingReviews],
		['Gauge', 'kept_bytes', 'Files that are kept.', bytes],
	];
}

/** This process and its disk. */
async function machineGauges(storageFolder: string): Promise<Metric[]> {
	const { bavail, blocks, bsize } = await statfs(storageFolder);
	return [
		['Gauge', 'disk_free_bytes', 'Free on the disk of --storage.', only(bavail * bsize)],
		['Gauge', 'disk_bytes', 'Size of the disk of --storage.', only(blocks * bsize)],
		['Gauge', 'memory_bytes', 'Memory of this process.', only(process.memoryUsage.rss())],
	];
}

/** Measures everything, in Prometheus' format. */
async function measure({ tools, settings }: ServiceContext): Promise<string> {
	const { totals, kept, uploadBytes } = await tools.store.measure();
	// Loading it takes about 60 ms, which no start should cost: few services are asked for metrics.
	const library = await import('prom-client');
	const registry = new library.Registry();
	for (const [kind, what, help, samples] of [
		...countersOf(totals),
		...gaugesOf(kept, uploadBytes, tools.clock.nowMs()),
		...(await machineGauges(settings.storageFolder)),
	]) {
		const named = { name: `audio_editing_${what}`, help, labelNames: LABELS };
		const metric = new library[kind]({ ...named, registers: [registry] });
		for (const [labels, value] of samples) metric.inc(labels, value);
	}
	return await registry.metrics();
}

/**
 * GET /metrics (docs/service/for-others.md#monitoring), for Prometheus: counts and times of the edits of all
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
