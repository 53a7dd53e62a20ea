import type { IBinaryKeyData } from 'n8n-workflow';

import { messageOf } from '../../../api/failure';
import type { ByteStream } from '../../../api/fileBody';
import {
	type Retagged,
	type TagRequest,
	allLeftOut,
	untagged,
} from '../../../formats/tags/episodeTags';
import { id3Tag, tagFrames } from '../../../formats/tags/id3/frames';
import { DurationReader } from '../../../formats/duration/durationReader';
import { PassageCutter } from '../../../formats/tags/mp3/passageCutter';
import { MAX_HEAD_BYTES, neededHeadBytes, retag } from '../../../formats/tags/retag';
import { type Soundbite, soundbitesOf } from '../../../formats/feed/soundbites';
import {
	type AlteredContent,
	type WithoutEndTags,
	withHead,
	withBlankTags,
	withoutEndTags,
} from './content';
import { takeHead } from '../files/takeHead';
import { watchReading } from '../files/watchReading';
import type { Tagging } from './tags/readTagging';
import type { EditToFetch } from './tags/cover';
import { requestOf } from './tags/tagRequest';

/** What to do with an edited file while it is stored. */
export interface EditedFileOptions {
	readonly tagging?: Tagging;
	readonly cutsSoundbites: boolean;
}

/**
 * The edited file of an item while it is stored: its length is read, tags are written into it, and soundbites copied
 * from it.
 * The edit is charged by now. If something fails, the file is stored as it is, with a note.
 */
export class EditedFile {
	/** Collects the soundbites in one attempt to fetch the file; another attempt starts from the beginning. */
	private cutter?: PassageCutter;

	/** Reads the length of the file in one attempt. */
	private duration?: DurationReader;

	private attemptNote?: string;

	/** The content whose tags at the end are taken off, in one attempt. */
	private endless?: WithoutEndTags;

	private constructor(
		private readonly fetched: EditToFetch,
		private readonly request: TagRequest | undefined,
		private readonly soundbites: readonly Soundbite[],
		private readonly notes: string[],
	) {}

	/** Prepares what the form asks for; fetches the cover. */
	static async open(
		fetched: EditToFetch,
		{ tagging, cutsSoundbites }: EditedFileOptions,
	): Promise<EditedFile> {
		const notes: string[] = [];
		try {
			const request = tagging && (await requestOf(fetched, tagging, notes));
			const soundbites = cutsSoundbites ? soundbitesOf(fetched.result) : [];
			if (cutsSoundbites && soundbites.length === 0) {
				notes.push(
					"Soundbites left out, because the transcript has no passage of complete sentences that lasts 15 to 120 seconds. Switch on 'Transcription' when you create the edit",
				);
			}
			return new EditedFile(fetched, request, soundbites, notes);
		} catch (error) {
			notes.push(allLeftOut(`they could not be made: ${messageOf(error)}`));
			return new EditedFile(fetched, undefined, [], notes);
		}
	}

	/**
	 * Changes the content before it is stored, or leaves it as it is.
	 *
	 * @param sizeBytes the size of the content, if known
	 * @throws the error of the stream
	 */
	async alter(content: ByteStream | Buffer, sizeBytes?: number): Promise<AlteredContent> {
		this.cutter = this.soundbites.length > 0 ? new PassageCutter(this.soundbites) : undefined;
		this.duration = new DurationReader();
		this.endless = undefined;
		const { request } = this;
		const altered = request
			? await this.tagged(content, sizeBytes, request)
			: { content, addedBytes: () => 0 };
		this.watch(altered.content);
		return altered;
	}

	/** The length of the file that was stored, in seconds, if it tells. */
	get durationSeconds(): number | undefined {
		return this.duration?.seconds();
	}

	/** Stores the soundbites of a file that was stored whole, as `soundbite1` and so on. */
	async storeSoundbites(baseName: string) {
		const { helpers } = this.fetched.run.context;
		const { author, show } = this.request?.tags ?? {};
		const binary: IBinaryKeyData = {};
		let reason = 'the edited file is not an MP3 file or does not have these passages';
		try {
			for (const [index, sound] of (this.cutter?.files() ?? []).entries()) {
				if (sound === undefined) continue;
				const name = `${baseName}-soundbite-${index + 1}.mp3`;
				const { title } = this.soundbites[index];
				const file = Buffer.concat([id3Tag(tagFrames({ title, author, show })), sound]);
				const stored = await helpers.prepareBinaryData(file, name, 'audio/mpeg');
				binary[`soundbite${index + 1}`] = stored;
			}
		} catch (error) {
			reason = `they could not be stored: ${messageOf(error)}`;
		}
		const fields = Object.keys(binary);
		const missing = this.soundbites.length - fields.length;
		if (missing > 0) {
			this.notes.push(
				`${missing} of ${this.soundbites.length} soundbites left out, because ${reason}`,
			);
		}
		return { binary, kinds: Object.fromEntries(fields.map((field) => [field, 'soundbite'])) };
	}

	/** Returns what was asked for and is missing, and adds hints for it; undefined if nothing is missing. */
	noted(): string | undefined {
		const note = this.endless?.found?.isCut
			? 'A tag of more than 1 MB stays at the end of the edited file'
			: this.attemptNote;
		const notes = [...this.notes, ...(note === undefined ? [] : [note])];
		const { run, editId } = this.fetched;
		for (const note of notes) run.hints.add(`${note}.`, `edit ${editId}`);
		return notes.length > 0 ? `${notes.join('. ')}.` : undefined;
	}

	private async tagged(
		content: ByteStream | Buffer,
		sizeBytes: number | undefined,
		request: TagRequest,
	): Promise<AlteredContent> {
		const head = await headWithTags(content);
		const made = retagged(head, request, sizeBytes);
		this.attemptNote = made.note;
		const whole = withHead(content, made.head);
		const addedBytes = made.head.length - head.length;
		if (made.end === 'cut') {
			const cut = (this.endless = withoutEndTags(whole));
			return {
				content: cut.content,
				addedBytes: () => addedBytes - (cut.found?.sizeBytes ?? 0),
			};
		}
		const blanked = made.end === 'blanked' ? withBlankTags(whole) : whole;
		return { content: blanked, addedBytes: () => addedBytes };
	}

	/** Lets the cutter and the reader of the length see the content on its way. */
	private watch(content: AlteredContent['content']): void {
		const { cutter, duration } = this;
		const push = (chunk: Buffer) => {
			duration?.push(chunk);
			// A failure here would end the download.
			try {
				cutter?.push(chunk);
			} catch {
				if (this.cutter === cutter) this.cutter = undefined;
			}
		};
		watchReading(content, { push });
	}
}

/** The start of a file with its tags, as far as they are not too long. */
async function headWithTags(content: ByteStream | Buffer): Promise<Buffer> {
	let head: Buffer = Buffer.alloc(0);
	for (;;) {
		const neededBytes = neededHeadBytes(head);
		if (neededBytes <= head.length || neededBytes > MAX_HEAD_BYTES) return head;
		head = await takeHead(content, neededBytes, head);
		// The file may be shorter.
		if (head.length < neededBytes) return head;
	}
}

function retagged(head: Buffer, request: TagRequest, sizeBytes: number | undefined): Retagged {
	try {
		return retag(head, request, sizeBytes);
	} catch (error) {
		return untagged(head, `they could not be made: ${messageOf(error)}`);
	}
}
