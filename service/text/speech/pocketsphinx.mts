import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { execa } from 'execa';
import which from 'which';

import { endedBySignal, startGuarded } from '../../media/ffmpeg/program.mts';
import { EditFailure, TransientTrouble } from '../../shared/failures.mts';
import type { SpeechAudio } from './speech.mts';
import { chunksOf } from './speechChunks.mts';
import type { TextHelp, Transcriber } from './transcriber.mts';
import type { SpokenWord, TimeRange } from '../../shared/timeRanges.mts';

/** Paths in Debian's packages `pocketsphinx` and `pocketsphinx-en-us`. */
const PROGRAM = 'pocketsphinx_batch';
const MODEL_FOLDER = '/usr/share/pocketsphinx/model/en-us';

/** Longer utterances are recognized less well and more slowly. */
const CHUNKS = { minSeconds: 5, maxLengthSeconds: 15 };

/** Narrower search: half the time, and as many words right on real speech (27 % wrong). */
const SPEED_ARGUMENTS = ['-maxhmmpf', '3000', '-maxwpf', '5'];

/** Recognizer frames per second; it reports times in frames. */
const FRAMES_PER_SECOND = 100;

/** Paths of the recognizer. */
interface Pocketsphinx {
	programPath: string;
	modelFolder: string;
}

/** Returns the offline recognizer if both packages are installed, else undefined. */
export function findPocketsphinx(
	path = process.env['PATH'],
	modelFolder = MODEL_FOLDER,
): Transcriber | undefined {
	const programPath = which.sync(PROGRAM, { path, nothrow: true });
	if (programPath === null || !existsSync(join(modelFolder, 'en-us.lm.bin'))) return undefined;
	const found = { programPath, modelFolder };
	return {
		name: `pocketsphinx (a rough draft, English only; ${programPath})`,
		accuracy: 'rough',
		transcribe: (speech, help) => transcribe(found, speech, help),
	};
}

/** Recognizes the chunks on all cores, with one process per core, because loading takes 0.5 s. */
async function transcribe(found: Pocketsphinx, speech: SpeechAudio, { signal }: TextHelp) {
	const chunks = await chunksOf(speech, CHUNKS, signal);
	const shareSize = Math.max(1, Math.ceil(chunks.length / availableParallelism()));
	const shares: TimeRange[][] = [];
	for (let at = 0; at < chunks.length; at += shareSize) {
		shares.push(chunks.slice(at, at + shareSize));
	}
	const words = await Promise.all(
		shares.map((share, index) => recognize(found, speech, share, index, signal)),
	);
	return { words: words.flat(), language: 'en', areTimesExact: false };
}

/** Runs one process on some of the chunks. */
async function recognize(
	{ programPath, modelFolder }: Pocketsphinx,
	speech: SpeechAudio,
	chunks: readonly TimeRange[],
	shareIndex: number,
	signal: AbortSignal,
): Promise<SpokenWord[]> {
	const base = join(speech.folder, `${basename(speech.path)}-${shareIndex}`);
	const [listPath, wordsPath] = [`${base}.ctl`, `${base}.words`];
	const seconds = chunks.reduce((sum, it) => sum + it.endSeconds - it.startSeconds, 0);
	await writeFile(listPath, chunks.map((chunk, index) => listLine(speech, chunk, index)).join(''));
	const result = await startGuarded(() =>
		execa(
			programPath,
			[
				'-hmm',
				join(modelFolder, 'en-us'),
				'-lm',
				join(modelFolder, 'en-us.lm.bin'),
				'-dict',
				join(modelFolder, 'cmudict-en-us.dict'),
				'-adcin',
				'yes',
				'-cepdir',
				dirname(speech.path),
				'-cepext',
				'.raw',
				'-ctl',
				listPath,
				// By default it drops silence before counting frames, which shifts the times.
				'-remove_silence',
				'no',
				'-hypseg',
				wordsPath,
				'-logfn',
				'/dev/null',
				...SPEED_ARGUMENTS,
			],
			{
				stdin: 'ignore',
				reject: false,
				killSignal: 'SIGKILL',
				cancelSignal: signal,
				// 80 times what it usually takes.
				timeout: 60_000 + 10_000 * seconds,
			},
		),
	);
	signal.throwIfAborted();
	if (result.failed) {
		const trouble = result.timedOut ? undefined : endedBySignal('the recognizer', result, '-');
		if (trouble instanceof TransientTrouble) throw trouble;
		const how = result.exitCode === undefined ? 'was stopped' : `ended with ${result.exitCode}`;
		throw new EditFailure(`Transcription: the recognizer ${how}`);
	}
	const lines = (await readFile(wordsPath, 'utf8')).split('\n');
	return lines.flatMap((line) => wordsOfLine(line, chunks));
}

/** A line of the control file: file, first frame, last frame, ID. */
function listLine({ path }: SpeechAudio, { startSeconds, endSeconds }: TimeRange, index: number) {
	const frames = [startSeconds, endSeconds].map((time) => Math.round(time * FRAMES_PER_SECOND));
	return `${basename(path, '.raw')} ${frames.join(' ')} ${index}\n`;
}

/**
 * Parses a line of the segmentation: an ID and totals (`0 S 0 T -1 A -1 L -1`), then the first
 * frame, two scores and the word of each segment, and finally the number of frames.
 */
function wordsOfLine(line: string, chunks: readonly TimeRange[]): SpokenWord[] {
	const [id, ...fields] = line.trim().split(' ');
	const chunk = chunks.at(Number(id));
	if (line.trim() === '' || chunk === undefined) return [];
	const segments = fields.slice(8);
	const words: SpokenWord[] = [];
	for (let at = 0; at + 4 < segments.length; at += 4) {
		// `the(2)` is another pronunciation of `the`, and the dot of `mr.` does not end a sentence.
		const text = segments[at + 3].replace(/\(\d+\)$/, '').replace(/\.$/, '');
		// Not words: `<s>`, `<sil>`, `[NOISE]`, `++um++`.
		if (/^[<[+]/.test(text)) continue;
		const timeOf = (frame: string) => chunk.startSeconds + Number(frame) / FRAMES_PER_SECOND;
		words.push({
			text,
			startSeconds: timeOf(segments[at]),
			endSeconds: Math.min(chunk.endSeconds, timeOf(segments[at + 4])),
		});
	}
	return words;
}
