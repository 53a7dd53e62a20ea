import { searchVoices, VOICE_SECONDS } from '../../engine/voice/searchVoices.mts';
import { SPEECH_FORMAT } from '../../media/decode.mts';
import { openPcm } from '../../media/pcmFile.mts';
import type { SpokenWord } from '../../shared/timeRanges.mts';
import { endsSentence } from './punctuation.mts';
import type { SpeechAudio } from './speech.mts';
import { alike } from '../../engine/voice/voices.mts';
import { voicesOfPhrases } from './voicesOfPhrases.mts';

/** A longer pause, or the end of a sentence, ends what one speaker says at a time, seconds. */
const PAUSE_SECONDS = 0.4;

/** How often the voice is described, seconds, and how often at most. */
const STEP_SECONDS = 0.8;
const MAX_MOMENTS = 4_000;

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
	const moments = momentsIn(phrases);
	const described = await searchVoices(
		await openPcm(speech.path, SPEECH_FORMAT),
		moments.flat().map((middle) => middle - VOICE_SECONDS / 2),
		signal,
	);
	let next = 0;
	const heard = moments.map(({ length }) => described.slice(next, (next += length)));
	const voices = voicesOfPhrases(heard);
	if (voices.length < 2) return [words];
	const speakers = new Map<number, SpokenWord[]>();
	let last = heard.find(({ length }) => length > 0) ?? [];
	for (const [at, phrase] of phrases.entries()) {
		// A short phrase without a moment of its own is heard at the end of the one before it.
		last = heard[at].length > 0 ? heard[at] : last.slice(-1);
		const speaker = nearest(last, voices);
		speakers.set(speaker, [...(speakers.get(speaker) ?? []), ...phrase]);
	}
	return [...speakers.values()];
}

/** Which voice is most like what was described, on the whole. */
function nearest(described: readonly Float32Array[], voices: readonly Float32Array[]): number {
	const likeness = voices.map((voice) =>
		described.reduce((sum, one) => sum + alike(one, voice), 0),
	);
	return likeness.indexOf(Math.max(...likeness));
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

/** When to describe the voice of each phrase: evenly within it. */
function momentsIn(phrases: readonly SpokenWord[][]): number[][] {
	const ranges = phrases.map((phrase) => {
		const startSeconds = phrase[0].startSeconds;
		const seconds = phrase[phrase.length - 1].endSeconds - startSeconds;
		// A voice is heard only where there is sound.
		return { startSeconds, seconds: phrase.every(({ isGuessed }) => isGuessed) ? 0 : seconds };
	});
	const total = ranges.reduce((sum, { seconds }) => sum + seconds, 0);
	const step = Math.max(STEP_SECONDS, total / MAX_MOMENTS);
	return ranges.map(({ startSeconds, seconds }) => {
		const count = Math.round(seconds / step);
		return Array.from({ length: count }, (_, at) => startSeconds + ((at + 0.5) * seconds) / count);
	});
}
