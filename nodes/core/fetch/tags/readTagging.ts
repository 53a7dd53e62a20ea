import type { IDataObject } from 'n8n-workflow';

import { isWebUrl } from '../../../../api/contract';
import type {
	EmbeddedChapter,
	EpisodeTags,
	ExistingTags,
} from '../../../../formats/tags/episodeTags';
import { languageCode } from '../../../../formats/tags/languageCode';
import { onOneLine, usableSeconds } from '../../../../formats/values';
import { readDate } from '../../form/dates';
import { fieldError } from '../../form/fieldError';
import { readJson } from '../../form/parameters';
import type { Form, TagFields } from '../../form/values';
import { readText } from '../../texts';
import type { NodeRun } from '../../run/nodeRun';

/** What to write into the edited file of an item. */
export interface Tagging {
	readonly tags: EpisodeTags;
	readonly existing: ExistingTags;
	/** Whether title and description come from the summary if they are not set. */
	readonly fillsFromSummary: boolean;
	/** Where the cover is, if there is one. */
	readonly cover?: { readonly field: string } | { readonly url: string };
	/** The chapters, or that they come from the summary. Missing if there are none to embed. */
	readonly chapters?: 'summary' | readonly EmbeddedChapter[];
}

/** A year, a month, a day or a time without a zone, as ID3 writes it; seconds have no fractions there. */
const ID3_DATE = /^(\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2})?)?)?)?)(\.\d+)?$/;

/**
 * What the form asks to write into the edited file.
 *
 * @returns undefined if nothing is to be written
 * @throws NodeOperationError for a value that cannot be written
 */
export function readTagging(run: NodeRun, form: Form): Tagging | undefined {
	const { itemIndex, options } = form;
	const { writeTags: fields = {} } = options;
	const chapters = readChapters(run, form);
	if (Object.keys(fields).length === 0 && chapters === undefined) return undefined;
	const read = { run, itemIndex, fields };
	return {
		tags: {
			title: lineOf(fields.title),
			author: lineOf(fields.author),
			show: lineOf(fields.show),
			description: readText(fields.description).trim() || undefined,
			episodeNumber: readNumber(read, 'episodeNumber', 'Episode Number'),
			season: readNumber(read, 'season', 'Season Number'),
			date: tagDate(read),
			language: readLanguage(read),
		},
		existing: fields.existing ?? 'keep',
		fillsFromSummary: fields.fillFromSummary === true,
		cover: readCover(read),
		chapters,
	};
}

interface Fields {
	readonly run: NodeRun;
	readonly itemIndex: number;
	readonly fields: TagFields;
}

function lineOf(value: unknown): string | undefined {
	return onOneLine(readText(value)) || undefined;
}

function readNumber({ run, itemIndex, fields }: Fields, name: keyof TagFields, label: string) {
	const value = fields[name] ?? '';
	if (value === '') return undefined;
	const number = Number(value);
	if (Number.isSafeInteger(number) && number >= 0) return number;
	const advice = 'Enter a whole number, or leave it empty.';
	throw fieldError(run, itemIndex, `'${label}' must be a whole number of 0 or more`, advice);
}

/** A date as ID3 has it: as it was written without a zone, otherwise in UTC. */
function tagDate({ run, itemIndex, fields }: Fields): string | undefined {
	const date = readDate(run, itemIndex, 'Date', fields.date);
	const asWritten = ID3_DATE.exec(date?.text ?? '')?.[1];
	return asWritten ?? date?.dateTime.toUTC().toISO()?.slice(0, 19);
}

function readLanguage({ run, itemIndex, fields }: Fields): string | undefined {
	const text = readText(fields.language).trim();
	const code = languageCode(text);
	if (text === '' || code !== undefined) return code;
	const advice = 'Enter a code such as en, pt-BR or eng.';
	throw fieldError(run, itemIndex, `'Language' is not a known code: '${text}'`, advice);
}

function readCover({ run, itemIndex, fields }: Fields): Tagging['cover'] {
	const field = readText(fields.coverField).trim();
	const url = readText(fields.coverUrl).trim();
	if (field !== '') {
		const { binary = {} } = run.items[itemIndex];
		if (Object.hasOwn(binary, field)) return { field };
		const advice = "Enter the name of an input field that has a picture, or use 'Cover URL'.";
		throw fieldError(run, itemIndex, `The item has no file in the input field '${field}'`, advice);
	}
	if (url === '' || isWebUrl(url)) return url === '' ? undefined : { url };
	const advice = 'Enter the public URL of a picture.';
	throw fieldError(run, itemIndex, "'Cover URL' is not an http or https URL", advice);
}

function readChapters(run: NodeRun, { itemIndex, options }: Form): Tagging['chapters'] {
	const { embedChapters: source, chaptersList, chaptersJson = [] } = options;
	if (source === 'summary') return 'summary';
	if (source === 'list') {
		return chaptersOf(run, itemIndex, 'Chapters to Embed', chaptersList?.chapter);
	}
	if (source !== 'json') return undefined;
	const label = 'Chapters to Embed (JSON)';
	const json = readJson(run, itemIndex, label, chaptersJson) as IDataObject | null;
	return chaptersOf(run, itemIndex, label, Array.isArray(json) ? json : json?.chapters);
}

/** The chapters of a list. Their start is `startTime`, `startSeconds` or `start`, in seconds. */
function chaptersOf(run: NodeRun, itemIndex: number, label: string, listed: unknown) {
	const entries = Array.isArray(listed) ? (listed as Array<IDataObject | null>) : [];
	const read = entries.map((entry) => chapterOf(entry ?? {}));
	const chapters = read.filter((chapter) => chapter !== undefined);
	if (chapters.length > 0 && chapters.length === entries.length) return chapters;
	const message =
		entries.length === 0
			? `'${label}' contains no chapters`
			: `Chapter ${read.indexOf(undefined) + 1} in '${label}' lacks a title or a start in seconds`;
	const advice = "Give each chapter a title and a start, or remove 'Embed Chapters'.";
	throw fieldError(run, itemIndex, message, advice);
}

function chapterOf(entry: IDataObject): EmbeddedChapter | undefined {
	const title = lineOf(entry.title);
	const startSeconds = secondsOf(entry.startTime ?? entry.startSeconds ?? entry.start);
	if (title === undefined || startSeconds === undefined) return undefined;
	const url = readText(entry.url).trim();
	const imageUrl = readText(entry.img ?? entry.imageUrl).trim();
	return {
		title,
		startSeconds,
		endSeconds: secondsOf(entry.endTime ?? entry.endSeconds ?? entry.end),
		...(isWebUrl(url) && { url: new URL(url).href }),
		...(isWebUrl(imageUrl) && { imageUrl: new URL(imageUrl).href }),
	};
}

function secondsOf(value: unknown): number | undefined {
	const text = readText(value).trim();
	return text === '' ? undefined : usableSeconds(Number(text));
}
