import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

import { z } from 'zod';

import { SPEECH_FORMAT } from '../../../media/decode.mts';
import { startProgram, type ProgramLimits } from '../../../media/ffmpeg/program.mts';
import { wavHeader } from '../../../media/wavHeader.mts';
import type { TimeRange } from '../../../shared/timeRanges.mts';
import { SPEECH_RATE_HZ, SPEECH_SAMPLE_BYTES, type SpeechAudio } from '../speech.mts';
import type { Piece } from '../pieces.mts';
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
					p: z.number().optional(),
					/** In 10 ms; negative for none. */
					t_dtw: z.number().optional(),
				}),
			),
		}),
	),
});

/** Marks between the tokens of what is said, such as `[_BEG_]` and `[_TT_150]`. */
const MARK = /^\[_.*\]$/;

/** What the program says when a file's words are about to be written; those of the file before are then whole. */
const WRITES = /\bpiece-(\d{1,9})\.json'/;

/** How the program hears a piece. */
export interface Way {
	/** Whether it says where the sound of each token is. */
	readonly hasPoints: boolean;
	/** Whether it hears a piece at once, without the times that the model writes between sentences: then it needs points. */
	readonly isAtOnce: boolean;
}

/** One run of the program: pieces of a recording, in one language if it is known. */
export interface ProgramRun extends Way {
	programPath: string;
	model: SpeechModel;
	speech: SpeechAudio;
	pieces: readonly Piece[];
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
	await using files = await pieceFiles(run.speech, run.pieces);
	const { paths } = files;
	let next = 0;
	for await (const [, written] of saidByProgram(run, argumentsOf(run, paths), WRITES, signal)) {
		for (; next < Number(written); next++) yield await readPiece(paths[next], run);
	}
	for (; next < paths.length; next++) yield await readPiece(paths[next], run);
}

/**
 * Runs whisper.cpp's program, and yields the lines that it writes about its work, as the pattern matches them: as long as
 * there are any, it lives. Without a reader, it is killed.
 *
 * @throws as `recognizedByProgram`.
 */
export async function* saidByProgram(
	{ programPath, limits }: Pick<ProgramRun, 'programPath' | 'limits'>,
	args: readonly string[],
	pattern: RegExp,
	signal: AbortSignal,
): AsyncGenerator<RegExpExecArray> {
	const { child, ended, watchdog } = startProgram(programPath, args, signal, limits);
	try {
		child.stdout.resume();
		for await (const line of createInterface({ input: child.stderr })) {
			const match = pattern.exec(line);
			if (match === null) continue;
			watchdog.alive();
			yield match;
		}
		await ended;
	} finally {
		child.kill('SIGKILL');
	}
}

function argumentsOf(
	{ model, language, threads, hasPoints, isAtOnce }: ProgramRun,
	paths: readonly string[],
): string[] {
	const { alignment } = model;
	// The program finds these points only without flash attention.
	const points =
		hasPoints && alignment !== undefined ? ['--dtw', alignment, '--no-flash-attn'] : [];
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
		...points,
		...(isAtOnce ? ['--no-timestamps'] : []),
		...paths.map((path) => `${path}.wav`).flatMap((path) => ['--file', path]),
		...paths.flatMap((path) => ['--output-file', path]),
	];
}

/** Writes pieces as WAV files for the program, until they are disposed of; their paths lack the extension. */
export async function pieceFiles(speech: SpeechAudio, pieces: readonly Piece[]) {
	const folder = await mkdtemp(join(speech.folder, 'pieces-'));
	const dispose = async () => {
		await rm(folder, { recursive: true, force: true });
	};
	const paths: string[] = [];
	try {
		for (const [index, piece] of pieces.entries()) {
			paths.push(await writePiece(speech, piece, join(folder, `piece-${index}`)));
		}
	} catch (error) {
		await dispose();
		throw error;
	}
	return { paths, [Symbol.asyncDispose]: dispose };
}

async function writePiece(speech: SpeechAudio, piece: Piece, piecePath: string): Promise<string> {
	await using file = await open(`${piecePath}.wav`, 'wx');
	const sizes = piece.map((part) => bytesOf(part).size);
	const size = sizes.reduce((sum, one) => sum + one, 0);
	await file.writeFile(wavHeader(SPEECH_FORMAT, size));
	await using source = await open(speech.path, 'r');
	for (const part of piece) {
		const { start, size: length } = bytesOf(part);
		const { bytesRead, buffer } = await source.read(new Uint8Array(length), 0, length, start);
		if (bytesRead < length) throw new Error(`${basename(speech.path)} is shorter than it was`);
		await file.writeFile(buffer);
	}
	return piecePath;
}

function bytesOf({ startSeconds, endSeconds }: TimeRange): { start: number; size: number } {
	const [start, end] = [startSeconds, endSeconds].map(
		(time) => Math.round(time * SPEECH_RATE_HZ) * SPEECH_SAMPLE_BYTES,
	);
	return { start, size: end - start };
}

/** Reads what the program wrote about a piece. @throws ZodError or SyntaxError for what makes no sense. */
async function readPiece(path: string, { isAtOnce }: Way): Promise<RecognizedPiece> {
	const written = writtenSchema.parse(JSON.parse(await readFile(`${path}.json`, 'utf8')));
	let last = 0;
	const segments = written.transcription.flatMap(({ tokens }) =>
		tokens.flatMap(({ text, offsets, p: chance, t_dtw: hundredths = -1 }) => {
			const point = hundredths < 0 ? undefined : 10 * hundredths;
			// The times of what is heard at once mean nothing.
			const times = isAtOnce ? { from: last, to: point ?? last } : offsets;
			if (MARK.test(text) || times === undefined) return [];
			const { from: t0 } = times;
			last = Math.max(t0, times.to);
			return [{ text, t0, t1: last, point, chance }];
		}),
	);
	return {
		language: written.result.language,
		result: written.transcription.map(({ text }) => text).join(''),
		segments,
	};
}
