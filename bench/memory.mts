/**
 * How much memory a file takes on its way through n8n: our Upload and Get Result in n8n's engine,
 * binaries kept on disk, beside what others do. Every figure is the peak of the resident memory of a
 * fresh process over what it was after a small file had gone the same way. `npm run bench:memory`
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

import { table } from '../demo/report.mts';
import { type Bar, printBars } from './bars.mts';
import { median } from './median.mts';
import { type InstantService, runInChild, startInstantService, WITH_TSX } from './children.mts';
import type { BenchFile, Client, Direction, Measured, Order } from './memory/order.mts';

const MB = 1_024 * 1_024;

const WARM_UP_BYTES = MB;

const SIZES = [
	['100 MB', 100 * MB],
	['400 MB', 400 * MB],
	['2 GB', 2_048 * MB],
] as const;

const DIRECTIONS: readonly Direction[] = ['upload', 'download'];

/** What is printed for each, and how many times its file a client may need of the machine's memory. */
const CLIENTS: Record<Client, { title: string; memoryFactor: number }> = {
	ours: { title: 'ours', memoryFactor: 0 },
	buffer: { title: 'with a buffer', memoryFactor: 3 },
	redirects: { title: 'stream, redirects on', memoryFactor: 3 },
};

const GOAL_MB = 64;

/**
 * Ours is measured in so many processes, and the middle one is the figure; the highest is shown beside
 * it. When a collection falls late, on a busy machine, one run may show half as much again.
 */
const OUR_PROCESSES = 3;

/** Files that are moved in one run of the node, beyond the single ones: a figure, not a bar. */
const SEVERAL = { files: 2, label: '2 × 400 MB', sizeBytes: 400 * MB };

const HEAD = ['direction', 'size', 'client', 'peak over baseline', 'highest', 'time'];

const folder = await mkdtemp(join(tmpdir(), 'audio-editing-bench-'));
/** Processes that share n8n's store have to share its key. */
const ENCRYPTION_KEY = randomUUID();

const rows = [HEAD];
const bars: Bar[] = [];
const methods = new Set<string>();

interface Task {
	direction: Direction;
	client: Client;
	files: readonly BenchFile[];
	warmUp: BenchFile;
}

async function measure(service: InstantService, { ...task }: Task): Promise<Measured> {
	const order: Order = { ...task, serviceUrl: service.url };
	const bytes = task.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
	const neededBytes = bytes * CLIENTS[task.client].memoryFactor;
	if (neededBytes > freemem()) {
		return { refusal: `not run: may need ${toMb(neededBytes)} MB, ${toMb(freemem())} MB are free` };
	}
	// What is downloaded goes where it can be thrown away; what is uploaded lies in the common store.
	const isUpload = task.direction === 'upload';
	const userFolder = isUpload ? folder : await mkdtemp(join(folder, 'download-'));
	const before = await service.receivedBytes();
	const measured = (await runInChild(join(import.meta.dirname, 'memory', 'measured.mts'), order, {
		execArgv: ['--expose-gc', ...WITH_TSX],
		env: n8nIn(userFolder),
	})) as Measured;
	if (!isUpload) await rm(userFolder, { recursive: true });
	if (isUpload && !('refusal' in measured)) {
		const arrived = (await service.receivedBytes()) - before;
		if (arrived < bytes) throw new Error(`${arrived} of ${bytes} bytes arrived`);
	}
	return measured;
}

function n8nIn(userFolder: string): Record<string, string> {
	return { N8N_USER_FOLDER: userFolder, N8N_ENCRYPTION_KEY: ENCRYPTION_KEY };
}

function toMb(bytes: number): string {
	return (bytes / MB).toFixed(0);
}

/** Moves the files in as many processes as the client is measured in, and shows what that took. */
async function measureAndShow(service: InstantService, task: Task, label: string): Promise<number> {
	const peaksMb: number[] = [];
	const seconds: number[] = [];
	const processes = task.client === 'ours' ? OUR_PROCESSES : 1;
	const start = [task.direction, label, CLIENTS[task.client].title];
	for (let count = 0; count < processes; count++) {
		const measured = await measure(service, task);
		if ('refusal' in measured) {
			rows.push([...start, '', '', measured.refusal]);
			return NaN;
		}
		methods.add(measured.method);
		peaksMb.push(measured.peakOverBaselineBytes / MB);
		seconds.push(measured.seconds);
	}
	const peakMb = median(peaksMb);
	const figures = [peakMb, Math.max(...peaksMb)].map((figure) => `${figure.toFixed(0)} MB`);
	rows.push([...start, ...figures, `${median(seconds).toFixed(1)} s`]);
	return peakMb;
}

async function storeFiles(): Promise<BenchFile[]> {
	const sizes = [WARM_UP_BYTES, ...SIZES.map(([, sizeBytes]) => sizeBytes)];
	const files = await runInChild(join(import.meta.dirname, 'memory', 'store.mts'), sizes, {
		execArgv: WITH_TSX,
		env: n8nIn(folder),
	});
	return files as BenchFile[];
}

async function measureAll(service: InstantService): Promise<void> {
	const [warmUp, ...stored] = await storeFiles();
	for (const direction of DIRECTIONS) {
		for (const [index, [label]] of SIZES.entries()) {
			for (const client of Object.keys(CLIENTS) as Client[]) {
				const task: Task = { direction, client, files: [stored[index]], warmUp };
				const figure = await measureAndShow(service, task, label);
				const name = `${direction} ${label}, peak over baseline in MB`;
				if (client === 'ours') bars.push({ name, figure, limit: GOAL_MB, decimals: 0 });
			}
		}
		const one = stored.find(({ sizeBytes }) => sizeBytes === SEVERAL.sizeBytes);
		const files = Array.from({ length: SEVERAL.files }, () => one ?? warmUp);
		const task: Task = { direction, client: 'ours', files, warmUp };
		await measureAndShow(service, task, SEVERAL.label);
	}
}

const service = await startInstantService(WARM_UP_BYTES);
try {
	await measureAll(service);
} finally {
	await service.stop();
	await rm(folder, { recursive: true });
}
console.log(table(rows));
console.log(
	`\nPeaks by ${[...methods].join(' and ')}; memory before each is after a collection.\n`,
);
printBars(bars);
