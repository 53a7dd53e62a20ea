import { sql } from 'kysely';

import type { Database } from '../database.mts';
import { ONLY_ROW } from '../schema.mts';

/**
 * At most one day counts between two runs of the service: someone may have set the machine's clock,
 * and a clock that is a year ahead must not delete everything.
 */
const MAX_PAUSE_MS = 86_400_000;

/**
 * Returns this age, or the stored one if it is greater. A process whose machine was suspended has a
 * smaller age than the other processes, and would write one that has already expired.
 */
export const atLeastStored = (ageMs: number) => sql<number>`(SELECT MAX(known.age_ms)
	FROM (SELECT CAST(${ageMs} AS BIGINT) AS age_ms UNION ALL SELECT age_ms FROM age) AS known)`;

/**
 * How long the storage has been in use, which retention counts by. The age grows while the service
 * runs; changes to the machine's clock do not affect it.
 */
export class FolderAge {
	constructor(private readonly database: Database) {}

	/** Returns the age in service milliseconds, counting at most one day since it was last stored. */
	async read(): Promise<number> {
		const row = await this.database.run((tables) =>
			tables.selectFrom('age').selectAll().executeTakeFirst(),
		);
		if (row === undefined) return 0;
		const pauseMs = this.database.nowMs() - row.real_ms;
		return row.age_ms + Math.min(MAX_PAUSE_MS, Math.max(0, pauseMs));
	}

	/** Stores the age, unless another process stored a greater one. */
	async keep(ageMs: number): Promise<void> {
		const kept = { age_ms: ageMs, real_ms: Math.round(this.database.nowMs()) };
		const greater = sql<number>`CASE WHEN age.age_ms > excluded.age_ms
			THEN age.age_ms ELSE excluded.age_ms END`;
		await this.database.run((tables) =>
			tables
				.insertInto('age')
				.values({ place: ONLY_ROW, ...kept })
				.onConflict((conflict) =>
					conflict.column('place').doUpdateSet({ age_ms: greater, real_ms: kept.real_ms }),
				)
				.execute(),
		);
	}
}
