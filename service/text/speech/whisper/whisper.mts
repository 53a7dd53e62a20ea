import PQueue from 'p-queue';

import { languageCodeOf } from '../../languages.mts';
import { mainLanguage } from '../mainLanguage.mts';
import { chunksOf } from '../speechChunks.mts';
import type { TextHelp, Transcriber } from '../transcriber.mts';
import type { SpeechAudio } from '../speech.mts';
import type { SpeechModel } from './modelFile.mts';
import type { Recognize, Recognizer } from './findRecognizer.mts';
import { type PieceWords, joinedWords } from './seams.mts';
import { wordsOfTokens } from './tokenWords.mts';

/** The recognizer hears 30 s at once, so a piece and what is around it must fit in. */
const CHUNKS = { minSeconds: 18, maxLengthSeconds: 27 };

/** How far beyond its ends each piece is heard, so that a word at a seam is heard whole. */
const AROUND_SECONDS = 1;

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });

/**
 * A transcriber that runs whisper.cpp on this machine, with a model that the user has. It hears one recording
 * at a time: each takes the memory of the whole model, and half of the cores.
 */
export function whisper(model: SpeechModel, recognizer: Recognizer): Transcriber {
	const queue = new PQueue({ concurrency: 1 });
	const { programPath, advice } = recognizer;
	const name = programPath === undefined ? model.name : `${model.name}, ${programPath}`;
	const transcriber = transcriberOf(name, recognizer.recognizeWith(model));
	return {
		...transcriber,
		advice,
		transcribe: (speech, help) =>
			queue.add(() => transcriber.transcribe(speech, help), { signal: help.signal }),
	};
}

/** A transcriber that hears a recording in pieces, cut in its pauses. */
export function transcriberOf(name: string, recognize: Recognize): Transcriber {
	return {
		name,
		accuracy: 'words',
		transcribe: async (speech, help) => {
			const pieces = await recognizeInPieces(speech, recognize, help);
			const language = mainLanguage(pieces);
			if (language !== undefined)
				help.say(`is heard as ${LANGUAGE_NAMES.of(language) ?? language}`);
			return { words: joinedWords(pieces, AROUND_SECONDS), language, areTimesExact: false };
		},
	};
}

async function recognizeInPieces(
	speech: SpeechAudio,
	recognize: Recognize,
	{ signal, say }: Pick<TextHelp, 'signal' | 'say'>,
): Promise<PieceWords[]> {
	const chunks = await chunksOf(speech, CHUNKS, signal);
	const ranges = chunks.map(({ startSeconds, endSeconds }) => ({
		startSeconds: Math.max(0, startSeconds - AROUND_SECONDS),
		endSeconds: Math.min(speech.seconds, endSeconds + AROUND_SECONDS),
	}));
	const pieces: PieceWords[] = [];
	for await (const recognizedPiece of recognize(speech, ranges, signal)) {
		const at = pieces.length;
		const { startSeconds, endSeconds } = ranges[at];
		const words = wordsOfTokens(recognizedPiece, startSeconds, endSeconds);
		const language = languageCodeOf(recognizedPiece.language);
		pieces.push({ ...chunks[at], words, language, areTimesExact: false });
		const tenth = Math.floor((10 * (at + 1)) / chunks.length);
		if (tenth > Math.floor((10 * at) / chunks.length)) say(`is heard to ${10 * tenth} %`);
	}
	return pieces;
}
