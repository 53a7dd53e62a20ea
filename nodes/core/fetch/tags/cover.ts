import type { Client } from '../../../../api/client';
import type { EditResult } from '../../../../api/contract';
import { messageOf } from '../../../../api/failure';
import { type Cover, pictureOf } from '../../../../formats/tags/episodeTags';
import { textForFailure, withSaid } from '../../errors/failureTexts';
import { takeHead } from '../../files/takeHead';
import { inTime } from '../inTime';
import type { Tagging } from './readTagging';
import type { NodeRun } from '../../run/nodeRun';

/** Hosts and players refuse larger covers. */
export const MAX_COVER_BYTES = 10 * 1_024 * 1_024;

/** A finished edit, the item it belongs to, and the client of the service. */
export interface EditToFetch {
	readonly run: NodeRun;
	readonly client: Client;
	readonly itemIndex: number;
	readonly editId: string;
	/** With the names of its speakers, as in the texts: they decide which soundbites are chosen. */
	readonly result: EditResult | undefined;
}

/** Reads the cover of an item. Does not throw: the edit is charged by now, and its file must be stored. */
export async function readCover(
	{ run, client, itemIndex }: EditToFetch,
	from: NonNullable<Tagging['cover']>,
): Promise<Cover> {
	if ('field' in from) return await fromField(run, itemIndex, from.field).catch(asNote);
	const cover = run.covers.get(from.url) ?? fromUrl(run, client, from.url).catch(asNote);
	run.covers.set(from.url, cover);
	return await cover;
}

function asNote(error: unknown): Cover {
	return { note: messageOf(error) };
}

async function fromField(run: NodeRun, itemIndex: number, field: string): Promise<Cover> {
	const { id } = run.context.helpers.assertBinaryData(itemIndex, field);
	const sizeBytes = id ? (await run.context.helpers.getBinaryMetadata(id)).fileSize : 0;
	if (sizeBytes > MAX_COVER_BYTES) return TOO_LARGE;
	return coverOf(await run.context.helpers.getBinaryDataBuffer(itemIndex, field));
}

async function fromUrl(run: NodeRun, client: Client, url: string): Promise<Cover> {
	const opened = await client.openDownload(url);
	if (!opened.ok) {
		const [reason] = textForFailure(opened.failure);
		const note = withSaid(`the cover could not be fetched: ${reason}`, opened.failure);
		return { note: note.replace(/\.$/, '') };
	}
	const { content, close } = opened.value;
	try {
		const reading = takeHead(content, MAX_COVER_BYTES + 1);
		return coverOf(await inTime(reading, MAX_COVER_BYTES, run.stop));
	} finally {
		close();
	}
}

const TOO_LARGE: Cover = { note: 'the cover is larger than 10 MB' };

function coverOf(bytes: Buffer): Cover {
	if (bytes.length > MAX_COVER_BYTES) return TOO_LARGE;
	const picture = pictureOf(bytes);
	return picture ? { picture } : { note: 'the cover is neither a JPEG nor a PNG picture' };
}
