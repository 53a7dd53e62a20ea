import { DurationReader } from '../../../formats/duration/durationReader';
import type { Client } from '../../../api/client';
import { COMMON_EXTENSIONS } from '../../../api/contract';
import { type RequestFailure, type Result, success } from '../../../api/failure';
import { backoffMs, isTransient } from '../../../api/retry';
import { withoutSecrets } from '../../../api/sanitizeText';
import { systemTime } from '../../../api/time';
import { LINK_VALIDITY_HOURS } from './fields';
import { signLink } from './signedLink';
import { type ChosenFiles, type Source, missingFile } from './source';
import { valueOrThrow } from '../errors/errors';
import { extensionOf } from '../files/mediaTypes';
import { watchReading } from '../files/watchReading';
import { fieldError } from '../form/fieldError';
import { readAmount } from '../form/parameters';
import type { Form } from '../form/values';
import { kitTextsIn } from '../config/showKit';
import { readText } from '../texts';
import type { NodeRun } from '../run/nodeRun';

/** After a broken transfer we request a new signed URL and start again, up to this many transfers. */
const MAX_TRANSFERS = 3;

/** Which files of an item to upload, and how. */
export interface UploadOptions extends ChosenFiles {
	/** How long a link to n8n's copy is valid, in hours, if the service gets that instead of the file. */
	readonly linkValidHours?: number;
	/** Whether the length of each file is read while it is sent. */
	readonly readsDuration?: boolean;
	/** Whether the item has other files to send, so that an error says which one failed. */
	readonly isOneOf?: boolean;
}

/** A file that the service has or can fetch. */
export type UploadedFile = Pick<
	Source,
	'fileName' | 'sourceFileName' | 'sizeBytes' | 'contentType'
> & {
	readonly fileUrl: string;
	/** Its length in seconds, if that was read and the file tells. */
	readonly durationSeconds?: number;
};

type SentFile = Pick<UploadedFile, 'fileUrl' | 'durationSeconds'>;

/**
 * Uploads the files of one item, one after another.
 *
 * @throws NodeApiError or NodeOperationError if a file cannot be sent
 */
export async function uploadFiles(
	run: NodeRun,
	itemIndex: number,
	sources: readonly Source[],
	{ linkValidHours, readsDuration = false, isOneOf = sources.length > 1 }: UploadOptions,
): Promise<UploadedFile[]> {
	const files: UploadedFile[] = [];
	for (const source of sources) {
		const { fileName, sourceFileName, sizeBytes, contentType } = source;
		const sent =
			linkValidHours === undefined
				? await upload(run, itemIndex, source, { isOneOf, readsDuration })
				: { fileUrl: await signLink(run, itemIndex, source, linkValidHours) };
		files.push({ ...sent, fileName, sourceFileName, sizeBytes, contentType });
	}
	return files;
}

async function upload(
	run: NodeRun,
	itemIndex: number,
	source: Source,
	{ isOneOf, readsDuration }: { readonly isOneOf: boolean; readonly readsDuration: boolean },
): Promise<SentFile> {
	const { client, failFast } = await run.openService();
	const uploaded =
		failFast.verdict() ??
		failFast.learn(itemIndex, await transferFile(client, source, readsDuration));
	const doing = isOneOf ? `upload '${source.fileName}'` : 'upload the file';
	const note = uploaded.ok ? undefined : formatNote(uploaded.failure, source.fileName);
	return valueOrThrow(uploaded, run.node, { itemIndex, doing, note });
}

/** The statuses with which a service may refuse the format of a file. */
const REFUSED_FORMAT_STATUSES: ReadonlySet<number> = new Set([400, 415, 422]);

/**
 * What else to say about a refused file. Not a hint on every upload: api.md#input-formats has more than
 * these four, and most services accept them.
 */
function formatNote({ status = 0 }: RequestFailure, fileName: string): string | undefined {
	const isCommon = COMMON_EXTENSIONS.includes(extensionOf(fileName));
	if (isCommon || !REFUSED_FORMAT_STATUSES.has(status)) return undefined;
	return 'Some services accept only WAV, MP3, FLAC and M4A: convert the file to one of these.';
}

async function transferFile(
	client: Client,
	source: Source,
	readsDuration: boolean,
): Promise<Result<SentFile>> {
	for (let transfers = 1; ; transfers++) {
		const link = await client.requestUpload(source.fileName);
		if (!link.ok) return link;
		const { signedUrl } = link.value;
		const { contentType, sizeBytes } = source;
		const content = await source.open();
		const duration = readsDuration ? new DurationReader() : undefined;
		if (duration !== undefined) watchReading(content, duration);
		const sent = await client.putFile(signedUrl, { content, sizeBytes, contentType });
		// An unfinished stream would keep the file open.
		if (!Buffer.isBuffer(content)) content.destroy();
		// The signature must not leave this node.
		if (sent.ok) {
			const fileUrl = withoutSecrets(signedUrl);
			return success({ fileUrl, ...(duration && { durationSeconds: duration.seconds() }) });
		}
		if (!isTransient(sent.failure) || transfers >= MAX_TRANSFERS) return sent;
		await systemTime.sleep(backoffMs(sent.failure, transfers, systemTime.random()), client.signal);
	}
}

/**
 * Which files the form asks to upload, and how.
 *
 * @throws NodeOperationError if a field cannot be used
 */
export function readUploadOptions(run: NodeRun, form: Form): UploadOptions {
	const { itemIndex, options } = form;
	const fields = readFields(run, form);
	const fileName = readText(options.fileName);
	if (fields.length > 1 && fileName !== '') {
		const message = `'File Name' works for one file only, but the item has ${fields.length} to upload`;
		const advice = 'Remove the option; each file then keeps its own name.';
		throw fieldError(run, itemIndex, message, advice);
	}
	const { linkValidHours: hours = LINK_VALIDITY_HOURS } = options;
	return {
		fields,
		given: { fileName, contentType: readText(options.contentType) },
		...(options.transfer === 'link' && {
			linkValidHours: readAmount(run, itemIndex, 'Link Validity (Hours)', hours),
		}),
	};
}

/**
 * The binary fields to upload, at least one. If the form names none: the field of the item's only file. An
 * expression may also return the file itself.
 *
 * @throws NodeOperationError if the item has no files, or several of which the form names none
 */
export function readFields(
	run: NodeRun,
	{ itemIndex, fields: form, options = {} }: Pick<Form, 'itemIndex' | 'fields'> & Partial<Form>,
): string[] {
	// The files of a show are no recordings.
	const kit = kitTextsIn(options);
	const present = Object.keys(run.items[itemIndex].binary ?? {}).filter(
		(field) => !kit.includes(field),
	);
	const isAll = form.recordingFrom === 'all';
	// An expression without a result does not count as empty: the user meant it to have one.
	if (isAll || readText(run.node.parameters.binaryPropertyName).trim() === '') {
		if (present.length === 1 || (isAll && present.length > 1)) return present;
		throw missingFile(run, itemIndex);
	}
	const given = (form.binaryPropertyName ?? '') as string;
	if (typeof given !== 'string') return [given];
	// The name of a field may contain a comma.
	if (present.includes(given)) return [given];
	const fields = given.split(',').map((field) => field.trim());
	const named = [...new Set(fields.filter((field) => field !== ''))];
	return named.length > 0 ? named : [given];
}
