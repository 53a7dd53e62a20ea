import { isFillerIn } from '../../engine/detection/spokenWords.mts';
import { firstFrom } from '../../engine/signal/levels.mts';
import {
	type RecognizedSpeech,
	sharedSeconds,
	type SpokenWord,
	type TimelineEdit,
	type TimeRange,
} from '../../shared/timeRanges.mts';
import { alignedWith, type HeardWord, heardWordsOf, lettersApart } from './alignWords.mts';
import { soundHopsIn } from './windows.mts';

/** Cuts that touch, and what was heard around them before and after. */
export interface CutHeard {
	/** In the source. */
	range: TimeRange;
	edits: readonly TimelineEdit[];
	before: RecognizedSpeech;
	/** At times of the edited file. */
	after: RecognizedSpeech;
}

/** What is known of the source: where there is sound of speech, and where its moments are in the edited file. */
export interface Places {
	sounds: Uint8Array;
	timeAfter: (seconds: number) => number;
}

/** What a cut did to a word. */
export interface LostWord {
	text: string;
	/** The sound of the word. */
	place: TimeRange;
	isCertain: boolean;
}

/** Words that are compared around a cut, seconds. */
const AROUND_SECONDS = 5;

/** A word is cut if this share of its sound is, and at least this much, hops. */
const CUT_SHARE = 0.35;
const CUT_HOPS = 5;

/** A word of which this share is cut cannot be heard any more. */
const WHOLE_SHARE = 0.8;

/** A word with more of its letters different is another one. */
const OTHER_WORD = 0.34;

/** Around a cut, this share of the other words is the same in both hearings, or else nothing can be said. */
const SAME_SHARE = 0.5;

/** Returns the words that lay on speech inside a cut and are missing after it, and those that may be. */
export function lostWords({ range, edits, before, after }: CutHeard, places: Places): LostWord[] {
	const near = heardWordsOf(wordsNear(before.words, range));
	const place = (seconds: number) => places.timeAfter(seconds);
	const moved = near.map((word) => ({
		...word,
		startSeconds: place(word.startSeconds),
		endSeconds: place(word.endSeconds),
	}));
	const join = { startSeconds: place(range.startSeconds), endSeconds: place(range.endSeconds) };
	const others = heardWordsOf(wordsNear(after.words, join));
	const found = alignedWith(moved, others);
	const isSame = near.map((word, at) => isSameWord(word, found[at]));
	const shares = near.map((word) => cutShare(word, range, places.sounds));
	const whole = near.filter((_, at) => shares[at] === 0);
	const same = near.filter((_, at) => shares[at] === 0 && isSame[at]);
	const canTell =
		(before.language === after.language || after.language === undefined) &&
		same.length >= SAME_SHARE * whole.length;
	const isRepeated = repetitionIn(near, shares, edits);
	return near.flatMap((word, at): LostWord[] => {
		const share = shares[at];
		if (share < CUT_SHARE || isRepeated(word) || wasToGo(word, edits, before.language)) return [];
		if (isSame[at] && share < WHOLE_SHARE) return [];
		const isCertain = canTell && !isSame[at] && word.isGuessed !== true;
		const { text, startSeconds, endSeconds } = word;
		return [{ text, place: { startSeconds, endSeconds }, isCertain }];
	});
}

/** The words near a range, of many in order. */
function wordsNear(words: readonly SpokenWord[], range: TimeRange): readonly SpokenWord[] {
	const [from, to] = [range.startSeconds - AROUND_SECONDS, range.endSeconds + AROUND_SECONDS];
	const first = firstFrom(words, ({ endSeconds }) => endSeconds <= from);
	const end = firstFrom(words, ({ startSeconds }) => startSeconds < to);
	return words.slice(first, end);
}

function isSameWord({ letters }: HeardWord, other: HeardWord | undefined): boolean {
	return other !== undefined && lettersApart(letters, other.letters) <= OTHER_WORD;
}

/** The share of the sound of a word that is inside a cut; 0 if that is too little to be heard. */
function cutShare(word: TimeRange, range: TimeRange, sounds: Uint8Array): number {
	const cut = {
		startSeconds: Math.max(word.startSeconds, range.startSeconds),
		endSeconds: Math.min(word.endSeconds, range.endSeconds),
	};
	if (cut.endSeconds <= cut.startSeconds) return 0;
	const hops = soundHopsIn(cut, sounds);
	return hops < CUT_HOPS ? 0 : hops / soundHopsIn(word, sounds);
}

/** Whether a word is a filler inside a cut that is there to take fillers out. */
function wasToGo(
	word: HeardWord,
	edits: readonly TimelineEdit[],
	language: string | undefined,
): boolean {
	const isForFillers = edits.some((edit) => SPOKEN.has(edit.kind) && sharedSeconds(edit, word) > 0);
	return isForFillers && isFillerIn(word, language);
}

const SPOKEN: ReadonlySet<string> = new Set(['filler', 'hesitation', 'stutter']);

/** Returns whether a cut word is a part of what is said again after a stutter was cut. */
function repetitionIn(
	words: readonly HeardWord[],
	shares: readonly number[],
	edits: readonly TimelineEdit[],
): (word: HeardWord) => boolean {
	const stutters = edits.filter(({ kind }) => kind === 'stutter');
	const isCut = (share: number) => share >= CUT_SHARE;
	const [first, end] = [shares.findIndex(isCut), shares.findLastIndex(isCut) + 1];
	const rest = lettersOf(words.slice(end));
	return (word) => {
		if (!stutters.some((edit) => sharedSeconds(edit, word) > 0)) return false;
		const gone = words.slice(first, words.indexOf(word) + 1);
		return gone.some((_, at) => rest.startsWith(lettersOf(words.slice(first + at, end))));
	};
}

function lettersOf(words: readonly HeardWord[]): string {
	return words.map(({ letters }) => letters).join('');
}
