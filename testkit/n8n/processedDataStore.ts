/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they stand in for n8n's server */
import { createHash } from 'crypto';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

/**
 * n8n's store of processed data, in memory. It follows the class DeduplicationHelper of n8n 2.0 and
 * 2.41 for mode 'entries': that class is in n8n's server, which is too large to install for these tests.
 * Each call reads and writes the whole list of a node without a lock, with a pause in between, as n8n
 * does with its database.
 */
export class ProcessedData implements IDataDeduplicator {
	/** The MD5 hashes that n8n stores, by workflow and node. */
	readonly rows = new Map<string, readonly string[]>();

	/** The entries as the nodes passed them. */
	readonly passed: DeduplicationItemTypes[] = [];

	/** Called before each write. A test can throw here, as a broken database would. */
	beforeWrite: (write: 'record' | 'remove') => void = () => undefined;

	/** Awaited after each read. A test can wait here, as a database that hangs would let it. */
	afterRead: () => Promise<void> | void = () => undefined;

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		about: ICheckProcessedContextData,
	): Promise<IDeduplicationOutput> {
		const known = await this.read(scope, about);
		const isKnown = (item: DeduplicationItemTypes) => known.includes(hash(item));
		const added = items.filter((item) => !isKnown(item));
		this.write('record', scope, about, [...known, ...added.map(hash)]);
		this.passed.push(...items);
		return { new: added, processed: items.filter(isKnown) };
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		about: ICheckProcessedContextData,
	): Promise<void> {
		if (!this.rows.has(rowOf(scope, about))) return;
		const left = [...(await this.read(scope, about))];
		for (const entry of items.map(hash)) {
			const place = left.indexOf(entry);
			if (place !== -1) left.splice(place, 1);
		}
		this.write('remove', scope, about, left);
	}

	async clearAllProcessedItems(
		scope: DeduplicationScope,
		about: ICheckProcessedContextData,
	): Promise<void> {
		this.rows.delete(rowOf(scope, about));
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		about: ICheckProcessedContextData,
	): Promise<number> {
		return (await this.read(scope, about)).length;
	}

	private async read(
		scope: DeduplicationScope,
		about: ICheckProcessedContextData,
	): Promise<readonly string[]> {
		const entries = this.rows.get(rowOf(scope, about)) ?? [];
		await new Promise((resolve) => setImmediate(resolve));
		await this.afterRead();
		return entries;
	}

	private write(
		write: 'record' | 'remove',
		scope: DeduplicationScope,
		about: ICheckProcessedContextData,
		entries: readonly string[],
	): void {
		this.beforeWrite(write);
		this.rows.set(rowOf(scope, about), entries);
	}
}

function rowOf(scope: DeduplicationScope, { node, workflow }: ICheckProcessedContextData): string {
	return `${workflow.id}/${scope === 'node' ? `n:${node!.id}` : ''}`;
}

function hash(item: DeduplicationItemTypes): string {
	return createHash('md5').update(item.toString()).digest('base64');
}
