import type { IDataObject } from 'n8n-workflow';

import type { EditResult } from '../../../../api/contract';
import { chapterList, jsonChapters } from '../../../../formats/notes/chapters';
import { episodeDescription } from '../../../../formats/notes/episodeDescription';
import { type FeedDetails, feedItem } from '../../../../formats/feed/feedItem';
import { podloveChapters } from '../../../../formats/notes/podloveChapters';
import type { Passport } from '../../../../formats/passport/passport';
import { showNotesHtml, showNotesMarkdown } from '../../../../formats/notes/showNotes';
import { socialPosts } from '../../../../formats/notes/socialPosts';
import { soundbitesOf } from '../../../../formats/feed/soundbites';
import { type Cue, toSrt, toWebVtt } from '../../../../formats/transcript/subtitles';
import { transcriptJson } from '../../../../formats/transcript/transcriptJson';
import { type TranscriptOptions, transcriptText } from '../../../../formats/transcript/transcript';
import { extensionOf } from '../../files/mediaTypes';
import { TRANSCRIPT_TYPES } from './feedItem';

/** What the outputs under 'Also Return (Subtitles …)' are made from. */
export interface FormatMaterial {
	readonly result: EditResult | undefined;
	readonly options: TranscriptOptions;
	/** The subtitles of the result, divided once for all formats. */
	readonly cues: () => readonly Cue[];
	/** What was done in the edit; undefined if its result states nothing. */
	readonly passport: () => Passport | undefined;
	/** Throws if neither the form nor the result has something that a feed needs. */
	readonly feed: () => FeedDetails;
}

/** A file to be stored. */
interface FormatFile {
	/** What follows the result's name: `.srt`, or `chapters.json` after a hyphen. */
	readonly suffix: string;
	readonly text: string;
	readonly mimeType: string;
}

/** An output as a JSON value and as files. */
export interface FormatOutput {
	readonly value: IDataObject | IDataObject[] | string;
	readonly files: readonly FormatFile[];
}

/** The field of a result that each configuration key makes the service deliver. */
export const TEXT_OPTIONS = {
	transcription: { field: 'transcription', label: 'Transcription' },
	summarize: { field: 'summarization', label: 'Summarize' },
	social_content: { field: 'social_content', label: 'Social Content' },
} as const;

/** One of the outputs under 'Also Return (Subtitles …)'. */
export interface FormatKind {
	/** The option's value, and the name of the field in the output's `formats`. */
	readonly name: string;
	/** The configuration key that makes the service deliver the material; missing if every result has some. */
	readonly configKey?: keyof typeof TEXT_OPTIONS;
	/** What follows the result's name in the name of its file; missing if none has the output as it is. */
	readonly suffix?: string;
	/** Returns undefined where the result has nothing for this output. */
	readonly make: (material: FormatMaterial) => FormatOutput['value'] | undefined;
	/** Files besides that one. */
	readonly moreFiles?: (material: FormatMaterial) => FormatFile[];
}

/** The media types of files by their extension, and that of JSON with chapters. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
	...TRANSCRIPT_TYPES,
	'chapters.json': 'application/json+chapters',
	md: 'text/markdown',
	xml: 'application/xml',
};

/** Everything that can be made of a result, in the order of the output. */
export const FORMAT_KINDS: readonly FormatKind[] = [
	{
		name: 'subtitlesSrt',
		configKey: 'transcription',
		suffix: '.srt',
		make: ({ cues }) => toSrt(cues()),
	},
	{
		name: 'subtitlesVtt',
		configKey: 'transcription',
		suffix: '.vtt',
		make: ({ cues }) => toWebVtt(cues()),
	},
	{
		name: 'transcriptText',
		configKey: 'transcription',
		suffix: 'transcript.txt',
		make: ({ result, options }) => transcriptText(result, options),
	},
	{
		name: 'transcriptJson',
		configKey: 'transcription',
		suffix: 'transcript.json',
		make: ({ cues }) => transcriptJson(cues()),
	},
	{
		name: 'chaptersJson',
		configKey: 'summarize',
		suffix: 'chapters.json',
		make: ({ result }) => jsonChapters(result),
	},
	{
		name: 'chapterList',
		configKey: 'summarize',
		suffix: 'chapters.txt',
		make: ({ result }) => chapterList(result),
	},
	{
		name: 'podloveChapters',
		configKey: 'summarize',
		suffix: 'chapters.xml',
		make: ({ result }) => podloveChapters(result),
	},
	{
		name: 'showNotesMarkdown',
		configKey: 'summarize',
		suffix: 'show-notes.md',
		make: ({ result }) => showNotesMarkdown(result),
	},
	{
		name: 'showNotesHtml',
		configKey: 'summarize',
		suffix: 'show-notes.html',
		make: ({ result }) => showNotesHtml(result),
	},
	{
		name: 'episodeDescription',
		configKey: 'summarize',
		suffix: 'description.txt',
		make: ({ result }) => episodeDescription(result),
	},
	{
		name: 'feedItem',
		configKey: 'summarize',
		suffix: 'feed-item.xml',
		make: ({ result, feed }) => feedItem(result, feed(), soundbitesOf(result)),
	},
	{
		name: 'soundbites',
		configKey: 'transcription',
		suffix: 'soundbites.json',
		make: ({ result }) => soundbiteList(result),
	},
	{
		name: 'passport',
		suffix: 'passport.json',
		make: ({ passport }) => {
			const made = passport();
			return made && { ...made };
		},
		moreFiles: ({ passport }) => {
			const { sentence } = passport() ?? {};
			return sentence === undefined ? [] : [fileOf('passport.txt', `${sentence}\n`)];
		},
	},
	{
		name: 'socialPosts',
		configKey: 'social_content',
		make: ({ result }) => socialPosts(result),
		moreFiles: ({ result }) => filesOfPosts(result),
	},
];

function soundbiteList(result: EditResult | undefined): IDataObject[] | undefined {
	const found = soundbitesOf(result);
	return found.length === 0 ? undefined : found.map((one) => ({ ...one }));
}

/** Makes an output, with its files. If its value is not a text, the file has it as JSON. */
export function makeFormat(kind: FormatKind, material: FormatMaterial): FormatOutput | undefined {
	const value = kind.make(material);
	if (value === undefined) return undefined;
	const text = typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`;
	const own = kind.suffix === undefined ? [] : [fileOf(kind.suffix, text)];
	return { value, files: [...own, ...(kind.moreFiles?.(material) ?? [])] };
}

function fileOf(suffix: string, text: string): FormatFile {
	return { suffix, text, mimeType: MEDIA_TYPES[suffix] ?? MEDIA_TYPES[extensionOf(suffix)] };
}

/** The pieces go to different places, so each is its own file. Hyphens separate the posts of a thread. */
function filesOfPosts(result: EditResult | undefined): FormatFile[] {
	const { newsletter, linkedIn, thread } = socialPosts(result) ?? {};
	const texts: ReadonlyArray<readonly [suffix: string, text: string | undefined]> = [
		['newsletter.md', newsletter],
		['linkedin.txt', linkedIn],
		['thread.txt', thread?.join('\n\n---\n\n')],
	];
	return texts.flatMap(([suffix, text]) =>
		text === undefined ? [] : [fileOf(suffix, `${text}\n`)],
	);
}
