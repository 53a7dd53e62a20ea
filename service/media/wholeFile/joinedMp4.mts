import type { FileBytes } from './fileBytes.mts';
import { ANOTHER, type Mending } from './joinedSound.mts';

const BOX_HEAD_BYTES = 16;

/** A file that is written in parts has one or two boxes for each second. */
const MAX_BOXES = 1_000_000;

/**
 * Says that another MP4 or MOV begins behind the first one. No reader takes it for a part of the recording, and
 * its samples are found only through a table of its own. Undefined for one file.
 */
export async function noteOfJoinedMp4(bytes: FileBytes): Promise<Mending | undefined> {
	let hasTable = false;
	for (let [at, boxes] = [0, 0]; at < bytes.sizeBytes && boxes < MAX_BOXES; boxes += 1) {
		const head = await bytes.at(at, BOX_HEAD_BYTES);
		const type = head.toString('latin1', 4, 8);
		if (at === 0 && type !== 'ftyp') return undefined;
		if (type === 'ftyp' && hasTable) return { notes: [ANOTHER] };
		hasTable ||= type === 'moov';
		const size = sizeOf(head);
		if (size === undefined) return undefined;
		at += size;
	}
	return undefined;
}

/** The size of a box; undefined for the last one, which may say none, and for what is no box. */
function sizeOf(head: Buffer): number | undefined {
	if (head.length < BOX_HEAD_BYTES) return undefined;
	const size = head.readUInt32BE(0);
	if (size !== 1) return size >= 8 ? size : undefined;
	const longSize = Number(head.readBigUInt64BE(8));
	return longSize >= BOX_HEAD_BYTES ? longSize : undefined;
}
