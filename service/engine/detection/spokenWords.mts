import {
	type RecognizedSpeech,
	sharedSeconds,
	type SpokenWord,
	type TimelineEdit,
	type TimeRange,
} from '../../shared/timeRanges.mts';
import { MAX_FILLER_SECONDS, maxSecondsOf } from '../../shared/wordLength.mts';
import { isOwnSentence } from './ownSentence.mts';
import type { WordSound } from './wordSound.mts';

/**
 * Filler words that are nothing else in their language, each letter written once ("hmm" is "hm").
 * "um" is a word in German and Portuguese, "er" in German. They count only where the language is known.
 */
const FILLERS: Readonly<Record<string, readonly string[]>> = {
	any: 'uh uhm erm hm mhm äh ähm öh öhm euh heu ehm îm ăm ъм'.split(' '),
	en: ['um', 'er', 'eh', 'ah', 'm'],
	de: ['eh', 'em', 'ehm'],
	ro: ['ă', 'î', 'em', 'ah'],
	fr: ['eh', 'hum'],
	nl: ['eh', 'um'],
	es: ['eh', 'em', 'um'],
	it: ['eh', 'um'],
	pt: ['eh', 'hum', 'ã'],
	pl: ['y', 'e'],
	tr: ['ı', 'e'],
	bg: ['ъ', 'ам'],
	ar: ['اه', 'ام'],
};

/** The fillers of all languages. */
const FILLERS_SOMEWHERE = new Set(Object.values(FILLERS).flat());

/** Whether a word is a filler in any language. */
export function isFillerSomewhere(text: string): boolean {
	return FILLERS_SOMEWHERE.has(shortLettersOf(text));
}

/** Whether a word is a filler in a language. @param language as a recognizer names it; undefined if it did not. */
export function isFillerIn(word: Pick<SpokenWord, 'text'>, language: string | undefined): boolean {
	return fillersOf(language)(word);
}

/** Small words that nobody says twice on purpose. */
const NEVER_TWICE = new Set(
	(
		'i a an the and but of to in on at is it we he she they my our was for with so as if ' +
		'ich und der die das ein eine wir er sie es zu mit auf ist war aber wenn ' +
		'și un o de la cu pe în să eu el ea am este dar ' +
		'je le la les un une et de des du il elle nous mais que dans pour'
	).split(' '),
);

/** Repetitions further apart than this are meant, in seconds. */
const MAX_PAUSE_SECONDS = 0.6;

/** How sure a cut of a recognized word is: recognizers give no figure for one. */
const RECOGNIZED_SURE = 0.9;

/** A found edit is wrong if this share of it is inside a real word. */
const OVERLAP_SHARE = 0.5;

/**
 * Improves fillers and stutters by a transcript: sounds that turn out to be real words are left alone. Where
 * its times are exact, filler words and repeated words it holds are added if the sound agrees, and where its words were
 * moved to their sound, filler words. Other kinds pass unchanged.
 *
 * @param written which of `spokenFillers` are to be cut, and which never are.
 * @returns in order of time.
 */
export function refineByWords(
	edits: readonly TimelineEdit[],
	{ words, language, areTimesExact, arePlaced = false }: RecognizedSpeech,
	sound: WordSound,
	written: FillersAndAnswers,
): TimelineEdit[] {
	const { fillers, answers } = written;
	if (!areTimesExact) {
		const added = arePlaced ? placedFillers(edits, fillers, sound) : [];
		const all = [...edits, ...added].toSorted((a, b) => a.startSeconds - b.startSeconds);
		return withoutWords(all, [...meantWords(words, language), ...answers]);
	}
	const spoken = [...fillers.filter(sound.isOneSound), ...repetitionsIn(words, sound)];
	const isFiller = fillersOf(language);
	const isMeant = (word: SpokenWord) =>
		!isFiller(word) &&
		(language !== undefined || !isFillerSomewhere(word.text)) &&
		!spoken.some((edit) => sharedSeconds(edit, word) > 0);
	const meant = words.filter(isMeant);
	const kept = edits.filter((edit) => {
		if (!mayBeWord(edit)) return true;
		if (spoken.some((other) => sharedSeconds(edit, other) > 0)) return false;
		const length = edit.endSeconds - edit.startSeconds;
		return !meant.some((word) => sharedSeconds(edit, word) >= OVERLAP_SHARE * length);
	});
	return [...withoutWords(kept, answers), ...spoken].toSorted(
		(a, b) => a.startSeconds - b.startSeconds,
	);
}

/** How long a filler lasts that a recognizer wrote and that lies on its sound, seconds. */
const PLACED_SECONDS = [0.15, 1.8] as const;

/** Returns the fillers that lie on one sound each, but for those that are found already. */
function placedFillers(
	edits: readonly TimelineEdit[],
	fillers: readonly TimelineEdit[],
	sound: WordSound,
): TimelineEdit[] {
	const [shortest, longest] = PLACED_SECONDS;
	return fillers.filter((filler) => {
		const seconds = filler.endSeconds - filler.startSeconds;
		const isFound = edits.some((edit) => mayBeWord(edit) && sharedSeconds(edit, filler) > 0);
		return !isFound && seconds >= shortest && seconds <= longest && sound.isOneSound(filler);
	});
}

/** Whether an edit is of a kind that words are taken for. */
function mayBeWord({ kind }: TimelineEdit): boolean {
	return kind === 'filler' || kind === 'hesitation' || kind === 'stutter';
}

/** An edit may overlap a word by this without touching it, because where a word ends is only roughly known, seconds. */
const GRAZED_SECONDS = 0.05;

/** The words that are no fillers. */
function meantWords(words: readonly SpokenWord[], language: string | undefined): SpokenWord[] {
	const isFiller = fillersOf(language);
	return words.filter((word) => !isFiller(word));
}

/** Leaves alone every filler, hesitation and stutter that touches a word. */
function withoutWords(edits: readonly TimelineEdit[], words: readonly TimeRange[]): TimelineEdit[] {
	// A word may be shorter than its overlap: the recognizer gives some of them no length.
	const touches = (edit: TimelineEdit, word: TimeRange) => {
		const allowed = Math.min(GRAZED_SECONDS, (word.endSeconds - word.startSeconds) / 2);
		return sharedSeconds(edit, word) >= allowed;
	};
	return edits.filter((edit) => !mayBeWord(edit) || !words.some((word) => touches(edit, word)));
}

/** Returns whether a word is a filler in a language. */
function fillersOf(language = 'any'): (word: Pick<SpokenWord, 'text'>) => boolean {
	const known = new Set([...FILLERS.any, ...(FILLERS[language.slice(0, 2).toLowerCase()] ?? [])]);
	return ({ text }) => known.has(shortLettersOf(text));
}

/** Fillers that a recognizer wrote. */
export interface SpokenFillers {
	/** Those among the words of a sentence. */
	readonly within: readonly TimelineEdit[];
	/** Those that are sentences of their own: they may be answers. */
	readonly alone: readonly TimelineEdit[];
}

/** Those that the one says who speaks around them, and those that may be somebody else's answers. */
export interface FillersAndAnswers {
	readonly fillers: readonly TimelineEdit[];
	readonly answers: readonly TimelineEdit[];
}

/** Returns the filler words of a transcript, but for those that last longer than anybody says "um". */
export function spokenFillers({ words, language }: RecognizedSpeech): SpokenFillers {
	const isFiller = fillersOf(language);
	const within: TimelineEdit[] = [];
	const alone: TimelineEdit[] = [];
	for (const [at, word] of words.entries()) {
		if (!isFiller(word) || !lastsUpTo(word, MAX_FILLER_SECONDS)) continue;
		const { startSeconds, endSeconds } = word;
		const isAlone = isOwnSentence(words, at);
		(isAlone ? alone : within).push({
			kind: 'filler',
			startSeconds,
			endSeconds,
			sure: RECOGNIZED_SURE,
		});
	}
	return { within, alone };
}

/** "b- but", "the the": all but the last. */
function repetitionsIn(words: readonly SpokenWord[], sound: WordSound): TimelineEdit[] {
	return words.flatMap((word, index): TimelineEdit[] => {
		const next = words.at(index + 1);
		if (!next || next.startSeconds - word.endSeconds > MAX_PAUSE_SECONDS) return [];
		// If one of the two lasts longer than it can be said, the time of the other may be wrong as well.
		if (![word, next].every((one) => lastsUpTo(one, maxSecondsOf(one.text)))) return [];
		const [letters, nextLetters] = [lettersOf(word.text), lettersOf(next.text)];
		const isBrokenOff = /[-‐–—]$/u.test(word.text.trim()) && letters !== '';
		const isRepeated = isBrokenOff
			? nextLetters.startsWith(letters)
			: letters === nextLetters && NEVER_TWICE.has(letters);
		if (!isRepeated) return [];
		const { startSeconds } = word;
		const between = { startSeconds: word.endSeconds, endSeconds: next.startSeconds };
		if (!sound.isOneSound(word) || !sound.isPause(between)) return [];
		return [
			{ kind: 'stutter', startSeconds, endSeconds: next.startSeconds, sure: RECOGNIZED_SURE },
		];
	});
}

/** Whether a word has a time of its own, and lasts no longer than `maxSeconds`. */
function lastsUpTo(
	{ startSeconds, endSeconds, isGuessed }: SpokenWord,
	maxSeconds: number,
): boolean {
	const seconds = endSeconds - startSeconds;
	return isGuessed !== true && seconds > 0 && seconds <= maxSeconds;
}

/** The letters of a word, each written once. */
function shortLettersOf(text: string): string {
	return lettersOf(text).replace(/(.)\1+/gu, '$1');
}

function lettersOf(text: string): string {
	return text.toLowerCase().replace(/[^\p{L}]/gu, '');
}
