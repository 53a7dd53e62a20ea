import type { SpeechAudio } from '../speech.mts';
import type { Piece } from '../pieces.mts';
import type { RecognizedPiece } from './recognizerPackage.mts';
import type { SpeechModel } from './modelFile.mts';
import { recognized, tryModel } from './recognizer.mts';
import { findWhisperProgram, recognizedWith, tryModelWith } from './whisperProgram.mts';

/**
 * Recognizes pieces of a recording, and yields what it recognized in their order.
 *
 * @param language ISO 639-1; found out if there is none.
 */
export type Recognize = (
	speech: SpeechAudio,
	pieces: readonly Piece[],
	signal: AbortSignal,
	language?: string,
) => AsyncIterable<RecognizedPiece>;

/** What runs a speech model on this machine. */
export interface Recognizer {
	/** The program; undefined for the package. */
	readonly programPath?: string;
	/** How it could be faster. */
	readonly advice?: string;
	/** Loads a model once. @throws Error that says why it cannot be loaded. */
	tryModel(model: SpeechModel): Promise<void>;
	recognizeWith(model: SpeechModel): Recognize;
}

/** How many times as much processor time the package needs, measured with `base` on a piece of 26 s. */
const PACKAGE_SLOWDOWN = 11;

/**
 * Returns whisper.cpp's program, or else the package that npm installs, which uses no fast instructions.
 *
 * @param wanted `--whisper-program`; undefined for the one on the PATH.
 * @throws WrongUsage if that program is not there.
 */
export function findRecognizer(wanted: string | undefined): Recognizer {
	const program = findWhisperProgram(wanted);
	if (program === undefined) {
		return {
			advice:
				`about ${PACKAGE_SLOWDOWN} times as slow as whisper.cpp's own program: install whisper.cpp, so that ` +
				'whisper-cli is on the PATH, or run "npm run whisper -w service" in the repository',
			tryModel,
			recognizeWith: (model) => (speech, pieces, signal, language) =>
				recognized(model, speech, pieces, signal, language),
		};
	}
	return {
		programPath: program,
		tryModel: (model) => tryModelWith(program, model),
		recognizeWith: (model) => (speech, pieces, signal, language) =>
			recognizedWith({ programPath: program, model, speech }, pieces, signal, language),
	};
}
