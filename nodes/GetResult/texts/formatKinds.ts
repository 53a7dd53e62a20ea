import type { IDataObject } from 'n8n-workflow';

import type { EditResult } from '../../../api/contract';
import { chapterList, jsonChapters } from '../../../formats/notes/chapters';
import { episodeDescription } from '../../../formats/notes/episodeDescription';
import { type FeedDetails, feedItem } from '../../../formats/feed/feedItem';
import { podloveChapters } from '../../../formats/notes/podloveChapters';
import { showNotesHtml, showNotesMarkdown } from '../../../formats/notes/showNotes';
import { socialPosts } from '../../../formats/notes/socialPosts';
import { soundbitesOf } from '../../../formats/feed/soundbites';
import { type Cue, toSrt, toWebVtt } from '../../../formats/transcript/subtitles';
import { transcriptJson } from '../../../formats/transcript/transcriptJson';
import { type TranscriptOptions, transcriptText } from '../../../formats/transcript/transcript';

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

/** Everything that can be made of a result, in the order of the output. */
export const FORMAT_KINDS: readonly FormatKind[] = [
	textKind('subtitlesSrt', 'transcription', '.srt', 'application/x-subrip', ({ cues }) =>
		toSrt(cues()),
	),
	textKind('subtitlesVtt', 'transcription', '.vtt', 'text/vtt', ({ cues }) => toWebVtt(cues())),
	textKind('transcriptText', 'transcription', 'transcript.txt', 'text/plain', (material) =>
		transcriptText(material.result, material.options),
	),
	jsonKind('transcriptJson', 'transcription', 'transcript.json', 'application/json', ({ cues }) =>
		transcriptJson(cues()),
	),
	jsonKind(
		'chaptersJson',
		'summarize',
		'chapters.json',
		'application/json+chapters',
		({ result }) => jsonChapters(result),
	),
	textKind('chapterList', 'summarize', 'chapters.txt', 'text/plain', ({ result }) =>
		chapterList(result),
	),
	textKind('podloveChapters', 'summarize', 'chapters.xml', 'application/xml', ({ result }) =>
		podloveChapters(result),
	),
	textKind('showNotesMarkdown', 'summarize', 'show-notes.md', 'text/markdown', ({ result }) =>
		showNotesMarkdown(result),
	),
	textKind('showNotesHtml', 'summarize', 'show-notes.html', 'text/html', ({ result }) =>
		showNotesHtml(result),
	),
	textKind('episodeDescription', 'summarize', 'description.txt', 'text/plain', ({ result }) =>
		episodeDescription(result),
	),
	textKind('feedItem', 'summarize', 'feed-item.xml', 'application/xml', ({ result, feed }) =>
		feedItem(result, feed(), soundbitesOf(result)),
	),
	jsonKind('soundbites', 'transcription', 'soundbites.json', 'application/json', ({ result }) => {
		const found = soundbitesOf(result);
		return found.length === 0 ? undefined : found.map((one) => ({ ...one }));
	}),
	{ name: 'socialPosts', configKey: 'social_content', make: makeSocialPosts },
];

function textKind(
	name: string,
	configKey: FormatKind['configKey'],
	suffix: string,
	mimeType: string,
	makeText: (material: FormatMaterial) => string | undefined,
): FormatKind {
	const make = (material: FormatMaterial) => {
		const text = makeText(material);
		return text === undefined ? undefined : { value: text, files: [{ suffix, text, mimeType }] };
	};
	return { name, configKey, make };
}

function jsonKind(
	name: string,
	configKey: FormatKind['configKey'],
	suffix: string,
	mimeType: string,
	makeValue: (material: FormatMaterial) => IDataObject | IDataObject[] | undefined,
): FormatKind {
	const make = (material: FormatMaterial) => {
		const value = makeValue(material);
		if (value === undefined) return undefined;
		return {
			value,
			files: [{ suffix, text: `${JSON.stringify(value, undefined, 2)}\n`, mimeType }],
		};
	};
	return { name, configKey, make };
}

/** The pieces go to different places, so each is its own file. Hyphens separate the posts of a thread. */
function makeSocialPosts({ result }: FormatMaterial): FormatOutput | undefined {
	const value = socialPosts(result);
	if (value === undefined) return undefined;
	const file = (suffix: string, mimeType: string, text: string | undefined) =>
		text === undefined ? [] : [{ suffix, mimeType, text: `${text}\n` }];
	const files = [
		...file('newsletter.md', 'text/markdown', value.newsletter),
		...file('linkedin.txt', 'text/plain', value.linkedIn),
		...file('thread.txt', 'text/plain', value.thread?.join('\n\n---\n\n')),
	];
	return { value, files };
}
