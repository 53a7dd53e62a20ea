import { countTerms, type Sentence } from './sentences.mts';

/** Number of sentences compared on each side of a place. */
const WINDOW_SENTENCES = 6;

/** Minimum length of a chapter, and maximum number of chapters. */
const MIN_CHAPTER_SECONDS = 60;
const MAX_CHAPTERS = 12;

/** Minimum average length of a chapter. */
const SECONDS_PER_CHAPTER = 240;

/** What a pause adds to a change of topic; the full weight applies from this length on. */
const PAUSE_WEIGHT = 0.3;
const MAX_PAUSE_SECONDS = 3;

/** Similarity of two groups of sentences by their terms, 0 to 1 (cosine). */
function likeness(left: readonly Sentence[], right: readonly Sentence[]): number {
	const [a, b] = [countTerms(left), countTerms(right)];
	const dot = [...a].reduce((sum, [term, count]) => sum + count * (b.get(term) ?? 0), 0);
	const length = (counts: Map<string, number>) => Math.hypot(...counts.values());
	return dot === 0 ? 0 : dot / (length(a) * length(b));
}

/** Score for a new topic at a sentence: different terms from before, and a pause. */
function changeBefore(sentences: readonly Sentence[], index: number): number {
	const left = sentences.slice(Math.max(0, index - WINDOW_SENTENCES), index);
	const right = sentences.slice(index, index + WINDOW_SENTENCES);
	const pause = sentences[index].startSeconds - sentences[index - 1].endSeconds;
	const pauseShare = Math.min(MAX_PAUSE_SECONDS, Math.max(0, pause)) / MAX_PAUSE_SECONDS;
	return 1 - likeness(left, right) + PAUSE_WEIGHT * pauseShare;
}

/**
 * Groups sentences into chapters at the strongest changes of topic, by comparing the terms on both
 * sides (TextTiling). Returns at least one chapter if there are sentences.
 */
export function chaptersOf(sentences: readonly Sentence[]): Sentence[][] {
	const first = sentences.at(0);
	const last = sentences.at(-1);
	if (first === undefined || last === undefined) return [];
	const seconds = last.endSeconds - first.startSeconds;
	const wanted = Math.min(MAX_CHAPTERS, Math.round(seconds / SECONDS_PER_CHAPTER));
	const changes = sentences
		.map((_, index) => ({ index, change: index === 0 ? 0 : changeBefore(sentences, index) }))
		.toSorted((a, b) => b.change - a.change);
	const starts = [0, sentences.length];
	const timeAt = (index: number) => sentences.at(index)?.startSeconds ?? last.endSeconds;
	for (const { index } of changes) {
		if (starts.length > wanted) break;
		const nearest = Math.min(...starts.map((start) => Math.abs(timeAt(start) - timeAt(index))));
		if (nearest >= MIN_CHAPTER_SECONDS) starts.push(index);
	}
	const ordered = starts.toSorted((a, b) => a - b);
	return ordered.slice(1).map((end, index) => sentences.slice(ordered[index], end));
}
