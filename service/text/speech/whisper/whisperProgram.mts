import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execa } from 'execa';
import which from 'which';

import { WrongUsage } from '../../../shared/settings.mts';
import { SPEECH_RATE_HZ, SPEECH_SAMPLE_BYTES } from '../speech.mts';
import type { Piece } from '../pieces.mts';
import { heardInAnyWay } from './heardInAnyWay.mts';
import type { SpeechModel } from './modelFile.mts';
import { type ProgramRun, recognizedByProgram } from './programRun.mts';
import {
	LOADING_SECONDS,
	memoryFor,
	STALL_SECONDS,
	THREADS,
	transcriptionFailure,
} from './recognizer.mts';
import type { RecognizedPiece } from './recognizerPackage.mts';
import { languageOfAll } from './soundLanguage.mts';
import { SURE_PIECES, sureLanguageOf } from './sureLanguage.mts';

/** What whisper.cpp calls its program. */
const PROGRAM = 'whisper-cli';

/**
 * Returns the path of whisper.cpp's program: that of `--whisper-program`, or else the one on the PATH.
 *
 * @throws WrongUsage if that of `--whisper-program` cannot be started.
 */
export function findWhisperProgram(
	wanted: string | undefined,
	path = process.env['PATH'],
): string | undefined {
	const found = which.sync(wanted ?? PROGRAM, { path, nothrow: true }) ?? undefined;
	if (wanted !== undefined && found === undefined) {
		throw new WrongUsage(`--whisper-program ${wanted}: there is no program there`);
	}
	return found;
}

/** Some versions write their help to standard error, and end with a failure after it. */
const HELP_OPTIONS = { all: true, reject: false, timeout: 1_000 * LOADING_SECONDS } as const;

/** Shorter than any sound that the program listens to: it loads the model and ends. */
const NOTHING: Piece = [{ startSeconds: 0, endSeconds: 0.05 }];

/**
 * Loads a model once, with whisper.cpp's program.
 *
 * @throws Error that says why it cannot be loaded.
 */
export async function tryModelWith(programPath: string, model: SpeechModel): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'speech-model-'));
	try {
		const path = join(folder, 'nothing.raw');
		await writeFile(path, new Uint8Array(SPEECH_RATE_HZ * SPEECH_SAMPLE_BYTES));
		const limits = {
			stallSeconds: LOADING_SECONDS,
			totalSeconds: LOADING_SECONDS,
			memoryBytes: memoryFor(model),
		};
		const speech = { path, seconds: 1, folder };
		const run = {
			programPath,
			model,
			speech,
			pieces: [NOTHING],
			language: 'en',
			threads: THREADS,
			limits,
			hasPoints: false,
			isAtOnce: false,
		};
		const none = recognizedByProgram(run, new AbortController().signal);
		while (!(await none.next()).done);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * Recognizes pieces of a recording with whisper.cpp's program. The language is found at the beginning of the first pieces,
 * or else in the first pieces that agree on one, and then set: otherwise each piece is encoded twice.
 *
 * @param wanted the language to hear; undefined to find it out.
 * @throws EditFailure when it fails or hangs, TransientTrouble when the machine ended it, the signal's reason when
 * aborted.
 */
export async function* recognizedWith(
	what: Pick<ProgramRun, 'programPath' | 'model' | 'speech'>,
	pieces: readonly Piece[],
	signal: AbortSignal,
	wanted?: string,
): AsyncGenerator<RecognizedPiece> {
	const { model, programPath } = what;
	const limits = {
		stallSeconds: STALL_SECONDS,
		totalSeconds: Infinity,
		memoryBytes: memoryFor(model),
	};
	const hasPoints = model.alignment !== undefined && (await knowsPoints(programPath));
	const known: RecognizedPiece[] = [];
	const set = model.isEnglishOnly ? 'en' : wanted;
	let language = set;
	for (let start = 0; start < pieces.length; ) {
		const end = language === undefined ? start + SURE_PIECES : pieces.length;
		const some = { ...what, pieces: pieces.slice(start, end), threads: THREADS, limits };
		// Where the first pieces are not surely in one, another search would not find one either.
		const heard = start === 0 && set === undefined ? await languageOfAll(some, signal) : language;
		const run = { ...some, language: heard ?? 'auto', hasPoints };
		start = end;
		try {
			for await (const piece of heardInAnyWay(run, signal)) {
				if (known.length < 2 * SURE_PIECES) known.push(piece);
				yield piece;
			}
		} catch (error) {
			signal.throwIfAborted();
			throw transcriptionFailure(error);
		}
		language ??= sureLanguageOf(known);
	}
}

/** Whether a program has the options that say where the sound of each token is: older ones lack them. */
async function knowsPoints(programPath: string): Promise<boolean> {
	const { all } = await execa(programPath, ['--help'], HELP_OPTIONS);
	return all.includes('--dtw') && all.includes('--no-flash-attn');
}
