import type { DatabaseSync } from 'node:sqlite';

/**
 * At most one day counts between two runs of the service: someone may have set the machine's clock,
 * and a clock that is a year ahead must not delete everything.
 */
const LONGEST_PAUSE_MS = 86_400_000;

/**
 * How long a storage folder has been in use, which is what retention counts by. It grows while the
 * service runs; changes of the machine's clock do not affect it.
 */
export class FolderAge {
	constructor(private readonly database: DatabaseSync) {}

	/** Returns the age in service milliseconds, with at most one day since it was last kept. */
	read(): number {
		const row = this.database.prepare('SELECT age_ms, real_ms FROM age').get();
		if (row === undefined) return 0;
		const pauseMs = Date.now() - Number(row.real_ms);
		return Number(row.age_ms) + Math.min(LONGEST_PAUSE_MS, Math.max(0, pauseMs));
	}

	/** Stores the age, unless another process stored a greater one. */
	keep(ageMs: number): void {
		const statement = this.database
			.prepare(`INSERT INTO age (place, age_ms, real_ms) VALUES (1, :age, :real)
				ON CONFLICT (place) DO UPDATE SET age_ms = MAX(age_ms, :age), real_ms = :real`);
		statement.run({ age: ageMs, real: Date.now() });
	}
}
