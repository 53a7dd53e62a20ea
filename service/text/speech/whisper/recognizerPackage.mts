import { createRequire } from 'node:module';

import { z } from 'zod';

/** A recognized piece, token by token; times are in milliseconds from its start. */
export const recognizedSchema = z.object({
	language: z.string().catch(''),
	/** The text of all tokens. One token may be only a part of a character, which its own text then lacks. */
	result: z.string(),
	segments: z.array(
		z.object({
			text: z.string(),
			t0: z.number(),
			t1: z.number(),
			/** Where its sound ends, roughly, by what the model listened to; and how sure the model was, 0 to 1. */
			point: z.number().optional(),
			chance: z.number().optional(),
		}),
	),
});

export type RecognizedPiece = z.infer<typeof recognizedSchema>;

/** What whisper.node offers of one model, as far as it is used here. */
interface RecognizerContext {
	/** @param samples 16-bit mono PCM at 16 kHz. The promise never settles if recognition fails. */
	transcribeData: (samples: ArrayBuffer, options: object) => { promise: Promise<unknown> };
}

interface RecognizerClass {
	new (options: { filePath: string; useGpu: boolean }): RecognizerContext;
	toggleNativeLog: (isOn: boolean, listener: (level: string, text: string) => void) => void;
}

const packageSchema = z.object({
	WhisperContext: z.custom<RecognizerClass>((value) => typeof value === 'function'),
});

/**
 * The package with whisper.cpp for this platform. Its wrapper, `@fugood/whisper.node`, would install the
 * builds for graphics cards as well, 266 MB.
 */
const PACKAGE = `@fugood/node-whisper-${process.platform}-${process.arch}`;

/** @throws Error when there is no recognizer for this platform, or a library that it needs is missing. */
export function recognizerClass(): RecognizerClass {
	try {
		const exported: unknown = createRequire(import.meta.url)(PACKAGE);
		return packageSchema.parse(exported).WhisperContext;
	} catch (error) {
		const [first] = String(error).split('\n');
		throw new Error(
			`there is no recognizer for ${process.platform}-${process.arch}, or Linux lacks libgomp1 (${first})`,
		);
	}
}

/** The time of each token, and at most three tries at a difficult piece, each with one candidate in memory. */
const OPTIONS = { tokenTimestamps: true, maxLen: 1, bestOf: 1, temperatureInc: 0.4 };

/**
 * Recognizes up to 30 s of speech.
 *
 * @param language ISO 639-1, or `auto`.
 * @throws Error for an answer of another form.
 */
export async function recognizePiece(
	context: RecognizerContext,
	samples: ArrayBuffer,
	{ language, threads }: { language: string; threads: number },
): Promise<RecognizedPiece> {
	const options = { ...OPTIONS, language, maxThreads: threads };
	return recognizedSchema.parse(await context.transcribeData(samples, options).promise);
}
