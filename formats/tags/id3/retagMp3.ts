import { type Retagged, type TagRequest, untagged, withEnds } from '../episodeTags';
import { type Id3Frame, type ReadTag, chapterFrames, frame, id3Tag, tagFrames } from './frames';
import { id3TagBytes, readId3Frames } from './readTag';

const CHAPTER_FRAMES: ReadonlySet<string> = new Set(['CHAP', 'CTOC']);

/** Types of a picture that players show as the cover: front cover, and other. */
const COVER_TYPES: readonly number[] = [3, 0];

/** No program writes more tags than this. Reading thousands of them would block n8n for a minute. */
const MAX_TAGS = 16;

/** The length of the ID3v2 tags at the start of a file: some programs write a second one. */
export function id3PrefixBytes(head: Buffer): number {
	let end = 0;
	for (let count = 0; count < MAX_TAGS; count++) end += id3TagBytes(head, end);
	return end;
}

/**
 * The start of an MP3 file with its new ID3v2.4 tag. The sound stays as it is.
 *
 * @param head the start of the file with all of its ID3v2 tags
 * @param durationSeconds the length of the file, if known: where the last chapter ends
 */
export function retagMp3(
	head: Buffer,
	{ tags, chapters, existing }: TagRequest,
	durationSeconds?: number,
): Retagged {
	const prefixBytes = id3PrefixBytes(head);
	const isKept = existing === 'keep' && prefixBytes > 0;
	// The frames of the first tag; a second one is a leftover.
	const old = isKept ? readId3Frames(head.subarray(0, prefixBytes)) : NOTHING;
	if (old === undefined) {
		return untagged(head, 'its ID3 tag has a version that this node does not know');
	}
	const fields = existing === 'remove' ? [] : tagFrames(tags);
	const added = [...fields, ...chapterFrames(withEnds(chapters ?? [], durationSeconds))];
	const ids = new Set(added.map((one) => one.toString('latin1', 0, 4)));
	if (chapters !== undefined) CHAPTER_FRAMES.forEach((id) => ids.add(id));
	const kept = old.frames.filter((one) => !isReplacedBy(ids, one));
	const tag = id3Tag([...added, ...kept.map((one) => frame(one.id, one.body, one.flags))]);
	const note =
		old.lost > 0
			? `${old.lost} old tags left out of the edited file, because ID3v2.4 has no form for them`
			: undefined;
	const made = Buffer.concat([tag, head.subarray(prefixBytes)]);
	const end = existing === 'keep' ? undefined : 'cut';
	return { head: made, isTagged: true, end, note };
}

const NOTHING: ReadTag = { frames: [], lost: 0 };

/** Whether a frame is replaced by new frames. Comments with a name and other pictures stay. */
function isReplacedBy(ids: ReadonlySet<string>, { id, body }: Id3Frame): boolean {
	if (!ids.has(id)) return false;
	if (id === 'COMM') return hasNoName(body);
	if (id === 'APIC') return COVER_TYPES.includes(body[body.indexOf(0, 1) + 1]);
	return true;
}

/** Whether the name of a comment is empty, after its encoding, its language and a byte order mark. */
function hasNoName(body: Buffer): boolean {
	const [encoding, , , , first] = body;
	return body[encoding === 1 && first >= 0xfe ? 6 : 4] === 0;
}
