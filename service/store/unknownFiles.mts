import type { Database } from './database.mts';

/** What may lack a row. */
export type UnknownKind = 'edits' | 'uploads' | 'mails';

/**
 * When files without a row were first seen. A damaged database may have lost the rows, so the files stay as long
 * as if they had been made then. Ages in service milliseconds.
 */
export class UnknownFiles {
	constructor(private readonly database: Database) {}

	/** Records which files of a kind lack a row now. Returns the ids of those seen before an age. */
	async note(
		kind: UnknownKind,
		ids: ReadonlySet<string>,
		ageMs: number,
		oldestAgeMs: number,
	): Promise<string[]> {
		const known = await this.database.run((tables) =>
			tables.selectFrom('unknown_files').selectAll().where('kind', '=', kind).execute(),
		);
		for (const { id } of known) if (!ids.has(id)) await this.forget(kind, id);
		const seen = new Set(known.map(({ id }) => id));
		for (const id of ids) if (!seen.has(id)) await this.add(kind, id, ageMs);
		const isDue = (row: { id: string; seen_age_ms: number }) =>
			ids.has(row.id) && row.seen_age_ms < oldestAgeMs;
		return known.filter(isDue).map(({ id }) => id);
	}

	/** Counts the files that wait. */
	async count(): Promise<number> {
		const row = await this.database.run((tables) =>
			tables
				.selectFrom('unknown_files')
				.select(({ fn }) => fn.countAll<number>().as('count'))
				.executeTakeFirstOrThrow(),
		);
		return row.count;
	}

	private async add(kind: UnknownKind, id: string, seen_age_ms: number): Promise<void> {
		await this.database.run((tables) =>
			tables
				.insertInto('unknown_files')
				.values({ kind, id, seen_age_ms })
				.onConflict((conflict) => conflict.doNothing())
				.execute(),
		);
	}

	private async forget(kind: UnknownKind, id: string): Promise<void> {
		await this.database.run((tables) =>
			tables.deleteFrom('unknown_files').where('kind', '=', kind).where('id', '=', id).execute(),
		);
	}
}
