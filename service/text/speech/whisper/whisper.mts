import PQueue from 'p-queue';

import { searchVoice } from '../../../engine/voice/searchVoice.mts';
import { mean } from '../../../engine/signal/levels.mts';
import { SPEECH_FORMAT } from '../../../media/decode.mts';
import { openPcm } from '../../../media/pcmFile.mts';
import { languageCodeOf } from '../../languages.mts';
import { mainLanguage } from '../mainLanguage.mts';
import { type Piece, piecesOf } from '../pieces.mts';
import { soundHopsOf } from '../soundHops.mts';
import { levelsOfSpeech } from '../speechLevels.mts';
import type { TextHelp, Transcriber } from '../transcriber.mts';
import type { SpeechAudio } from '../speech.mts';
import type { SpeechModel } from './modelFile.mts';
import type { Recognize, Recognizer } from './findRecognizer.mts';
import { withoutLoops } from './loops.mts';
import { placedWords } from './placeWords.mts';
import type { RecognizedPiece } from './recognizerPackage.mts';
import { type TokenWord, wordsOfTokens } from './tokenWords.mts';

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

/** Finds where somebody speaks. */
type SearchVoice = typeof searchVoice;

/** A transcriber that hears the speech of a recording in pieces. @param search replaced only in tests. */
export function transcriberOf(
	name: string,
	recognize: Recognize,
	search: SearchVoice = searchVoice,
): Transcriber {
	return {
		name,
		accuracy: 'words',
		transcribe: async (speech, help) => {
			const { signal } = help;
			const voice = await search(await openPcm(speech.path, SPEECH_FORMAT), signal);
			const levels = await levelsOfSpeech(speech, signal);
			const sound = { voice, levels, seconds: speech.seconds };
			const pieces = piecesOf(sound);
			const heard = await heardPieces(speech, pieces, recognize, help);
			const language = mainLanguage(heard);
			if (language !== undefined) {
				help.say(`is heard as ${LANGUAGE_NAMES.of(language) ?? language}`);
				await hearAgain(heard, language, speech, recognize, signal);
			}
			const place = { levels, sounds: soundHopsOf(sound) };
			const words = heard.flatMap((piece) => withoutLoops(placedWords(piece.words, place)));
			const arePlaced = words.length > 0 && heard.every(hasPoints);
			return { words, language, areTimesExact: false, arePlaced };
		},
	};
}

/** What was recognized in a piece, and how sure the recognizer was, if it says so. */
interface HeardPiece {
	piece: Piece;
	words: TokenWord[];
	language: string | undefined;
	score: number | undefined;
}

function hasPoints({ words }: HeardPiece): boolean {
	return words.some(({ points }) => points.length > 0) || words.length === 0;
}

async function heardPieces(
	speech: SpeechAudio,
	pieces: readonly Piece[],
	recognize: Recognize,
	help: Pick<TextHelp, 'signal' | 'tellRecognized'>,
): Promise<HeardPiece[]> {
	const heard: HeardPiece[] = [];
	if (pieces.length === 0) return heard;
	for await (const recognized of recognize(speech, pieces, help.signal)) {
		heard.push(heardPiece(recognized, pieces[heard.length]));
		await help.tellRecognized(heard.length / pieces.length);
	}
	return heard;
}

function heardPiece(recognized: RecognizedPiece, piece: Piece): HeardPiece {
	const chances = recognized.segments.flatMap(({ chance }) => chance ?? []);
	const logarithms = chances.map((chance) => Math.log(Math.max(chance, 1e-6)));
	return {
		piece,
		words: wordsOfTokens(recognized, piece),
		language: languageCodeOf(recognized.language),
		score: logarithms.length > 0 ? mean(logarithms) : undefined,
	};
}

/** Hears pieces in another language again in that of most words, and keeps what the recognizer was surer of. */
async function hearAgain(
	heard: HeardPiece[],
	language: string,
	speech: SpeechAudio,
	recognize: Recognize,
	signal: AbortSignal,
): Promise<void> {
	const others = heard.flatMap((one, at) => {
		const isOther = one.language !== undefined && one.language !== language;
		return isOther && one.score !== undefined ? [at] : [];
	});
	if (others.length === 0) return;
	const pieces = others.map((at) => heard[at].piece);
	let next = 0;
	for await (const recognized of recognize(speech, pieces, signal, language)) {
		const at = others[next++];
		const again = heardPiece(recognized, heard[at].piece);
		if ((again.score ?? -Infinity) > (heard[at].score ?? -Infinity)) heard[at] = again;
	}
}
