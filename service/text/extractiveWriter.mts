import { countTerms, sentencesOf, type Sentence } from './sentences.mts';
import {
	markdownList,
	shortened,
	threadOf,
	MAX_POST,
	type SocialContent,
	type Summarization,
} from './texts.mts';
import { chaptersOf } from './topics.mts';
import type { Paragraph } from './paragraphs.mts';
import type { TextWriter } from './writer.mts';

/** Part of every text, to say where it comes from. */
const LABEL =
	'Sentences picked from the transcript by the local service, offline; no language model wrote this.';

const NOTHING_SAID = 'Nothing was recognized as speech.';

/** Number of terms a sentence may have to be picked; others say too little or too much. */
const MIN_TERMS = 3;
const MAX_TERMS = 25;

/**
 * A writer without a model. It picks sentences with the terms that the recording is about, and
 * begins chapters where the terms change. It understands nothing, and its texts say so.
 */
export const extractiveWriter: TextWriter = {
	name: 'extracts, offline (labeled as such)',
	summarize: (paragraphs) => Promise.resolve(extract(paragraphs)),
	writePosts: (summary) => Promise.resolve(posts(summary)),
};

/** Picks the best sentences of a group, in spoken order. */
function pick(sentences: readonly Sentence[], count: number, weights: Map<string, number>) {
	const fitting = sentences.filter(
		({ terms }) => terms.length >= MIN_TERMS && terms.length <= MAX_TERMS,
	);
	const candidates = fitting.length >= count ? fitting : sentences;
	const score = ({ terms }: Sentence) =>
		[...new Set(terms)].reduce((sum, term) => sum + Math.log(1 + (weights.get(term) ?? 0)), 0) /
		Math.sqrt(terms.length + 1);
	return candidates
		.toSorted((a, b) => score(b) - score(a))
		.slice(0, count)
		.toSorted((a, b) => a.startSeconds - b.startSeconds)
		.map(({ text }) => sentenceText(text));
}

/** Adds a capital letter and a full stop, which rough recognizers omit. */
function sentenceText(text: string): string {
	const first = Array.from(text).at(0) ?? '';
	const begun = first.toUpperCase() + text.slice(first.length);
	return /[\p{L}\p{N}]$/u.test(begun) ? `${begun}.` : begun;
}

/** Makes a heading from the terms that stand out in these sentences. */
function heading(sentences: readonly Sentence[], weights: Map<string, number>): string {
	const here = countTerms(sentences);
	const standsOut = ([term, count]: [string, number]) =>
		count * (count / (weights.get(term) ?? count));
	const terms = [...here]
		.toSorted((a, b) => standsOut(b) - standsOut(a) || b[0].length - a[0].length)
		.slice(0, 3)
		.map(([term]) => term);
	const [first = 'untitled', ...rest] = terms;
	return [sentenceText(first).replace(/\.$/, ''), ...rest].join(', ');
}

/** A time such as `12:05` or `1:02:05`. */
function clockTime(seconds: number): string {
	const parts = [
		Math.floor(seconds / 3_600),
		Math.floor(seconds / 60) % 60,
		Math.floor(seconds) % 60,
	];
	const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
	return [first, ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
}

function extract(paragraphs: readonly Paragraph[]): Summarization {
	const sentences = sentencesOf(paragraphs);
	const weights = countTerms(sentences);
	const chapters = chaptersOf(sentences);
	const title = heading(sentences, weights);
	const overview = pick(sentences, 5, weights);
	const [gist = NOTHING_SAID] = pick(sentences, 1, weights);
	const summary = overview.length === 0 ? NOTHING_SAID : overview.join(' ');
	// Players expect the first chapter to start at 0.
	const starts = chapters.map(([first], index) => (index === 0 ? 0 : first.startSeconds));
	return {
		title,
		summary: `${summary}\n\n(${LABEL})`,
		chapters: starts.map((start, index) => ({
			start: Math.round(start * 1000) / 1000,
			// Words picked from it would look like a title that somebody wrote.
			title: `Part ${index + 1}, from ${clockTime(start)}`,
		})),
		summaries: chapters.map((chapter) => pick(chapter, 3, weights).join(' ')),
		key_learnings: markdownList([...pick(sentences, 6, weights), `*${LABEL}*`]),
		summary_of_summary: `${gist} (${LABEL})`,
		episode_description: `${summary}\n\n*${LABEL}*`,
	};
}

/** Makes posts from a summary that this writer made. */
function posts(summary: Summarization): SocialContent {
	const { title, key_learnings: learnings } = summary;
	const overview = summary.summary.replace(`\n\n(${LABEL})`, '');
	const points = learnings
		.split('\n')
		.map((line) => line.replace(/^- /, ''))
		.filter((line) => line !== `*${LABEL}*`);
	const tweets = [title, ...points, LABEL].map((text) => shortened(text, MAX_POST));
	return {
		newsletter: `# ${title}\n\n${overview}\n\n## What was said\n\n${learnings}`,
		twitter_thread: threadOf(tweets),
		linkedin: [title, overview, ...points.map((point) => `• ${point}`), LABEL].join('\n\n'),
	};
}
