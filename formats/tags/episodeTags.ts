/** What players show about an episode. A missing field is not written. */
export interface EpisodeTags {
	readonly title?: string;
	readonly author?: string;
	readonly show?: string;
	readonly description?: string;
	readonly episodeNumber?: number;
	readonly season?: number;
	/** As ID3v2.4 writes times: `2026`, `2026-11-22` or `2026-11-22T16:20:00` in UTC. */
	readonly date?: string;
	/** Three letters of ISO 639-2. */
	readonly language?: string;
	readonly cover?: Picture;
}

/** A cover, or why there is none. */
export type Cover = { readonly picture?: Picture; readonly note?: string };

/** A picture that players can show. */
export interface Picture {
	readonly mimeType: 'image/jpeg' | 'image/png';
	readonly bytes: Buffer;
}

/** A chapter to embed in a file. */
export interface EmbeddedChapter {
	readonly startSeconds: number;
	/** If it is missing, the chapter ends where the next one begins, or with the file. */
	readonly endSeconds?: number;
	readonly title: string;
	readonly url?: string;
	/** A picture of it, for feeds: it is not embedded. */
	readonly imageUrl?: string;
}

/**
 * What happens to the tags that a file has. `keep`: tags that are not set here stay. `overwrite`: the new
 * tags replace all of them. `remove`: they are removed, and only chapters are written.
 */
export type ExistingTags = 'keep' | 'overwrite' | 'remove';

/** What to write into a file. */
export interface TagRequest {
	readonly tags: EpisodeTags;
	/** If missing, the file's own chapters are treated like its other tags. */
	readonly chapters?: readonly EmbeddedChapter[];
	readonly existing: ExistingTags;
}

/** The start of a file with its new tags. */
export interface Retagged {
	readonly head: Buffer;
	/** Whether the new tags are in it. */
	readonly isTagged: boolean;
	/** How the tags after the sound are to be removed, too; missing if they stay. */
	readonly end?: 'cut' | 'blanked';
	/** What is missing of tags and chapters, and why: a sentence without its full stop. */
	readonly note?: string;
}

/** The note that no tags and chapters were written. @param reason completes `since …` */
export function allLeftOut(reason: string): string {
	return `Tags and chapters left out of the edited file, which stays as it is, because ${reason}`;
}

/** The start of a file that cannot be tagged, and why. */
export function untagged(head: Buffer, reason: string): Retagged {
	return { head, isTagged: false, note: allLeftOut(reason) };
}

/** The same with another note, if there is one. */
export function withNote(made: Retagged, note: string | undefined): Retagged {
	const notes = [note, made.note].filter((one) => one !== undefined);
	return notes.length === 0 ? made : { ...made, note: notes.join('. ') };
}

/** A chapter whose end is known. */
export type TimedChapter = EmbeddedChapter & { readonly endSeconds: number };

/** The length of a last chapter if nothing says where the file ends. */
const UNKNOWN_LENGTH_SECONDS = 1;

/**
 * A request whose chapters are within the file, and what to say of those that begin after its end.
 *
 * @param seconds the exact length of the file; without one, all chapters stay
 */
export function withinFile(
	request: TagRequest,
	seconds: number | undefined,
): { readonly request: TagRequest; readonly note?: string } {
	const { chapters = [] } = request;
	if (seconds === undefined || chapters.length === 0) return { request };
	const within = chapters
		.filter(({ startSeconds }) => startSeconds < seconds)
		.map(({ endSeconds = seconds, ...chapter }) =>
			endSeconds < seconds ? { ...chapter, endSeconds } : chapter,
		);
	const left = chapters.length - within.length;
	const note = `${left} of ${chapters.length} chapters left out of the edited file, because it ends before they begin`;
	return { request: { ...request, chapters: within }, ...(left > 0 && { note }) };
}

/**
 * The chapters in the order of their starts, each with its end.
 *
 * @param durationSeconds the length of the file, if known
 */
export function withEnds(
	chapters: readonly EmbeddedChapter[],
	durationSeconds = 0,
): TimedChapter[] {
	const sorted = [...chapters].sort((one, other) => one.startSeconds - other.startSeconds);
	return sorted.map((chapter, index) => {
		const nextSeconds = sorted[index + 1]?.startSeconds ?? durationSeconds;
		const { startSeconds, endSeconds = nextSeconds } = chapter;
		if (endSeconds > startSeconds) return { ...chapter, endSeconds };
		return { ...chapter, endSeconds: startSeconds + UNKNOWN_LENGTH_SECONDS };
	});
}

/** Some bytes as a picture, by the signature of its format; undefined if it is not a JPEG or PNG. */
export function pictureOf(bytes: Buffer): Picture | undefined {
	if (bytes.subarray(0, 3).equals(JPEG_SIGNATURE)) return { mimeType: 'image/jpeg', bytes };
	if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return { mimeType: 'image/png', bytes };
	return undefined;
}

const JPEG_SIGNATURE = Buffer.from('ffd8ff', 'hex');
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
