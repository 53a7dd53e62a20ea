import type { IDataObject } from 'n8n-workflow';

import type { EditResult } from '../../api/contract';
import { chapterList, jsonChapters } from '../../formats/chapters';
import { showNotesHtml, showNotesMarkdown } from '../../formats/showNotes';
import { socialPosts } from '../../formats/socialPosts';
import { type Cue, toSrt, toWebVtt } from '../../formats/subtitles';
import { type TranscriptOptions, transcriptText } from '../../formats/transcript';

/** What the outputs under 'Also Return' are made from. */
interface FormatMaterial {
	readonly result: EditResult | undefined;
	readonly options: TranscriptOptions;
	/** The subtitles of the result, divided once for all formats. */
	readonly cues: () => readonly Cue[];
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
	readonly value: IDataObject | string;
	readonly files: readonly FormatFile[];
}

/** The field of a result that each configuration key makes the service deliver. */
export const RESULT_FIELDS = {
	transcription: 'transcription',
	summarize: 'summarization',
	social_content: 'social_content',
} as const;

/** One of the outputs under 'Also Return'. */
export interface FormatKind {
	/** The option's value, and the name of the field in the output's `formats`. */
	readonly name: string;
	/** The configuration key that makes the service deliver the material. */
	readonly configKey: keyof typeof RESULT_FIELDS;
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
	{ name: 'chaptersJson', configKey: 'summarize', make: makeJsonChapters },
	textKind('chapterList', 'summarize', 'chapters.txt', 'text/plain', ({ result }) =>
		chapterList(result),
	),
	textKind('showNotesMarkdown', 'summarize', 'show-notes.md', 'text/markdown', ({ result }) =>
		showNotesMarkdown(result),
	),
	textKind('showNotesHtml', 'summarize', 'show-notes.html', 'text/html', ({ result }) =>
		showNotesHtml(result),
	),
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

function makeJsonChapters({ result }: FormatMaterial): FormatOutput | undefined {
	const value = jsonChapters(result);
	if (value === undefined) return undefined;
	const text = `${JSON.stringify(value, undefined, 2)}\n`;
	const mimeType = 'application/json+chapters';
	return { value, files: [{ suffix: 'chapters.json', text, mimeType }] };
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
