/**
 * Measures n8n's memory of a node with 10,000 recordings whose results were output, and 300 edits that were not:
 * our code, n8n's own class and its SQLite database. `npm run bench -- remembered`
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

import type { DeduplicationItemTypes, DeduplicationScope, IExecuteFunctions } from 'n8n-workflow';

import type { RecordingKey } from '../../nodes/core/ledger/submissionLedger.ts';
import type { MemoryContext } from '../../nodes/core/skip/memory/nodeMemory.ts';
import * as memory from '../../nodes/core/skip/memory/recordingMemory.ts';
import { hashOf } from '../../nodes/core/ledger/identity.ts';
import { type Bar, printBars } from '../../testkit/measure/bars.mts';
import { median } from '../../testkit/measure/median.mts';
import { threadCpuMs } from '../../testkit/measure/threadCpu.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { N8N_FOLDER } from '../support/places.mts';

const REMEMBERED = 10_000;
const UNDELIVERED = 300;
const SAMPLES = 31;

const LOOKUP_GOAL_MS = 30;
const READING_GOAL_MS = 300;
const BLOCKED_GOAL_MS = 100;

/** Between two looks at the event loop. */
const TICK_MS = 1;

const ABOUT = { workflow: { id: 'workflow' }, node: { id: 'node' } };

/** The part of n8n's class that its helpers call. */
interface Helper {
	checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		about: object,
		options: object,
	): Promise<unknown>;
	removeProcessed: Helper['checkProcessedAndRecord'];
}

const keyOf = (kind: string, index: number): RecordingKey => ({
	key: hashOf([kind, index]),
	request: hashOf(['request']),
});

/** A node in n8n's server that has only this part of n8n's helpers. */
function contextOf(helpers: object): MemoryContext {
	return {
		helpers: helpers as IExecuteFunctions['helpers'],
		getExecutionCancelSignal: () => undefined,
	};
}

/** What our nodes record until the results of some recordings were output, and those of others were not. */
async function recorded(): Promise<string[]> {
	const entries = new Set<string>();
	const context = contextOf({
		checkProcessedAndRecord: (items: string[]) => {
			for (const item of items) entries.add(item);
			return Promise.resolve({ new: items, processed: [] });
		},
		removeProcessed: (items: string[]) => {
			for (const item of items) entries.delete(item);
			return Promise.resolve();
		},
	});
	const submit = async (kind: string, index: number) => {
		const { key } = keyOf(kind, index);
		const edit = { editId: randomUUID(), day: index % 4_096, account: index % 4_096 };
		await memory.begin(context, key);
		await memory.accepted(context, key, edit);
		return { key, edit };
	};
	const remembered: Array<Awaited<ReturnType<typeof submit>>> = [];
	while (remembered.length < REMEMBERED) {
		remembered.push(await submit('remembered', remembered.length));
	}
	await memory.delivered(context, remembered);
	for (let index = 0; index < UNDELIVERED; index++) await submit('undelivered', index);
	return [...entries];
}

/** Opens a database as n8n does, with the table of its memory. */
async function openMemory(folder: string) {
	const fromN8n = createRequire(
		realpathSync(join(N8N_FOLDER, 'node_modules', 'n8n', 'package.json')),
	);
	fromN8n('reflect-metadata');
	const { DataSource, Repository } = fromN8n('@n8n/typeorm') as {
		DataSource: new (options: object) => {
			manager: object;
			initialize(): Promise<unknown>;
			query(sql: string): Promise<Array<Record<string, number>>>;
		};
		Repository: new (...about: unknown[]) => object;
	};
	const { ProcessedData, ProcessedDataRepository } = fromN8n('@n8n/db') as Record<string, object>;
	const { Container } = fromN8n('@n8n/di') as {
		Container: { set(type: object, it: object): void };
	};
	const database = join(folder, 'database.sqlite');
	const source = new DataSource({
		type: 'sqlite-pooled',
		poolSize: 3,
		acquireTimeout: 60_000,
		destroyTimeout: 5_000,
		database,
		enableWAL: true,
		entities: [ProcessedData],
		synchronize: true,
	});
	await source.initialize();
	Container.set(ProcessedDataRepository, new Repository(ProcessedData, source.manager));
	const { DeduplicationHelper } = fromN8n('./dist/deduplication/deduplication-helper.js') as {
		DeduplicationHelper: new () => Helper;
	};
	const helper = new DeduplicationHelper();
	const context = contextOf({
		checkProcessedAndRecord: async (
			items: DeduplicationItemTypes[],
			scope: DeduplicationScope,
			options: object,
		) => await helper.checkProcessedAndRecord(items, scope, ABOUT, options),
		removeProcessed: async (
			items: DeduplicationItemTypes[],
			scope: DeduplicationScope,
			options: object,
		) => await helper.removeProcessed(items, scope, ABOUT, options),
	});
	const bytes = async () => {
		const [row] = await source.query('SELECT SUM(LENGTH(value)) AS bytes FROM processed_data');
		return row['bytes'];
	};
	return { context, bytes };
}

/** Watches how long the event loop does nothing else: the CPU time of this thread between two ticks. */
function watchLoop() {
	let longestMs = 0;
	let last = threadCpuMs();
	const ticks = setInterval(() => {
		const now = threadCpuMs();
		longestMs = Math.max(longestMs, now - last);
		last = now;
	}, TICK_MS);
	return {
		end: () => {
			clearInterval(ticks);
			return longestMs;
		},
	};
}

/** The medians of what some kinds of work take, beside each other: else the first would pay for all that is cold. */
async function mediansMs(
	works: ReadonlyArray<(sample: number) => Promise<unknown>>,
): Promise<number[]> {
	const times = works.map((): number[] => []);
	for (let sample = 0; sample < SAMPLES; sample++) {
		for (const [index, work] of works.entries()) {
			const began = performance.now();
			await work(sample);
			times[index].push(performance.now() - began);
		}
	}
	return times.map(median);
}

/** What is looked up, and what the memory says of it. */
const LOOKUPS = [
	['remembered', 'edited'],
	['undelivered', 'open'],
	['new', 'new'],
] as const;

await test("n8n's memory of many recordings", async () => {
	await using folder = await temporaryFolder();
	const { context, bytes } = await openMemory(folder.path);
	const entries = await recorded();
	await context.helpers.checkProcessedAndRecord(entries, 'node', { mode: 'entries' });
	console.log(`${entries.length} entries take ${await bytes()} bytes in n8n's database.`);

	const loop = watchLoop();
	const lookups = LOOKUPS.map(([kind, state]) => async (sample: number) => {
		const [found] = await memory.lookUpAll(context, [keyOf(kind, sample)]);
		assert.equal(found.state, state);
	});
	const lookedUpMs = await mediansMs(lookups);
	const bars: Bar[] = LOOKUPS.map(([kind], index) => ({
		name: `looking up one recording that is ${kind}, median in ms`,
		figure: lookedUpMs[index],
		limit: LOOKUP_GOAL_MS,
		decimals: 1,
	}));
	const reading = async (sample: number) => {
		const edit = await memory.readEdit(context, keyOf('undelivered', sample).key);
		assert.equal(edit?.day, sample);
	};
	const [readingMs] = await mediansMs([reading]);
	bars.push({
		name: 'reading back the ID of one edit, median in ms',
		figure: readingMs,
		limit: READING_GOAL_MS,
		decimals: 1,
	});
	const many = Array.from({ length: UNDELIVERED }, (_, index) => keyOf('many', index));
	const began = performance.now();
	await memory.lookUpAll(context, many);
	console.log(
		`Looking up ${UNDELIVERED} new recordings at once takes ${Math.round(performance.now() - began)} ms.`,
	);
	const name = `n8n's event loop, blocked by one of ${SAMPLES * 4 + 1} of these, in ms`;
	bars.push({ name, figure: loop.end(), limit: BLOCKED_GOAL_MS, decimals: 1 });
	printBars(bars);
	assert.equal(process.exitCode, undefined);
});
