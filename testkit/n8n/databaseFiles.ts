import { randomUUID } from 'crypto';
import { Readable } from 'stream';

import { Container } from '@n8n/di';
import { type BinaryData, BinaryDataService } from 'n8n-core';

type Stored = BinaryData.Metadata & { readonly content: Buffer };

/**
 * Keeps files as n8n does in its database, the usual place in queue mode: an ID without a path, and a stream that
 * has the whole file as one chunk.
 */
export class DatabaseFiles implements BinaryData.Manager {
	readonly files = new Map<string, Stored>();

	/** Makes it the store of n8n's engine. */
	static use(): DatabaseFiles {
		const manager = new DatabaseFiles();
		Container.get(BinaryDataService).setManager('database', manager);
		return manager;
	}

	async init(): Promise<void> {}

	async store(
		_location: BinaryData.FileLocation,
		given: Buffer | Readable,
		metadata: BinaryData.PreWriteMetadata,
	): Promise<BinaryData.WriteResult> {
		const chunks: Buffer[] = [];
		if (Buffer.isBuffer(given)) chunks.push(given);
		else for await (const chunk of given) chunks.push(chunk as Buffer);
		const content = Buffer.concat(chunks);
		const fileId = randomUUID();
		this.files.set(fileId, { ...metadata, content, fileSize: content.length });
		return { fileId, fileSize: content.length };
	}

	getPath(fileId: string): string {
		return `database://${fileId}`;
	}

	async getAsBuffer(fileId: string): Promise<Buffer> {
		return this.find(fileId).content;
	}

	async getAsStream(fileId: string): Promise<Readable> {
		return Readable.from(this.find(fileId).content);
	}

	async getMetadata(fileId: string): Promise<BinaryData.Metadata> {
		const { fileName, mimeType, fileSize } = this.find(fileId);
		return { fileName, mimeType, fileSize };
	}

	async copyByFileId(_location: BinaryData.FileLocation, fileId: string): Promise<string> {
		const copyId = randomUUID();
		this.files.set(copyId, this.find(fileId));
		return copyId;
	}

	async copyByFilePath(): Promise<never> {
		throw new Error('No test needs it');
	}

	async rename(): Promise<never> {
		throw new Error('No test needs it');
	}

	private find(fileId: string): Stored {
		const found = this.files.get(fileId);
		if (found === undefined) throw new Error(`Could not find any entity: ${fileId}`);
		return found;
	}
}
