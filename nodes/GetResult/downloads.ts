import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../../api/client';
import type { Edit } from '../../api/contract';
import { safeFileName } from '../shared/fileNames';
import { valueOrThrow } from '../shared/service';

/** The files of a result that can be fetched. */
export type DownloadKind = 'edited' | 'merged' | 'markers';

/** A file to fetch, and the binary field it goes into. */
export interface Wanted {
	readonly field: string;
	readonly url: string;
	/** Used where the answer does not name the file. */
	readonly fileName?: string;
	readonly what: string;
}

/**
 * The links of the wanted files, in the order edited, merged, markers; a kind the result does not
 * have is left out, which the caller may find wrong or not.
 */
export function wantedDownloads(
	{ result }: Edit,
	kinds: readonly DownloadKind[],
	field: string,
): Wanted[] {
	const edited = result?.download_url ? [result.download_url] : [];
	const links: Record<DownloadKind, readonly string[]> = {
		edited,
		merged: result?.merged_audio_url ?? [],
		markers: result?.timestamps_markers_urls ?? [],
	};
	const order: DownloadKind[] = ['edited', 'merged', 'markers'];
	return order
		.filter((kind) => kinds.includes(kind))
		.flatMap((kind) =>
			links[kind].map((url, index) => ({
				url,
				field: kind === 'edited' ? field : `${field}_${kind}_${index + 1}`,
				fileName: kind === 'edited' ? result?.filename : undefined,
				what: kind === 'edited' ? 'the edited file' : `the ${kind} file`,
			})),
		);
}

/** Streams the wanted files into n8n's binary store. */
export async function downloadAll(
	context: IExecuteFunctions,
	client: Client,
	wanted: readonly Wanted[],
	{ itemIndex, editId }: { itemIndex: number; editId: string },
): Promise<IBinaryKeyData> {
	const binary: IBinaryKeyData = {};
	for (const { field, url, fileName, what } of wanted) {
		const doing = `download ${what} of edit ${editId}`;
		const opened = await client.openDownload(url);
		const { content, headers } = valueOrThrow(opened, context.getNode(), { itemIndex, doing });
		const name = safeFileName(fileName ?? nameFrom(headers, url), 'edited');
		binary[field] = await context.helpers.prepareBinaryData(content, name, mediaType(headers));
	}
	return binary;
}

/** The name in Content-Disposition, else the last part of the link's path. */
function nameFrom(headers: IDataObject, url: string): string {
	const disposition = String(headers['content-disposition'] ?? '');
	const encoded = /filename\*=(?:UTF-8'')?([^;]+)/i.exec(disposition)?.[1];
	const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1];
	return decoded(encoded ?? plain ?? new URL(url).pathname.split('/').pop() ?? '');
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function mediaType(headers: IDataObject): string {
	const [type] = String(headers['content-type'] ?? '').split(';');
	return type.trim() || 'application/octet-stream';
}
