import type { IDataObject } from 'n8n-workflow';

import type { EditResult } from '../../api/contract';
import { chapterList, jsonChapters } from '../../formats/chapters';
import { showNotesHtml, showNotesMarkdown } from '../../formats/showNotes';
import { socialPosts } from '../../formats/socialPosts';
import { type Cue, subtitleCues, toSrt, toWebVtt } from '../../formats/subtitles';
import { type TranscriptOptions, transcriptText } from '../../formats/transcript';

/** What the person chose for the texts, and what several outputs are made of. */
export interface ExtraContext extends TranscriptOptions {
	/** The subtitles of the result: divided when first asked for, then the same for all formats. */
	subtitleCues(): readonly Cue[];
}

/** What the outputs of one result are made with. */
export function extraContext(
	result: EditResult | undefined,
	options: TranscriptOptions,
): ExtraContext {
	let cues: readonly Cue[] | undefined;
	return { ...options, subtitleCues: () => (cues ??= subtitleCues(result)) };
}

/** A file to be stored. */
export interface ExtraFile {
	/** What follows the result's name: `.srt`, or `chapters.json` after a hyphen. */
	readonly suffix: string;
	readonly text: string;
	readonly mimeType: string;
}

/** One of the outputs under 'Also Return'. */
export interface ExtraKind {
	/** The option's value, and the name of the field in the output's `formats`. */
	readonly name: string;
	/** The option as the person sees it. */
	readonly title: string;
	/** The key of the configuration that makes the service deliver the material. */
	readonly configKey: 'transcription' | 'summarize' | 'social_content';
	/** The output as a JSON value and as files; undefined where the result has nothing for it. */
	make(
		result: EditResult | undefined,
		context: ExtraContext,
	): { value: IDataObject | string; files: ExtraFile[] } | undefined;
}

type MakeText = (result: EditResult | undefined, context: ExtraContext) => string | undefined;

function textKind(
	kind: Omit<ExtraKind, 'make'>,
	suffix: string,
	mimeType: string,
	makeText: MakeText,
): ExtraKind {
	return {
		...kind,
		make: (result, context) => {
			const text = makeText(result, context);
			return text === undefined ? undefined : { value: text, files: [{ suffix, text, mimeType }] };
		},
	};
}

const TRANSCRIPTION = { configKey: 'transcription' } as const;
const SUMMARIZE = { configKey: 'summarize' } as const;

const CHAPTERS_JSON: ExtraKind = {
	name: 'chaptersJson',
	title: 'Chapters (JSON)',
	configKey: 'summarize',
	make: (result) => {
		const chapters = jsonChapters(result);
		if (chapters === undefined) return undefined;
		const text = `${JSON.stringify(chapters, undefined, 2)}\n`;
		const mimeType = 'application/json+chapters';
		return { value: { ...chapters }, files: [{ suffix: 'chapters.json', text, mimeType }] };
	},
};

const SOCIAL_POSTS: ExtraKind = {
	name: 'socialPosts',
	title: 'Social Posts',
	configKey: 'social_content',
	make: (result) => {
		const posts = socialPosts(result);
		return posts === undefined ? undefined : { value: { ...posts }, files: socialFiles(posts) };
	},
};

/** Everything that can be made of a result, in the order of the output. */
export const EXTRA_KINDS: readonly ExtraKind[] = [
	textKind(
		{ name: 'subtitlesSrt', title: 'Subtitles (SRT)', ...TRANSCRIPTION },
		'.srt',
		'application/x-subrip',
		(_result, context) => toSrt(context.subtitleCues()),
	),
	textKind(
		{ name: 'subtitlesVtt', title: 'Subtitles (WebVTT)', ...TRANSCRIPTION },
		'.vtt',
		'text/vtt',
		(_result, context) => toWebVtt(context.subtitleCues()),
	),
	textKind(
		{ name: 'transcriptText', title: 'Transcript (Text)', ...TRANSCRIPTION },
		'transcript.txt',
		'text/plain',
		transcriptText,
	),
	CHAPTERS_JSON,
	textKind(
		{ name: 'chapterList', title: 'Chapter List', ...SUMMARIZE },
		'chapters.txt',
		'text/plain',
		chapterList,
	),
	textKind(
		{ name: 'showNotesMarkdown', title: 'Show Notes (Markdown)', ...SUMMARIZE },
		'show-notes.md',
		'text/markdown',
		showNotesMarkdown,
	),
	textKind(
		{ name: 'showNotesHtml', title: 'Show Notes (HTML)', ...SUMMARIZE },
		'show-notes.html',
		'text/html',
		showNotesHtml,
	),
	SOCIAL_POSTS,
];

/** The pieces are for different places, so each is a file; a line of hyphens parts the posts. */
function socialFiles({
	newsletter,
	linkedIn,
	thread,
}: NonNullable<ReturnType<typeof socialPosts>>): ExtraFile[] {
	const file = (suffix: string, mimeType: string, text: string | undefined) =>
		text === undefined ? [] : [{ suffix, mimeType, text: `${text}\n` }];
	return [
		...file('newsletter.md', 'text/markdown', newsletter),
		...file('linkedin.txt', 'text/plain', linkedIn),
		...file('thread.txt', 'text/plain', thread?.join('\n\n---\n\n')),
	];
}

/** Whether the service delivered anything for a configuration key. */
export function hasMaterialFor(
	key: ExtraKind['configKey'],
	result: EditResult | undefined,
): boolean {
	const material = {
		transcription: result?.transcription,
		summarize: result?.summarization,
		social_content: result?.social_content,
	};
	return (material[key] ?? undefined) !== undefined;
}
