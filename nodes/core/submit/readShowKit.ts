import { type EditConfig, isWebUrl } from '../../../api/contract';
import { sanitizeText, withoutSecrets } from '../../../api/sanitizeText';
import type { KitPart, KitPlace } from '../config/showKit';
import { fileIdentity } from '../files/fileIdentity';
import { isNotMedia, ownFileName } from '../files/mediaTypes';
import { fieldError } from '../form/fieldError';
import { labelOfGroup } from '../form/optionGroups';
import { readAmount } from '../form/parameters';
import type { Form } from '../form/values';
import type { NodeRun } from '../run/nodeRun';
import { listed, MAX_NAMED, readText } from '../texts';
import { directLink } from './shareLinks';

/**
 * Reads the options for the files of a show; undefined if there are none.
 *
 * @throws NodeOperationError if one is neither a URL nor a file of the item, or its place is missing
 */
export function readShowKit(run: NodeRun, form: Form): readonly KitPart[] | undefined {
	const { itemIndex, options } = form;
	const parts: KitPart[] = [];
	if ('intro' in options) {
		parts.push(partOf(run, form, 'Intro', options.intro, { key: 'intro' }));
	}
	for (const row of options.inserts?.insert ?? []) {
		const { place = 'seconds', seconds, chapter } = row;
		const at =
			place === 'chapter'
				? { at_chapter: readChapter(run, itemIndex, chapter) }
				: { at_seconds: readAmount(run, itemIndex, 'Seconds', seconds ?? 0) };
		parts.push(partOf(run, form, 'Inserts', row.file, { key: 'inserts', at }));
	}
	if ('outro' in options) {
		parts.push(partOf(run, form, 'Outro', options.outro, { key: 'outro' }));
	}
	return parts.length > 0 ? parts : undefined;
}

function readChapter(run: NodeRun, itemIndex: number, value: unknown): number | string {
	const text = readText(value).trim();
	if (text === '') {
		const message = "'Chapter' of an insert is empty";
		throw fieldError(run, itemIndex, message, 'Enter the number of the chapter, or its title.');
	}
	return /^[1-9]\d*$/.test(text) ? Number(text) : text;
}

function partOf(
	run: NodeRun,
	{ itemIndex, options }: Form,
	label: string,
	value: unknown,
	place: KitPlace,
): KitPart {
	const refuse = (what: string, advice: string) =>
		fieldError(run, itemIndex, `'${label}' ${what}`, advice);
	const text = readText(value).trim();
	if (text === '') throw refuse('is empty', 'Enter a URL or the name of a field, or remove it.');
	if (isWebUrl(text)) {
		const link = directLink(text);
		if (!link.ok && options.sendPageLinks !== true) {
			const what = `is a link to a web page, not to a file: '${sanitizeText(text)}' ${link.reason}`;
			throw refuse(what, link.advice);
		}
		const url = link.ok ? link.url : text;
		return { label, place, url, identity: [withoutSecrets(url)] };
	}
	const fields = Object.keys(run.items[itemIndex].binary ?? {});
	if (run.isTool || !fields.includes(text)) {
		const names = fields.length > 0 ? listed(fields, MAX_NAMED) : 'none';
		const advice = run.isTool
			? 'An agent cannot pass files to its tools: enter a URL.'
			: `Enter a URL, or the name of a field of the item with a file. Its fields: ${names}.`;
		throw refuse(
			`is neither a URL nor a field of the item with a file: '${sanitizeText(text)}'`,
			advice,
		);
	}
	const binary = run.items[itemIndex].binary![text];
	const fileName = ownFileName(binary);
	if (isNotMedia(binary.mimeType, fileName)) {
		const what = `is a file that is not audio or video: '${sanitizeText(fileName)}'`;
		throw refuse(what, 'Choose the field with a recording, or remove it.');
	}
	return { label, place, field: text, identity: fileIdentity(text, binary) };
}

/** Refuses files of a show where the service would, before anything is uploaded. */
export function refuseKit(
	run: NodeRun,
	itemIndex: number,
	kit: readonly KitPart[] | undefined,
	{ config, hasTemplate, tracks }: { config: EditConfig; hasTemplate: boolean; tracks: number },
): void {
	if (kit === undefined) return;
	const group = labelOfGroup('introAndOutro');
	if (config.video === true) {
		const message = `${group} is for sound, but the picture of this video is kept`;
		const advice = `Set 'Picture' to 'Sound Only', or remove the options under ${group}.`;
		throw fieldError(run, itemIndex, message, advice);
	}
	if (tracks > 1 && config.merge !== true && !hasTemplate) {
		const message = `${group} needs one file, but each track would be returned by itself`;
		const advice = `Switch on 'Merge Tracks', or remove the options under ${group}.`;
		throw fieldError(run, itemIndex, message, advice);
	}
}
