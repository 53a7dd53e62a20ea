import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

import { z } from 'zod';

import { SPEECH_FORMAT } from '../../../media/decode.mts';
import { startProgram, type ProgramLimits } from '../../../media/ffmpeg/program.mts';
import { wavHeader } from '../../../media/wavHeader.mts';
import type { TimeRange } from '../../../shared/timeRanges.mts';
import { SPEECH_RATE_HZ, SPEECH_SAMPLE_BYTES, type SpeechAudio } from '../speech.mts';
import type { SpeechModel } from './modelFile.mts';
import type { RecognizedPiece } from './recognizerPackage.mts';

/** What whisper-cli writes about a file with `--output-json-full`, as far as it is used here. */
const writtenSchema = z.object({
	result: z.object({ language: z.string() }),
	transcription: z.array(
		z.object({
			text: z.string(),
			tokens: z.array(
				z.object({
					text: z.string(),
					offsets: z.object({ from: z.number().min(0), to: z.number().min(0) }).optional(),
				}),
			),
		}),
	),
});

/** Marks between the tokens of what is said, such as `[_BEG_]` and `[_TT_150]`. */
const MARK = /^\[_.*\]$/;

/** What the program says when a file's words are about to be written; those of the file before are then whole. */
const WRITES = /\bpiece-(\d{1,9})\.json'/;

/** One run of the program: pieces of a recording, in one language if it is known. */
export interface ProgramRun {
	programPath: string;
	model: SpeechModel;
	speech: SpeechAudio;
	ranges: readonly TimeRange[];
	/** ISO 639-1, or `auto`. */
	language: string;
	threads: number;
	limits: ProgramLimits;
}

/**
 * Runs whisper.cpp's program on pieces of a recording, and yields what it recognized in their order. Killing it
 * cancels it.
 *
 * @throws MediaToolError, TransientTrouble or ProgramCrashed when it fails, the signal's reason when aborted.
 */
export async function* recognizedByProgram(
	run: ProgramRun,
	signal: AbortSignal,
): AsyncGenerator<RecognizedPiece> {
	const folder = await mkdtemp(join(run.speech.folder, 'pieces-'));
	try {
		const paths: string[] = [];
		for (const [index, range] of run.ranges.entries()) {
			paths.push(await writePiece(run.speech, range, join(folder, `piece-${index}`)));
		}
		const args = argumentsOf(run, paths);
		const { child, ended, watchdog } = startProgram(run.programPath, args, signal, run.limits);
		try {
			child.stdout.resume();
			let next = 0;
			for await (const line of createInterface({ input: child.stderr })) {
				const written = WRITES.exec(line)?.[1];
				if (written === undefined) continue;
				watchdog.alive();
				for (; next < Number(written); next++) yield await readPiece(paths[next]);
			}
			await ended;
			for (; next < paths.length; next++) yield await readPiece(paths[next]);
		} finally {
			child.kill('SIGKILL');
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

function argumentsOf({ model, language, threads }: ProgramRun, paths: readonly string[]): string[] {
	return [
		'--model',
		model.path,
		'--language',
		language,
		'--threads',
		String(threads),
		// One candidate in memory, and at most three tries at a difficult piece.
		'--beam-size',
		'1',
		'--best-of',
		'1',
		'--temperature-inc',
		'0.4',
		'--no-gpu',
		'--output-json-full',
		...paths.map((path) => `${path}.wav`).flatMap((path) => ['--file', path]),
		...paths.flatMap((path) => ['--output-file', path]),
	];
}

/** Writes a piece as a WAV file for the program; returns its path without the extension. */
async function writePiece(
	{ path }: SpeechAudio,
	{ startSeconds, endSeconds }: TimeRange,
	piecePath: string,
): Promise<string> {
	const [from, to] = [startSeconds, endSeconds].map(
		(time) => Math.round(time * SPEECH_RATE_HZ) * SPEECH_SAMPLE_BYTES,
	);
	await using speech = await open(path, 'r');
	const samples = new Uint8Array(to - from);
	const { bytesRead } = await speech.read(samples, 0, samples.length, from);
	if (bytesRead < samples.length) throw new Error(`${basename(path)} is shorter than it was`);
	await using piece = await open(`${piecePath}.wav`, 'wx');
	await piece.writeFile(wavHeader(SPEECH_FORMAT, samples.length));
	await piece.writeFile(samples);
	return piecePath;
}

/** Reads what the program wrote about a piece. @throws ZodError or SyntaxError for what makes no sense. */
async function readPiece(path: string): Promise<RecognizedPiece> {
	const written = writtenSchema.parse(JSON.parse(await readFile(`${path}.json`, 'utf8')));
	const segments = written.transcription.flatMap(({ tokens }) =>
		tokens.flatMap(({ text, offsets }) =>
			MARK.test(text) || offsets === undefined
				? []
				: [{ text, t0: offsets.from, t1: Math.max(offsets.from, offsets.to) }],
		),
	);
	return {
		language: written.result.language,
		result: written.transcription.map(({ text }) => text).join(''),
		segments,
	};
}
