import { sql, type UpdateObject } from 'kysely';

import type { Database } from './database.mts';
import type { Tables } from './schema.mts';

type Changes = UpdateObject<Tables, 'edits'>;

/**
 * Counts how often processes have begun to work on an edit. Only the process that has the edit
 * counts. Each update names the old and the new number, so it takes effect once even if repeated.
 */
export class Attempts {
	/** The edits that this process is working on, with the attempts counted for each. */
	private readonly counted = new Map<string, number>();

	constructor(private readonly database: Database) {}

	/**
	 * Counts another attempt at an edit and returns the number so far. Its work began with the first; waiting
	 * before a later one moves that moment, and so counts as waiting too.
	 *
	 * @param waitedMs service milliseconds that the edit waited for its place at the processor
	 */
	async count(editId: string, nowMs: number, waitedMs: number): Promise<number> {
		const row = await this.database.run((tables) =>
			tables.selectFrom('edits').select('attempts').where('id', '=', editId).executeTakeFirst(),
		);
		const attempts = row?.attempts ?? 0;
		const started_at_ms = sql<number>`COALESCE(started_at_ms + ${waitedMs}, ${nowMs})`;
		await this.set(editId, attempts, { attempts: attempts + 1, started_at_ms });
		this.counted.set(editId, attempts + 1);
		return attempts + 1;
	}

	/** Undoes the count of the last attempt. @param attempts as `count` returned it. */
	async uncount(editId: string, attempts: number): Promise<void> {
		this.counted.delete(editId);
		await this.set(editId, attempts, { attempts: attempts - 1 });
	}

	/** Undoes the count of all attempts of this process, which ends for a reason that no edit is to blame for. */
	async uncountAll(): Promise<void> {
		for (const [editId, attempts] of [...this.counted]) await this.uncount(editId, attempts);
	}

	private async set(editId: string, from: number, values: Changes): Promise<void> {
		await this.database.run((tables) =>
			tables
				.updateTable('edits')
				.set(values)
				.where('id', '=', editId)
				.where('attempts', '=', from)
				.execute(),
		);
	}
}
