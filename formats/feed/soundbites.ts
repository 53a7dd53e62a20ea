import type { EditResult, Summarization } from '../../api/contract';
import { beginsPhrase } from '../transcript/phrases';
import { type Sentence, sentencesOf } from '../transcript/sentences';
import { timedWords } from '../transcript/timedWords';
import { cutText } from '../values';

/** A passage that represents the edited file in previews and posts. */
export interface Soundbite {
	readonly startSeconds: number;
	readonly durationSeconds: number;
	/** The first sentence of the passage, at most 128 characters. */
	readonly title: string;
}

/** The lengths and the length of the title that the Podcasting 2.0 page "Soundbite" recommends. */
export const MIN_MS = 15_000;
export const MAX_MS = 120_000;
const MAX_TITLE_LENGTH = 128;

export const MAX_SOUNDBITES = 5;
/** One soundbite for each stretch of this length. */
const MS_PER_SOUNDBITE = 180_000;

/** The length that previews and posts mostly have; others score a little less. */
const BEST_MS = 45_000;

/** Room before the first word and after the last one, as far as the neighbors leave it. */
const LEAD_MS = 100;
const TAIL_MS = 300;

/** A pause inside that is likely music or a break. */
const BREAK_MS = 3_000;

/** More sentences do not fit two minutes; without a limit, wrong times would take all of them. */
const MAX_SENTENCES = 100;

/**
 * What makes a passage worse, in the unit of its keywords' score. Keywords hardly make up for a change of
 * speaker, so one speaker is chosen wherever one speaks long enough.
 */
const COST = { speakerChange: 50, connectingStart: 2, break: 4, lengthOff: 1.5 };

/** A run of sentences, and how well it would do. */
interface Passage {
	readonly first: number;
	readonly last: number;
	readonly fromMs: number;
	readonly toMs: number;
	readonly score: number;
}

/**
 * Picks 1 to 5 passages of 15 to 120 s that cover most of what the summary says: complete sentences, one
 * speaker where possible, in order and without overlap. The same result always gives the same passages.
 *
 * Source: https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/tags/soundbite.md
 *
 * @returns none if the transcript has no times or no passage of that length
 */
export function soundbitesOf(result: EditResult | undefined): Soundbite[] {
	const sentences = sentencesOf(timedWords(result?.transcription));
	const spokenMs = sentences.at(-1)?.endMs ?? 0;
	const wanted = Math.min(MAX_SOUNDBITES, Math.max(1, Math.floor(spokenMs / MS_PER_SOUNDBITE)));
	const chosen: Passage[] = [];
	for (const passage of bestFirst(sentences, keywordsOf(result?.summarization))) {
		if (chosen.length === wanted) break;
		const isFree = ({ fromMs, toMs }: Passage) => toMs <= passage.fromMs || passage.toMs <= fromMs;
		if (chosen.every(isFree)) chosen.push(passage);
	}
	return chosen
		.sort((one, other) => one.fromMs - other.fromMs)
		.map(({ first, fromMs, toMs }) => ({
			startSeconds: fromMs / 1_000,
			durationSeconds: (toMs - fromMs) / 1_000,
			title: cutText(sentences[first].text, MAX_TITLE_LENGTH),
		}));
}

/** For each sentence the best passage that begins with it, the best of all first. */
function bestFirst(sentences: readonly Sentence[], keywords: ReadonlyMap<string, number>) {
	const found = sentences.map((sentence) => keywordsIn(sentence.text, keywords));
	const passages = sentences.flatMap((_sentence, first) => bestFrom(sentences, found, first) ?? []);
	return passages.sort((one, other) => other.score - one.score || one.fromMs - other.fromMs);
}

function bestFrom(
	sentences: readonly Sentence[],
	found: ReadonlyArray<ReadonlyMap<string, number>>,
	first: number,
): Passage | undefined {
	// After an incomplete sentence of the same speaker, this is the rest of it.
	const before: Sentence | undefined = sentences[first - 1];
	if (before?.isComplete === false && before.speaker === sentences[first].speaker) return undefined;
	const fromMs = Math.max(sentences[first].startMs - LEAD_MS, before?.endMs ?? 0);
	const said = new Set<string>();
	let weight = 0;
	let cost = beginsPhrase(sentences[first].text.split(' ')[0]) ? COST.connectingStart : 0;
	let best: Passage | undefined;
	const end = Math.min(sentences.length, first + MAX_SENTENCES);
	for (let last = first; last < end; last++) {
		const { startMs, endMs, speaker, isComplete } = sentences[last];
		if (endMs - fromMs > MAX_MS) break;
		if (last > first && speaker !== sentences[last - 1].speaker) cost += COST.speakerChange;
		if (last > first && startMs - sentences[last - 1].endMs >= BREAK_MS) cost += COST.break;
		for (const [word, own] of found[last]) weight += said.has(word) ? 0 : own;
		for (const word of found[last].keys()) said.add(word);
		const nextMs = sentences[last + 1]?.startMs ?? Infinity;
		const toMs = Math.max(endMs, Math.min(endMs + TAIL_MS, nextMs, fromMs + MAX_MS));
		if (!isComplete || toMs - fromMs < MIN_MS || nextMs < endMs) continue;
		const lengthOff = Math.abs(Math.log2((toMs - fromMs) / BEST_MS)) * COST.lengthOff;
		const score = weight / Math.sqrt((toMs - fromMs) / BEST_MS) - cost - lengthOff;
		if (best === undefined || score > best.score) best = { first, last, fromMs, toMs, score };
	}
	return best;
}

/** The words that matter, with their weights: those of the title count most. */
function keywordsOf(summarization: Summarization | null | undefined): ReadonlyMap<string, number> {
	const { title = '', summary = '', key_learnings = '', chapters = [] } = summarization ?? {};
	const titles = chapters.map((chapter) => chapter.title).join(' ');
	const sources: ReadonlyArray<readonly [string, number]> = [
		[summary, 1],
		[`${key_learnings} ${titles}`, 2],
		[title, 3],
	];
	return new Map(
		sources.flatMap(([text, weight]) => bareWords(text).map((word) => [word, weight])),
	);
}

function keywordsIn(text: string, keywords: ReadonlyMap<string, number>) {
	const pairs = bareWords(text).map((word) => [word, keywords.get(word) ?? 0] as const);
	return new Map(pairs.filter(([, weight]) => weight > 0));
}

/** The words of at least four letters; shorter ones say little in the languages with spaces. */
function bareWords(text: string): string[] {
	return text.toLowerCase().match(/\p{L}{4,100}/gu) ?? [];
}
