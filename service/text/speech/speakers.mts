import { searchVoices } from '../../engine/voice/searchVoices.mts';
import { SPEECH_FORMAT } from '../../media/decode.mts';
import { openPcm } from '../../media/pcmFile.mts';
import type { IndexRange, SpokenWord } from '../../shared/timeRanges.mts';
import { endsSentence } from '../../shared/sentenceEnd.mts';
import { SPEECH_RATE_HZ, type SpeechAudio } from './speech.mts';
import { nearestVoice } from '../../engine/voice/voices.mts';
import { voicesOfPhrases } from './voicesOfPhrases.mts';

/** A longer pause, or the end of a sentence, ends what one speaker says at a time, seconds. */
const PAUSE_SECONDS = 0.4;

/**
 * A phrase is described in parts of about this length, seconds, of which no two share any sound: so they agree only if the
 * voice is the same. Of nobody else's sound, too: the next speaker may begin at once. How many parts there are at most.
 */
const PART_SECONDS = 1.2;
const MAX_PARTS = 4_000;

/** What is shorter shows no voice, seconds. */
const MIN_PHRASE_SECONDS = 0.4;

/**
 * Returns the words of each speaker of a recording with one track, by voice, in the order in which the speakers begin: a
 * guess, as far as there is more than one.
 *
 * @throws the signal's reason when aborted.
 */
export async function wordsOfSpeakers(
	speech: SpeechAudio,
	words: readonly SpokenWord[],
	signal: AbortSignal,
): Promise<Array<readonly SpokenWord[]>> {
	const phrases = phrasesOf(words);
	const input = await openPcm(speech.path, SPEECH_FORMAT);
	const parts = partsOf(phrases, input.frames);
	const described = await searchVoices(input, parts.flat(), signal);
	let next = 0;
	const heard = parts.map(({ length }) => described.slice(next, (next += length)));
	const voices = voicesOfPhrases(heard);
	if (voices.length < 2) return [words];
	const speakers = new Map<number, SpokenWord[]>();
	let last = heard.find(({ length }) => length > 0) ?? [];
	for (const [at, phrase] of phrases.entries()) {
		// A phrase that is too short to be described is heard at the end of the one before it.
		last = heard[at].length > 0 ? heard[at] : last.slice(-1);
		const speaker = nearestVoice(last, voices);
		speakers.set(speaker, [...(speakers.get(speaker) ?? []), ...phrase]);
	}
	return [...speakers.values()];
}

/** What is said without a pause or the end of a sentence between. */
function phrasesOf(words: readonly SpokenWord[]): SpokenWord[][] {
	const phrases: SpokenWord[][] = [];
	for (const word of words) {
		const phrase = phrases.at(-1);
		const last = phrase?.at(-1);
		const isNext =
			last === undefined ||
			endsSentence(last.text) ||
			word.startSeconds - last.endSeconds > PAUSE_SECONDS;
		if (phrase === undefined || isNext) phrases.push([word]);
		else phrase.push(word);
	}
	return phrases;
}

/** Parts of equal length of each phrase, in samples: none of one that shows no voice. */
function partsOf(phrases: readonly SpokenWord[][], frames: number): IndexRange[][] {
	const frameAt = (seconds: number) => Math.min(frames, Math.round(seconds * SPEECH_RATE_HZ));
	const ranges = phrases.map((phrase) => {
		const start = frameAt(phrase[0].startSeconds);
		const length = frameAt(phrase[phrase.length - 1].endSeconds) - start;
		const isShort = length < MIN_PHRASE_SECONDS * SPEECH_RATE_HZ;
		// A voice is heard only where there is sound.
		return { start, length: isShort || phrase.every(({ isGuessed }) => isGuessed) ? 0 : length };
	});
	const total = ranges.reduce((sum, { length }) => sum + length, 0);
	const usual = Math.max(PART_SECONDS * SPEECH_RATE_HZ, total / MAX_PARTS);
	return ranges.map(({ start, length }) => {
		const count = length === 0 ? 0 : Math.max(1, Math.round(length / usual));
		const border = (part: number) => start + Math.round((part * length) / count);
		return Array.from({ length: count }, (_, part) => ({
			start: border(part),
			end: border(part + 1),
		}));
	});
}
