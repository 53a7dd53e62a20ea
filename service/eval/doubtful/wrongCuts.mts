import type { Chance } from '../../../testkit/measure/chance.mts';
import type { TimelineEdit, TimeRange } from '../../shared/timeRanges.mts';
import { stretchesOf, WORD } from '../scene.mts';
import { lengthOf, shared } from '../score.mts';
import type { DoubtfulScene } from './doubtfulScenes.mts';

/** A cut that takes a word. */
export type WrongCut = TimelineEdit & { readonly how: string };

/** The longest part of a sentence that a cut is moved onto, and the least of a half word, seconds. */
const MAX_MOVED_SECONDS = 0.6;
const HALF_WORD_SECONDS = [0.12, 0.25] as const;

/** A word that an answer is, with what its cut may take of the pauses around it, seconds. */
const MARGIN_SECONDS = 0.02;

type Make = (
	scene: DoubtfulScene,
	right: readonly TimelineEdit[],
	chance: Chance,
) => WrongCut | undefined;

/** The ways to be wrong. Each gets its kind and how sure its detector was from a right cut, so that neither tells it. */
const WAYS: readonly Make[] = [movedOntoWord, overHalfWord, answerInOneWord, humOfAnother];

/** Returns three wrong cuts of different ways, which overlap neither each other nor right ones that stay. */
export function wrongCuts(
	scene: DoubtfulScene,
	right: readonly TimelineEdit[],
	chance: Chance,
): WrongCut[] {
	const ways = WAYS.map((way) => ({ way, order: chance.next() })).sort((a, b) => a.order - b.order);
	const wrong: WrongCut[] = [];
	for (const { way } of [...ways, ...ways]) {
		if (wrong.length === 3) break;
		const cut = way(scene, right, chance);
		if (cut && wrong.every((other) => shared(cut, other) === 0)) wrong.push(cut);
	}
	return wrong;
}

/** A cut of any kind somewhere within a sentence. */
function movedOntoWord({ marks }: DoubtfulScene, right: readonly TimelineEdit[], chance: Chance) {
	const cut = chance.pick(right);
	const length = Math.min(lengthOf(cut), MAX_MOVED_SECONDS);
	const words = stretchesOf(marks, WORD).filter((word) => lengthOf(word) > 2 * length);
	if (words.length === 0) return undefined;
	const word = chance.pick(words);
	const startSeconds = chance.between(word.startSeconds, word.endSeconds - length);
	const range = { startSeconds, endSeconds: startSeconds + length };
	return { ...cut, ...range, how: `${cut.kind} moved onto a word` };
}

/** A pause or a breath that goes on into the word after it or begins in the word before it. */
function overHalfWord({ marks }: DoubtfulScene, right: readonly TimelineEdit[], chance: Chance) {
	const cut = chance.pick(right.filter(({ kind }) => kind === 'long_silence' || kind === 'breath'));
	const words = stretchesOf(marks, WORD);
	const before = words.findLast((word) => word.endSeconds <= cut.startSeconds + MARGIN_SECONDS);
	const after = words.find((word) => word.startSeconds >= cut.endSeconds - MARGIN_SECONDS);
	const length = chance.between(...HALF_WORD_SECONDS);
	const isAfter = chance.isTrue(0.5);
	if (isAfter ? after === undefined : before === undefined) return undefined;
	const how = `${cut.kind} over half a word`;
	if (isAfter && after) return { ...cut, endSeconds: after.startSeconds + length, how };
	return before && { ...cut, startSeconds: before.endSeconds - length, how };
}

/** A word said alone, as a filler or as a pause. */
function answerInOneWord(scene: DoubtfulScene, right: readonly TimelineEdit[], chance: Chance) {
	return asCut(scene.answers.word, right, chance, chance.isTrue(0.5) ? 'filler' : 'long_silence');
}

/** Somebody else's "um", as a filler. */
function humOfAnother(scene: DoubtfulScene, right: readonly TimelineEdit[], chance: Chance) {
	return asCut(scene.answers.hum, right, chance, 'filler');
}

function asCut(
	answers: readonly TimeRange[],
	right: readonly TimelineEdit[],
	chance: Chance,
	kind: TimelineEdit['kind'],
): WrongCut | undefined {
	if (answers.length === 0) return undefined;
	const { startSeconds, endSeconds } = chance.pick(answers);
	const same = right.filter((one) => one.kind === kind);
	const { sure } = chance.pick(same.length > 0 ? same : right);
	return {
		kind,
		startSeconds: startSeconds - MARGIN_SECONDS,
		endSeconds: endSeconds + MARGIN_SECONDS,
		sure,
		how: `answer cut as ${kind}`,
	};
}
