import type { IBinaryData, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../../api/client';
import type { Edit } from '../../api/contract';
import { chaptersOf } from '../../formats/chapters';
import {
	type EmbeddedChapter,
	type Picture,
	type TagRequest,
	allLeftOut,
} from '../../formats/episodeTags';
import { id3Tag, tagFrames } from '../../formats/id3/frames';
import { PassageCutter } from '../../formats/mp3/passageCutter';
import { HEAD_BYTES_MAXIMUM, neededHeadBytes, retag } from '../../formats/retag';
import { type Soundbite, soundbitesOf } from '../../formats/soundbites';
import { onOneLine } from '../../formats/values';
import { addHint } from '../shared/hints';
import {
	type AlterContent,
	type AlteredContent,
	takeHead,
	watchReading,
	withHead,
} from './contentHead';
import { readCover } from './cover';
import type { Tagging } from './readTagging';

/** What to do with an edited file while it is stored. */
export interface EditedFileOptions {
	readonly tagging?: Tagging;
	readonly cutsSoundbites: boolean;
}

function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** A finished edit, the item it belongs to, and the client of the service. */
interface EditToFetch {
	readonly context: IExecuteFunctions;
	readonly client: Client;
	readonly itemIndex: number;
	readonly editId: string;
	readonly edit: Edit;
}

/**
 * The edited file of an item while it is stored: tags are written into it, and soundbites cut out of it.
 * The edit is charged by now. If something does not work, the file is stored as it is, with a note.
 */
export class EditedFile {
	/** The parts of one attempt to fetch the file: another attempt begins anew. */
	private cutter?: PassageCutter;

	private attemptNote?: string;

	private constructor(
		private readonly fetched: EditToFetch,
		private readonly request: TagRequest | undefined,
		private readonly soundbites: readonly Soundbite[],
		private readonly notes: string[],
	) {}

	/** Prepares what the form asks for; fetches the cover. */
	static async open(fetched: EditToFetch, options: EditedFileOptions): Promise<EditedFile> {
		const { result } = fetched.edit;
		const notes: string[] = [];
		const request = options.tagging && (await requestOf(fetched, options.tagging, notes));
		const soundbites = options.cutsSoundbites ? soundbitesOf(result) : [];
		if (options.cutsSoundbites && soundbites.length === 0) {
			notes.push(
				"Soundbites left out, since the transcript has no complete sentences of 15 to 120 seconds. It needs 'transcription' when you create the edit",
			);
		}
		return new EditedFile(fetched, request, soundbites, notes);
	}

	/** Changes the content, or leaves it as it is. */
	readonly alter: AlterContent = async (content, sizeBytes) => {
		this.attemptNote = undefined;
		this.cutter = this.soundbites.length > 0 ? new PassageCutter(this.soundbites) : undefined;
		const altered =
			this.request === undefined
				? { content, addedBytes: 0 }
				: await this.tagged(content, sizeBytes, this.request);
		this.watch(altered.content);
		return altered;
	};

	/** Writes into a file that is already in n8n, and stores the new one; the same one if that fails. */
	async storedAgain(file: IBinaryData): Promise<IBinaryData> {
		if (this.request === undefined && this.soundbites.length === 0) return file;
		const { helpers } = this.fetched.context;
		try {
			const stored = file.id
				? await helpers.getBinaryStream(file.id)
				: Buffer.from(file.data, 'base64');
			const { content } = await this.alter(stored, file.bytes);
			return await helpers.prepareBinaryData(content, file.fileName, file.mimeType);
		} catch (error) {
			this.cutter = undefined;
			this.attemptNote = allLeftOut(`n8n could not store it again: ${reasonOf(error)}`);
			return file;
		}
	}

	/** Stores the soundbites of a file that was stored whole, as `soundbite1` and so on. */
	async storeSoundbites(baseName: string): Promise<{
		binary: IBinaryKeyData;
		kinds: Readonly<Record<string, string>>;
	}> {
		const binary: IBinaryKeyData = {};
		const files = this.cutter?.files() ?? [];
		for (const [index, sound] of files.entries()) {
			if (sound === undefined) continue;
			const { title } = this.soundbites[index];
			const { author, show } = this.request?.tags ?? {};
			const file = Buffer.concat([id3Tag(tagFrames({ title, author, show })), sound]);
			const name = `${baseName}-soundbite-${index + 1}.mp3`;
			const { prepareBinaryData } = this.fetched.context.helpers;
			binary[`soundbite${index + 1}`] = await prepareBinaryData(file, name, 'audio/mpeg');
		}
		const fields = Object.keys(binary);
		if (this.soundbites.length > 0 && fields.length === 0) {
			this.notes.push('Soundbites left out, since the edited file is not an MP3 file');
		}
		return { binary, kinds: Object.fromEntries(fields.map((field) => [field, 'soundbite'])) };
	}

	/** What is missing of what was asked for, also as hints; undefined if nothing is. */
	noted(): string | undefined {
		const notes = [...this.notes, ...(this.attemptNote === undefined ? [] : [this.attemptNote])];
		const { context, editId } = this.fetched;
		for (const note of notes) addHint(context, `${note}.`, `edit ${editId}`);
		return notes.length > 0 ? `${notes.join('. ')}.` : undefined;
	}

	private async tagged(
		content: Parameters<AlterContent>[0],
		sizeBytes: number | undefined,
		request: TagRequest,
	): Promise<AlteredContent> {
		const head = await takeHead(content, (taken) => {
			const neededBytes = neededHeadBytes(taken);
			return neededBytes > HEAD_BYTES_MAXIMUM ? 0 : neededBytes;
		});
		const made = this.retagged(head, request, sizeBytes);
		return { content: withHead(content, made), addedBytes: made.length - head.length };
	}

	private retagged(head: Buffer, request: TagRequest, sizeBytes: number | undefined): Buffer {
		try {
			const made = retag(head, request, sizeBytes);
			this.attemptNote = made.note;
			return made.head;
		} catch (error) {
			this.attemptNote = allLeftOut(`they could not be made: ${reasonOf(error)}`);
			return head;
		}
	}

	/** Lets the cutter see the content on its way. */
	private watch(content: AlteredContent['content']): void {
		const { cutter } = this;
		if (cutter === undefined) return;
		const push = (chunk: Buffer) => {
			// A failure here would end the download.
			try {
				cutter.push(chunk);
			} catch {
				if (this.cutter === cutter) this.cutter = undefined;
			}
		};
		if (Buffer.isBuffer(content)) {
			push(content);
			return;
		}
		watchReading(content, push);
	}
}

/** What to write, with what the summary and the cover add; undefined if there is nothing. */
async function requestOf(
	fetched: EditToFetch,
	{ tags, existing, fillsFromSummary, cover, chapters: asked }: Tagging,
	notes: string[],
): Promise<TagRequest | undefined> {
	const { result } = fetched.edit;
	const { title = '', summary = '' } = (fillsFromSummary && result?.summarization) || {};
	const chapters = asked === 'summary' ? chaptersOf(result).flatMap(embedded) : asked;
	if (chapters?.length === 0) {
		notes.push(
			"Chapters left out of the edited file, since the summary has none with times. It needs 'summarize' when you create the edit",
		);
	}
	const picture = cover && (await pictureFrom(fetched, cover, notes));
	const all = {
		...tags,
		title: tags.title ?? (onOneLine(title) || undefined),
		description: tags.description ?? (summary.trim() || undefined),
		cover: picture,
	};
	const hasChapters = chapters !== undefined && chapters.length > 0;
	const writes = hasChapters || Object.values(all).some((value) => value !== undefined);
	if (!writes && existing === 'keep') return undefined;
	return { tags: all, existing, ...(hasChapters && { chapters }) };
}

function embedded({
	title,
	startSeconds,
}: ReturnType<typeof chaptersOf>[number]): EmbeddedChapter[] {
	return startSeconds === undefined ? [] : [{ title, startSeconds }];
}

async function pictureFrom(
	{ context, client, itemIndex }: EditToFetch,
	from: NonNullable<Tagging['cover']>,
	notes: string[],
): Promise<Picture | undefined> {
	const cover = await readCover(context, client, itemIndex, from);
	if ('picture' in cover) return cover.picture;
	notes.push(`Cover left out of the edited file, since ${cover.note}`);
	return undefined;
}
