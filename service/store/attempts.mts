import type { Database } from './database.mts';

/**
 * Counts how often processes have begun to work on an edit. Only the process that has the edit
 * counts. Each update names the old and the new number, so it takes effect once even if repeated.
 */
export class Attempts {
	constructor(private readonly database: Database) {}

	/** Counts another attempt at an edit and returns the number so far. */
	async count(editId: string): Promise<number> {
		const row = await this.database.run((tables) =>
			tables.selectFrom('edits').select('attempts').where('id', '=', editId).executeTakeFirst(),
		);
		const attempts = row?.attempts ?? 0;
		await this.set(editId, attempts, attempts + 1);
		return attempts + 1;
	}

	/** Takes back the last attempt. @param attempts as `count` returned it. */
	async takeBack(editId: string, attempts: number): Promise<void> {
		await this.set(editId, attempts, attempts - 1);
	}

	private async set(editId: string, from: number, to: number): Promise<void> {
		await this.database.run((tables) =>
			tables
				.updateTable('edits')
				.set({ attempts: to })
				.where('id', '=', editId)
				.where('attempts', '=', from)
				.execute(),
		);
	}
}
