/**
 * Measures the memory a file needs in n8n: our Upload and Get Result in n8n's engine with binaries
 * on disk. Each figure is the peak resident memory of a new process, minus its memory after a small
 * file went through the same node. `npm run bench -- memory`, or `npm run bench -- memory hostile` for
 * only the answer of a hostile service.
 */
import { table } from '../demo/report.mts';
import { type Bar, printBars } from './bars.mts';
import { type InstantService, startInstantService, type Store, withStore } from './children.mts';
import { median } from './median.mts';
import { MB, measureInChild, storeFiles } from './memory/inChild.mts';
import type { BenchFile, Direction, Measured } from './memory/order.mts';

const WARM_UP_BYTES = MB;

const SIZES = [
	['100 MB', 100 * MB],
	['400 MB', 400 * MB],
	['2 GB', 2_048 * MB],
] as const;

const DIRECTIONS: readonly Direction[] = ['upload', 'download'];

/** Of each transfer. A single run can be half as high again: a garbage collection came late. */
const PROCESSES = 5;

const GOAL_MB = 64;

/** Processes that each read one hostile answer. */
const HOSTILE_PROCESSES = 3;

/** Several files in one run of the node, one after another. */
const SEVERAL = { files: 2, label: '2 × 400 MB', sizeBytes: 400 * MB };

const HEAD = ['direction', 'size', 'peak over baseline', 'all runs in MB', 'time'];

const rows = [HEAD];
const bars: Bar[] = [];

interface Transfer {
	direction: Direction;
	files: readonly BenchFile[];
	warmUp: BenchFile;
}

/** Moves files in a new process. Downloads are not kept; uploads are read from the store. */
async function measure(
	service: InstantService,
	transfer: Transfer,
	store?: Store,
): Promise<Measured> {
	const before = await service.receivedBytes();
	const trial = { ...transfer, serviceUrl: service.url };
	const isUpload = transfer.direction === 'upload';
	const measured = await measureInChild(trial, isUpload ? store : undefined);
	if (isUpload && !('refusal' in measured)) {
		const bytes = transfer.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
		const arrived = (await service.receivedBytes()) - before;
		if (arrived < bytes) throw new Error(`${arrived} of ${bytes} bytes arrived`);
	}
	return measured;
}

/** Moves the files in several processes, and adds a row to the table, and a bar. */
async function measureAndShow(
	service: InstantService,
	transfer: Transfer,
	label: string,
	store: Store,
): Promise<void> {
	const peaksMb: number[] = [];
	const seconds: number[] = [];
	for (let count = 0; count < PROCESSES; count++) {
		const measured = await measure(service, transfer, store);
		if ('refusal' in measured) throw new Error(measured.refusal);
		peaksMb.push(measured.peakOverBaselineBytes / MB);
		seconds.push(measured.seconds);
	}
	const { direction } = transfer;
	const figure = median(peaksMb);
	const all = peaksMb.map((peakMb) => peakMb.toFixed(1)).join(', ');
	rows.push([
		...[direction, label, `${figure.toFixed(1)} MB`, all],
		`${median(seconds).toFixed(1)} s`,
	]);
	const name = `${direction} ${label}, peak over baseline in MB, median of ${PROCESSES}`;
	bars.push({ name, figure, limit: GOAL_MB, decimals: 1 });
}

async function measureAll(service: InstantService, store: Store): Promise<void> {
	const sizes = [WARM_UP_BYTES, ...SIZES.map(([, sizeBytes]) => sizeBytes)];
	const [warmUp, ...stored] = await storeFiles(sizes, store);
	const transfers = SIZES.map(([label], index) => ({ label, files: [stored[index]] }));
	const one = stored.find(({ sizeBytes }) => sizeBytes === SEVERAL.sizeBytes) ?? warmUp;
	const several = { label: SEVERAL.label, files: Array.from({ length: SEVERAL.files }, () => one) };
	for (const direction of DIRECTIONS) {
		for (const { label, files } of [...transfers, several]) {
			await measureAndShow(service, { direction, files, warmUp }, label, store);
		}
	}
}

/** Reads an edit whose answer is a text of 400 MB, and adds a bar for the memory that this takes. */
async function measureHostileAnswer(service: InstantService): Promise<void> {
	const warmUp = { sizeBytes: WARM_UP_BYTES, binary: { data: '', mimeType: 'audio/wav' } };
	const files = [{ ...warmUp, editId: 'hostile' }];
	const grownMb: number[] = [];
	for (let count = 0; count < HOSTILE_PROCESSES; count++) {
		const transfer = { direction: 'download', files, warmUp } as const;
		const measured = await measure(service, transfer);
		const { peakOverBaselineBytes = Infinity } = measured;
		const isRefused =
			'refusal' in measured && measured.refusal.includes('response of the service is too large');
		grownMb.push(isRefused ? peakOverBaselineBytes / MB : Infinity);
	}
	const all = grownMb.map((mb) => mb.toFixed(1)).join(', ');
	rows.push(['hostile answer', '400 MB', `${median(grownMb).toFixed(1)} MB`, all, '']);
	const name = 'growth of memory by a hostile answer';
	bars.push({ name, figure: median(grownMb), limit: GOAL_MB, decimals: 1, unit: 'MB' });
}

const service = await startInstantService(WARM_UP_BYTES);
try {
	await measureHostileAnswer(service);
	if (!process.argv.includes('hostile')) {
		await withStore(async (store) => {
			await measureAll(service, store);
		});
	}
} finally {
	await service.stop();
}
console.log(table(rows));
console.log('\nEach baseline is taken after a garbage collection.\n');
printBars(bars);
