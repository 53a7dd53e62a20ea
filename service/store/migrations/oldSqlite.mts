import { sql, type Kysely } from 'kysely';

/** Columns that tables of the first versions lack, some of which start at 0. */
const LATER_COLUMNS = [
	['jobs', 'attempts', 0],
	['jobs', 'bytes', 0],
	['jobs', 'finished_age_ms', null],
	['uploads', 'age_ms', 0],
	['uploads', 'bytes', 0],
] as const;

/** Upgrades SQLite tables of versions without migrations. The retention of what they hold starts now. */
export async function upgradeOldSqlite(tables: Kysely<unknown>): Promise<void> {
	const found = await tables.introspection.getTables();
	const columnsOf = (table: string) =>
		(found.find(({ name }) => name === table)?.columns ?? []).map(({ name }) => name);
	for (const [table, column, start] of LATER_COLUMNS) {
		if (columnsOf(table).includes(column)) continue;
		await tables.schema
			.alterTable(table)
			.addColumn(column, 'integer', (made) =>
				start === null ? made : made.notNull().defaultTo(start),
			)
			.execute();
		if (column !== 'finished_age_ms') continue;
		await sql`UPDATE jobs SET finished_age_ms = 0 WHERE finished_at_ms IS NOT NULL`.execute(tables);
	}
	if (columnsOf('jobs').includes('upload_ids')) {
		await sql`INSERT OR IGNORE INTO upload_uses SELECT json_each.value, jobs.id
			FROM jobs, json_each(jobs.upload_ids)`.execute(tables);
		await tables.schema.alterTable('jobs').dropColumn('upload_ids').execute();
	}
}
