import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import {
	MediaToolError,
	OverTimeLimit,
	type ProgramLimits,
	startProgram,
} from '../../../media/ffmpeg/program.mts';
import {
	EditFailure,
	messageOf,
	ProgramCrashed,
	TransientTrouble,
} from '../../../shared/failures.mts';
import { besideModule } from '../../../shared/threadModule.mts';
import { SPEECH_RATE_HZ, type SpeechAudio } from '../speech.mts';
import type { Piece } from '../pieces.mts';
import type { SpeechModel } from './modelFile.mts';
import type { RecognizerOrder } from './order.mts';
import { type RecognizedPiece, recognizedSchema } from './recognizerPackage.mts';

const PROCESS_PATH = fileURLToPath(besideModule(import.meta.url, 'recognizerProcess'));

/** The rest of the cores is for other edits. */
export const THREADS = Math.max(1, Math.floor(availableParallelism() / 2));

/** What Node reserves without using it, and the recognizer's buffers, which grow with the model. */
const MEMORY_BYTES = 1_200_000_000;
const MEMORY_PER_MODEL_BYTE = 2;

/**
 * A large model on a slow core needs minutes for a piece. Without any answer for longer than this, it has
 * failed: its package does not say so.
 */
export const STALL_SECONDS = 900;

/** Reading 3 GB from a slow disk takes a minute. */
export const LOADING_SECONDS = 180;

/** Only damaged weights give times before the piece. */
const plausibleSchema = recognizedSchema.refine(({ segments }) =>
	segments.every(({ t0, t1 }) => t0 >= 0 && t1 >= 0),
);

/** The memory that recognition with a model may take. */
export function memoryFor(model: SpeechModel): number {
	return MEMORY_BYTES + Math.ceil(model.bytes * MEMORY_PER_MODEL_BYTE);
}

function startRecognizer(
	model: SpeechModel,
	order: Partial<RecognizerOrder>,
	seconds: Omit<ProgramLimits, 'memoryBytes'>,
	signal?: AbortSignal,
) {
	const whole: RecognizerOrder = {
		modelPath: model.path,
		speechPath: '',
		pieces: [],
		language: model.isEnglishOnly ? 'en' : undefined,
		threads: THREADS,
		...order,
	};
	const args = ['--no-warnings', PROCESS_PATH];
	const limits = { ...seconds, memoryBytes: memoryFor(model) };
	const started = startProgram(process.execPath, args, signal, limits, 'pipe');
	// It stays open: the process ends when this one is gone. A broken pipe means that it has ended already.
	started.child.stdin?.on('error', () => undefined).write(`${JSON.stringify(whole)}\n`);
	return started;
}

/**
 * Loads a model once, in another process.
 *
 * @throws MediaToolError that says why it cannot be loaded.
 */
export async function tryModel(model: SpeechModel): Promise<void> {
	const limits = { stallSeconds: LOADING_SECONDS, totalSeconds: LOADING_SECONDS };
	const { child, ended } = startRecognizer(model, {}, limits);
	child.stdout.resume();
	await ended;
}

/**
 * Recognizes pieces of a recording, each of up to 30 s, and yields what it recognized in their order.
 *
 * @throws EditFailure when the recognizer fails or hangs, TransientTrouble when the machine ended it, the
 * signal's reason when aborted. Its process has ended by then.
 */
export async function* recognized(
	model: SpeechModel,
	speech: SpeechAudio,
	pieces: readonly Piece[],
	signal: AbortSignal,
	language?: string,
): AsyncGenerator<RecognizedPiece> {
	const sampleOf = (seconds: number) => Math.round(seconds * SPEECH_RATE_HZ);
	const samples = pieces.map((piece) =>
		piece.map(({ startSeconds, endSeconds }): [number, number] => [
			sampleOf(startSeconds),
			sampleOf(endSeconds),
		]),
	);
	const limits = { stallSeconds: STALL_SECONDS, totalSeconds: Infinity };
	const order = {
		speechPath: speech.path,
		pieces: samples,
		...(language !== undefined && { language }),
	};
	const { child, ended, watchdog } = startRecognizer(model, order, limits, signal);
	try {
		for await (const line of createInterface({ input: child.stdout })) {
			watchdog.alive();
			yield plausibleSchema.parse(JSON.parse(line));
		}
		await ended;
	} catch (error) {
		signal.throwIfAborted();
		throw transcriptionFailure(error);
	} finally {
		child.kill('SIGKILL');
	}
}

/** Returns what a failed recognition ends its edit with: the machine's fault stays one. */
export function transcriptionFailure(error: unknown): Error {
	if (error instanceof TransientTrouble) return error;
	return new EditFailure(`Transcription: ${whyItFailed(error)}`);
}

/** Says in our words why recognition failed: the recognizer's have paths of this machine, or of its makers'. */
function whyItFailed(error: unknown): string {
	const isCrash = error instanceof ProgramCrashed;
	if (!isCrash && !(error instanceof MediaToolError)) {
		return 'the model is damaged: its times make no sense';
	}
	const message = messageOf(isCrash ? error.cause : error);
	if (/bad_alloc|GGML_ASSERT|out of memory/i.test(message)) return 'the model needs more memory';
	if (error instanceof OverTimeLimit) return 'the recognizer did not answer';
	return 'the recognizer ended unexpectedly';
}
