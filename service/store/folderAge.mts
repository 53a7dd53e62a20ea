import type { DatabaseSync } from 'node:sqlite';

/**
 * Of the time between two runs of the service no more counts: the machine's clock may have been set
 * meanwhile, and a clock that is a year ahead must not delete everything.
 */
const LONGEST_PAUSE_MS = 86_400_000;

/**
 * How long a storage folder has been in service. Retention goes by it: it grows with the time that
 * the service runs, and a machine's clock that is set forward or back does not move it.
 */
export class FolderAge {
	constructor(private readonly database: DatabaseSync) {}

	/** The age now, in service milliseconds; of the time since it was last kept, a day counts at most. */
	read(): number {
		const row = this.database.prepare('SELECT age_ms, real_ms FROM age').get();
		if (row === undefined) return 0;
		const pauseMs = Date.now() - Number(row.real_ms);
		return Number(row.age_ms) + Math.min(LONGEST_PAUSE_MS, Math.max(0, pauseMs));
	}

	/** Keeps the age; a smaller one of another process changes nothing. */
	keep(ageMs: number): void {
		const statement = this.database
			.prepare(`INSERT INTO age (place, age_ms, real_ms) VALUES (1, :age, :real)
				ON CONFLICT (place) DO UPDATE SET age_ms = MAX(age_ms, :age), real_ms = :real`);
		statement.run({ age: ageMs, real: Date.now() });
	}
}
