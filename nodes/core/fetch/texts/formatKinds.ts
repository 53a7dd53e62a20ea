import type { IDataObject } from 'n8n-workflow';

import type { EditResult } from '../../../../api/contract';
import { chapterList, jsonChapters } from '../../../../formats/notes/chapters';
import { episodeDescription } from '../../../../formats/notes/episodeDescription';
import { type FeedDetails, feedItem } from '../../../../formats/feed/feedItem';
import { podloveChapters } from '../../../../formats/notes/podloveChapters';
import { showNotesHtml, showNotesMarkdown } from '../../../../formats/notes/showNotes';
import { socialPosts } from '../../../../formats/notes/socialPosts';
import { soundbitesOf } from '../../../../formats/feed/soundbites';
import { type Cue, toSrt, toWebVtt } from '../../../../formats/transcript/subtitles';
import { transcriptJson } from '../../../../formats/transcript/transcriptJson';
import { type TranscriptOptions, transcriptText } from '../../../../formats/transcript/transcript';
import { extensionOf } from '../../files/mediaTypes';
import { TRANSCRIPT_TYPES } from './feedItem';

/** What the outputs under 'Also Return' are made from. */
interface FormatMaterial {
	readonly result: EditResult | undefined;
	readonly options: TranscriptOptions;
	/** The subtitles of the result, divided once for all formats. */
	readonly cues: () => readonly Cue[];
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
interface FormatOutput {
	readonly value: IDataObject | IDataObject[] | string;
	readonly files: readonly FormatFile[];
}

/** The field of a result that each configuration key makes the service deliver. */
export const TEXT_OPTIONS = {
	transcription: { field: 'transcription', label: 'Transcription' },
	summarize: { field: 'summarization', label: 'Summarize' },
	social_content: { field: 'social_content', label: 'Social Content' },
} as const;

/** One of the outputs under 'Also Return'. */
export interface FormatKind {
	/** The option's value, and the name of the field in the output's `formats`. */
	readonly name: string;
	/** The configuration key that makes the service deliver the material. */
	readonly configKey: keyof typeof TEXT_OPTIONS;
	/** Returns undefined where the result has nothing for this output. */
	readonly make: (material: FormatMaterial) => FormatOutput | undefined;
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
	kind('subtitlesSrt', 'transcription', '.srt', ({ cues }) => toSrt(cues())),
	kind('subtitlesVtt', 'transcription', '.vtt', ({ cues }) => toWebVtt(cues())),
	kind('transcriptText', 'transcription', 'transcript.txt', ({ result, options }) =>
		transcriptText(result, options),
	),
	kind('transcriptJson', 'transcription', 'transcript.json', ({ cues }) => transcriptJson(cues())),
	kind('chaptersJson', 'summarize', 'chapters.json', ({ result }) => jsonChapters(result)),
	kind('chapterList', 'summarize', 'chapters.txt', ({ result }) => chapterList(result)),
	kind('podloveChapters', 'summarize', 'chapters.xml', ({ result }) => podloveChapters(result)),
	kind('showNotesMarkdown', 'summarize', 'show-notes.md', ({ result }) =>
		showNotesMarkdown(result),
	),
	kind('showNotesHtml', 'summarize', 'show-notes.html', ({ result }) => showNotesHtml(result)),
	kind('episodeDescription', 'summarize', 'description.txt', ({ result }) =>
		episodeDescription(result),
	),
	kind('feedItem', 'summarize', 'feed-item.xml', ({ result, feed }) =>
		feedItem(result, feed(), soundbitesOf(result)),
	),
	kind('soundbites', 'transcription', 'soundbites.json', ({ result }) => {
		const found = soundbitesOf(result);
		return found.length === 0 ? undefined : found.map((one) => ({ ...one }));
	}),
	{ name: 'socialPosts', configKey: 'social_content', make: makeSocialPosts },
];

/** An output in one file. If its value is not a text, the file has it as JSON. */
function kind(
	name: string,
	configKey: FormatKind['configKey'],
	suffix: string,
	makeValue: (material: FormatMaterial) => FormatOutput['value'] | undefined,
): FormatKind {
	const make = (material: FormatMaterial) => {
		const value = makeValue(material);
		if (value === undefined) return undefined;
		const text = typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`;
		return { value, files: [fileOf(suffix, text)] };
	};
	return { name, configKey, make };
}

function fileOf(suffix: string, text: string): FormatFile {
	return { suffix, text, mimeType: MEDIA_TYPES[suffix] ?? MEDIA_TYPES[extensionOf(suffix)] };
}

/** The pieces go to different places, so each is its own file. Hyphens separate the posts of a thread. */
function makeSocialPosts({ result }: FormatMaterial): FormatOutput | undefined {
	const value = socialPosts(result);
	if (value === undefined) return undefined;
	const texts: ReadonlyArray<readonly [suffix: string, text: string | undefined]> = [
		['newsletter.md', value.newsletter],
		['linkedin.txt', value.linkedIn],
		['thread.txt', value.thread?.join('\n\n---\n\n')],
	];
	const files = texts.flatMap(([suffix, text]) =>
		text === undefined ? [] : [fileOf(suffix, `${text}\n`)],
	);
	return { value, files };
}
