/**
 * `npm test -- corpus`: makes every container and codec that the API takes with what may be special about it, edits each
 * file, and prints the bars and what is wrong, with the ffmpeg of the PATH. `-- corpus wav mkv` takes only those.
 */
import { failureReasonIn } from '../../../api/contract/failureReason.ts';
import { finishedFile } from '../../../testkit/service/client.mts';
import { count, printBars } from '../../../testkit/measure/bars.mts';
import { convertedTo } from '../../../testkit/service/media.mts';
import { QUICK, startService } from '../../../testkit/service/testService.mts';
import { heardIn } from '../support/realFiles/beeps.mts';
import { exists, FORMATS, VARIANTS, type CorpusFormat, type Variant } from './formats.mts';
import { BEEPS, corpusFile, SECONDS } from './make.mts';

/** What may be wrong with a result. */
type Fault = 'plain failed' | 'no reason' | 'shortened' | 'out of sync';

const LENGTH_SECONDS = 0.05;
const MAX_LATE_MS = 20;

/** The left channel on the timeline of the picture, without what nobody hears. */
const LEFT = [
	'-map',
	'0:a:0',
	'-af',
	'aresample=async=1:first_pts=0,pan=mono|c0=c0,highpass=f=100',
];

/** Edits at the same time. */
const PLACES = 2;

await using service = await startService(...QUICK);
const faults: Record<Fault, string[]> = {
	'plain failed': [],
	'no reason': [],
	shortened: [],
	'out of sync': [],
};

function blame(fault: Fault, what: string): void {
	faults[fault].push(what);
	console.log(`${fault}: ${what}`);
}

/** Edits one file, and judges its result. */
async function judge(format: CorpusFormat, variant: Variant): Promise<void> {
	const what = `${format.extension} (${format.args.join(' ')}), ${variant}`;
	const source = await corpusFile(format, variant);
	const config = { remove_noise: false, video: format.isVideo };
	const edit = await service.ann.run(source, config, `file.${format.extension}`);
	if (edit.status !== 'SUCCESS') {
		const reason = failureReasonIn(edit);
		console.log(`${what}: ${reason ?? 'failed without a reason'}`);
		if (reason === undefined) blame('no reason', what);
		if (variant === 'plain') blame('plain failed', what);
		return;
	}
	const { file, result } = await finishedFile(edit);
	const heard = await heardIn(await convertedTo(file, 'wav', ...LEFT));
	const notes = result.notes ?? [];
	if (heard.seconds < SECONDS - LENGTH_SECONDS && notes.length === 0) {
		blame('shortened', `${what}: ${heard.seconds.toFixed(2)} s`);
		return;
	}
	const ownDelay = await delayOf(format);
	const late = BEEPS.map((at, i) => Math.round((heard.atSeconds[i] - at - ownDelay) * 1_000));
	const isInSync = late.every((ms) => Math.abs(ms) <= MAX_LATE_MS);
	if (!isInSync && notes.length === 0) {
		blame('out of sync', `${what}: ${late.join(', ')} ms`);
	}
}

const delays = new Map<CorpusFormat, Promise<number>>();

/** What an encoder puts before the sound, in a file that does not say so; the same for all files of a format. */
async function delayOf(format: CorpusFormat): Promise<number> {
	const delay = delays.get(format) ?? measuredDelayOf(format);
	delays.set(format, delay);
	return await delay;
}

async function measuredDelayOf(format: CorpusFormat): Promise<number> {
	const plain = await corpusFile(format, 'plain');
	const { atSeconds } = await heardIn(await convertedTo(plain, 'wav', ...LEFT));
	return atSeconds[0] - BEEPS[0];
}

const wanted = process.argv.slice(2);
const formats = FORMATS.filter(
	({ extension }) => wanted.length === 0 || wanted.includes(extension),
);

const work = formats.flatMap((format) =>
	VARIANTS.filter((variant) => exists(format, variant)).map((variant) => ({ format, variant })),
);
const total = work.length;
await Promise.all(
	Array.from({ length: PLACES }, async () => {
		for (let next = work.pop(); next; next = work.pop()) await judge(next.format, next.variant);
	}),
);
printBars([
	count('files of the corpus', total, wanted.length === 0 ? 150 : 1, '>='),
	count('plain files that failed', faults['plain failed'].length),
	count('failures without a reason', faults['no reason'].length),
	count('results that are shorter without a note', faults.shortened.length),
	count('results out of sync', faults['out of sync'].length),
]);
