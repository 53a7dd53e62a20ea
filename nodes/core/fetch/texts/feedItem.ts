import type { IBinaryData } from 'n8n-workflow';

import { type EditResult, isWebUrl } from '../../../../api/contract';
import { withoutSecrets } from '../../../../api/sanitizeText';
import { systemTime } from '../../../../api/time';
import type { FeedDetails } from '../../../../formats/feed/feedItem';
import { languageCode } from '../../../../formats/tags/languageCode';
import type { Passport, PassportDetails } from '../../../../formats/passport/passport';
import { DATE_ADVICE, readDate } from '../../form/dates';
import { extensionOf, mediaTypeOf, nameInUrl } from '../../files/mediaTypes';
import { fieldError } from '../../form/fieldError';
import { readAmount } from '../../form/parameters';
import type { AlternateFileRow, FeedItemFields, Form } from '../../form/values';
import { readText } from '../../texts';
import type { NodeRun } from '../../run/nodeRun';

/** What the form says about a feed item; what it leaves open comes from the result. */
export type FeedForm = Partial<
	Omit<FeedDetails, 'audio' | 'durationSeconds' | 'people' | 'madeWith'>
> &
	Pick<FeedDetails, 'transcripts' | 'alternates'> & {
		readonly audioUrl?: string;
		/** Whether the item says what was edited. */
		readonly hasPassport: boolean;
	};

/** The types of transcripts by their extensions, from the Podcasting 2.0 page "Transcript". */
export const TRANSCRIPT_TYPES: Readonly<Record<string, string>> = {
	html: 'text/html',
	json: 'application/json',
	srt: 'application/x-subrip',
	txt: 'text/plain',
	vtt: 'text/vtt',
};

/**
 * Reads the collection 'Feed Item'.
 *
 * @throws NodeOperationError for an invalid URL, number or date
 */
export function readFeedItem(run: NodeRun, { itemIndex, fields }: Form): FeedForm {
	const { feedItem: form = {}, feedExtras: more = {} } = fields;
	const text = (name: keyof FeedItemFields) => readText(form[name]).trim() || undefined;
	const refused = (message: string, advice: string) => fieldError(run, itemIndex, message, advice);
	const checkedUrl = (label: string, url: string) => {
		if (isWebUrl(url)) return url;
		const message = `'${label}' is not an http or https URL: ${withoutSecrets(url)}`;
		throw refused(message, 'Enter a URL that begins with https://.');
	};
	const url = (label: string, name: keyof FeedItemFields) => {
		const value = text(name);
		return value === undefined ? undefined : checkedUrl(label, value);
	};
	const amount = (label: string, name: keyof FeedItemFields) =>
		(form[name] ?? undefined) === undefined
			? undefined
			: readAmount(run, itemIndex, label, form[name]) || undefined;
	const transcripts = (text('transcriptUrls') ?? '').split(/\s+/).filter(Boolean);
	const language = readLanguage(run, itemIndex, more.language);
	return {
		audioUrl: url('Audio URL', 'audioUrl'),
		chaptersUrl: url('Chapters URL', 'chaptersUrl'),
		episodeNumber: amount('Episode Number', 'episodeNumber'),
		episodeType: text('episodeType'),
		isExplicit: form.isExplicit,
		guid: text('guid'),
		imageUrl: url('Image URL', 'imageUrl'),
		pageUrl: url('Page URL', 'pageUrl'),
		publishedAtMs: readPublishDate(run, itemIndex, form.publishedAt),
		seasonNumber: amount('Season Number', 'seasonNumber'),
		title: text('title'),
		transcripts: transcripts.map((one) => {
			const type = TRANSCRIPT_TYPES[extensionOf(nameInUrl(checkedUrl('Transcript URLs', one)))];
			if (type !== undefined) return { url: one, type, language };
			const known = Object.keys(TRANSCRIPT_TYPES).join(', ');
			const message = `'Transcript URLs' has a URL that is not a transcript: ${one}`;
			throw refused(message, `Enter URLs that end with ${known}.`);
		}),
		alternates: (more.alternateFiles?.file ?? []).map((file) => ({
			...readAlternate(
				run,
				itemIndex,
				checkedUrl('Alternate Files', readText(file.url).trim()),
				file,
			),
			language,
		})),
		hasPassport: more.statePassport === true,
	};
}

/** Another file of the same episode, such as one in another format. */
function readAlternate(
	run: NodeRun,
	itemIndex: number,
	url: string,
	{ sizeBytes, title }: AlternateFileRow,
): FeedDetails['alternates'][number] {
	const mediaType = mediaTypeOf(extensionOf(nameInUrl(url)));
	const label = 'Size (Bytes)';
	const size = (sizeBytes ?? '') === '' ? 0 : readAmount(run, itemIndex, label, sizeBytes);
	if (/^(audio|video)\//.test(mediaType)) {
		return { url, mediaType, sizeBytes: Math.round(size), title: readText(title).trim() };
	}
	const message = `'Alternate Files' has a URL that does not end like an audio or video file: ${withoutSecrets(url)}`;
	const advice = 'Enter URLs that end with the extension of the file, such as .opus.';
	throw fieldError(run, itemIndex, message, advice);
}

/** A language as feeds have it, such as `pt-BR`; undefined if the field is empty. */
function readLanguage(run: NodeRun, itemIndex: number, value: unknown): string | undefined {
	const text = readText(value).trim();
	if (text === '') return undefined;
	// JavaScript takes `english` for a code of its own.
	const [code] = languageCode(text) === undefined ? [] : canonicalLocales(text);
	if (code !== undefined) return code;
	const message = `'Language' is not a language code: '${text}'`;
	throw fieldError(run, itemIndex, message, 'Enter a code such as en or pt-BR.');
}

function canonicalLocales(text: string): string[] {
	try {
		return Intl.getCanonicalLocales(text.replace(/_/g, '-'));
	} catch {
		return [];
	}
}

/** When the episode is published: on a day at least. */
function readPublishDate(run: NodeRun, itemIndex: number, value: unknown): number | undefined {
	const label = 'Publish Date';
	const date = readDate(run, itemIndex, label, value);
	if (date === undefined || !/^\d{4}(-?\d{2})?$/.test(date.text)) return date?.dateTime.toMillis();
	throw fieldError(run, itemIndex, `'${label}' has no day: ${date.text}`, DATE_ADVICE);
}

/** A result whose texts are wanted. */
export interface EditedTexts {
	readonly editId: string;
	/** With the names of its speakers. */
	readonly result: EditResult | undefined;
	/** The same as the service sent it. */
	readonly received: EditResult | undefined;
	/** The length of the edited file, if it is known. */
	readonly durationSeconds?: number;
	/** The lengths in seconds that were read from the recording and the edited file. */
	readonly lengths: Pick<PassportDetails, 'beforeSeconds' | 'afterSeconds'>;
	/** The edited file as n8n has stored it, with its new tags; missing if n8n does not have it. */
	readonly edited?: IBinaryData;
}

/** The same with a feed item. */
interface Published extends EditedTexts, Pick<FeedDetails, 'people'> {
	readonly baseName: string;
	/** What was done in the edit. */
	readonly passport: () => Passport | undefined;
}

/**
 * The details of an edit's feed item. Adds hints for what is missing or will expire.
 *
 * @throws Error if there is no URL for the audio
 */
export function feedDetails(
	run: NodeRun,
	{ audioUrl, hasPassport, ...form }: FeedForm,
	{ editId, result, baseName, edited, durationSeconds, people, passport }: Published,
): FeedDetails {
	const link = [result?.download_url ?? ''].find(isWebUrl);
	const url = audioUrl ?? link;
	if (url === undefined) throw new Error("'Audio URL' under 'Feed Item' is empty");
	const subject = `edit ${editId}`;
	if (audioUrl === undefined) {
		const advice = "Set 'Audio URL' under 'Feed Item' to where you publish the edited file.";
		run.hints.add(`the feed item has the service's link, which expires. ${advice}`, subject);
	}
	const sizeBytes = edited?.bytes ?? 0;
	if (sizeBytes === 0) {
		const why = "because n8n does not have the edited file. Choose 'Edited File' under 'Download'.";
		run.hints.add(`the feed item does not state the size of the audio, ${why}`, subject);
	}
	const extension = extensionOf(result?.filename ?? '') || extensionOf(nameInUrl(url));
	const mediaType = edited?.mimeType ?? mediaTypeOf(extension);
	return {
		...form,
		title: form.title ?? (result?.summarization?.title || baseName),
		guid: form.guid ?? editId,
		publishedAtMs: form.publishedAtMs ?? systemTime.timeOfDay(),
		audio: { url, sizeBytes, mediaType },
		durationSeconds,
		people,
		...(hasPassport && { madeWith: passport()?.sentence }),
	};
}
