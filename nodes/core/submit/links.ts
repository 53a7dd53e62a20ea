import { isWebUrl } from '../../../api/contract';
import { sanitizeText, withoutSecrets } from '../../../api/sanitizeText';
import { MEDIA_EXTENSIONS, extensionOf, isNotMediaExtension, nameInUrl } from '../files/mediaTypes';
import { fieldError } from '../form/fieldError';
import { labelOfGroup } from '../form/optionGroups';
import { adviceOn, givenOrInherited } from '../form/parameters';
import type { Form } from '../form/values';
import type { RequestHint } from './prepareEdit';
import { type DirectLink, directLink } from './shareLinks';
import type { NodeRun } from '../run/nodeRun';

/**
 * The files of one item: one URL, several separated by white space or commas, or a list from an
 * expression. Share links become direct links.
 *
 * @throws NodeOperationError for a link under which the service would find no recording
 */
export function readLinks(run: NodeRun, form: Form): DirectLink[] {
	const refusal = (what: string, advice: string) =>
		fieldError(run, form.itemIndex, `'File URLs' ${what}`, advice);
	const value = givenOrInherited(run, form, 'fileUrls', 'fileUrls', 'fileUrl');
	const texts = (Array.isArray(value) ? value : [value]).map(readFileUrl);
	const urls = texts.flatMap((text) => text.split(/\s+|,(?=\s*https?:)/i)).filter(Boolean);
	if (urls.length === 0) {
		throw refusal(
			'is empty',
			adviceOn(run, {
				name: 'fileUrls',
				label: 'File URLs',
				inWorkflow:
					"Enter the URL of a public file, or let an Audio Editing Upload node before this one upload the file. If the field is empty, the node uses 'fileUrls' or 'fileUrl' of the input item.",
				forModel: 'Pass the URL of the audio or video file.',
			}),
		);
	}
	const wrong = urls.find((url) => !isWebUrl(url));
	if (wrong !== undefined) {
		throw refusal(
			`contains something that is not an http or https URL: '${sanitizeText(withoutSecrets(wrong)).slice(0, 100)}'`,
			'Upload a file on your disk or in n8n first. Spaces separate several URLs, so write a space inside a URL as %20.',
		);
	}
	const other = urls.find(isNotMedia);
	if (other !== undefined) {
		throw refusal(
			`leads to a file that is not audio or video: '${sanitizeText(nameInUrl(other))}'`,
			'The edit would end in FAILURE, and might be charged. Enter the URL of a recording.',
		);
	}
	run.fileUrls.set(form.itemIndex, urls);
	const sendsPages = form.options.sendPageLinks === true;
	return urls.map((url) => {
		const link = directLink(url);
		if (link.ok) return link;
		if (sendsPages) return { ok: true, url, message: 'A link to a web page, sent anyway.' };
		const what = `contains a link to a web page, not to a file: '${sanitizeText(url)}' ${link.reason}`;
		const orSend = `If the service takes such pages, switch on 'Send Page Links Anyway' under ${labelOfGroup('costAndSafety')}.`;
		throw refusal(what, `${link.advice} ${orSend}`);
	});
}

/** The hints about links that were changed. */
export function linkHints(links: readonly DirectLink[]): RequestHint[] {
	return links.flatMap(({ url, message }) => (message ? [{ message, file: nameInUrl(url) }] : []));
}

/** Whether the name at the end of a URL is not that of a recording, nor any name in its query. */
function isNotMedia(url: string): boolean {
	if (!isNotMediaExtension(extensionOf(nameInUrl(url)))) return false;
	const named = [...new URL(url).searchParams.values()].map((value) => value.replace(/"$/, ''));
	return !named.some((name) => MEDIA_EXTENSIONS.includes(extensionOf(name)));
}

/** The text of a URL, which may also come as an output item of Upload. What is no text is no URL either. */
function readFileUrl(entry: unknown): string {
	const isItem = typeof entry === 'object' && entry !== null && 'fileUrl' in entry;
	const url: unknown = (isItem ? entry.fileUrl : entry) ?? '';
	return typeof url === 'string' ? url : JSON.stringify(url);
}
