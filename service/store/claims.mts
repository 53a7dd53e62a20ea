import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** The right to work on an edit, for one run of it. */
export interface Claim {
	readonly jobId: string;
	/** Unique to this run. */
	readonly token: string;
}

/** The statements on the table of claims, prepared once. */
function prepare(database: DatabaseSync) {
	return {
		take: database.prepare(`INSERT INTO claims (job_id, token, until_ms) VALUES (:id, :token, :until)
			ON CONFLICT (job_id) DO UPDATE SET token = :token, until_ms = :until WHERE until_ms <= :now`),
		renew: database.prepare(`UPDATE claims SET until_ms = :until WHERE job_id = :id
			AND token = :token AND EXISTS (SELECT 1 FROM jobs WHERE id = :id)`),
		held: database.prepare(`SELECT 1 FROM claims JOIN jobs ON jobs.id = claims.job_id
			WHERE claims.job_id = ? AND claims.token = ?`),
		until: database.prepare('SELECT until_ms FROM claims WHERE job_id = ?'),
		release: database.prepare('DELETE FROM claims WHERE job_id = ? AND token = ?'),
		removeDead: database.prepare('DELETE FROM claims WHERE until_ms <= ?'),
	};
}

/**
 * Which edits are under work, when several processes share a database: what a queue hands out twice
 * is still worked on once. A claim is good for a while of real time and is renewed; that of a process
 * that died runs out. It ends with the edit's row, too: deleting the row stops the work.
 */
export class Claims {
	readonly #statements: ReturnType<typeof prepare>;

	/** @param leaseMs how long a claim is good when it is not renewed, real milliseconds. */
	constructor(
		database: DatabaseSync,
		readonly leaseMs: number,
	) {
		this.#statements = prepare(database);
	}

	/** Claims an edit; undefined while another claim is valid. */
	take(jobId: string): Claim | undefined {
		const token = randomUUID();
		const now = Date.now();
		const row = { id: jobId, token, now, until: now + this.leaseMs };
		return this.#statements.take.run(row).changes === 1 ? { jobId, token } : undefined;
	}

	/** Makes a claim good for another while, unless it was lost. */
	renew({ jobId, token }: Claim): void {
		this.#statements.renew.run({ id: jobId, token, until: Date.now() + this.leaseMs });
	}

	/** Whether nobody took the edit over and its row is there. */
	isHeld({ jobId, token }: Claim): boolean {
		return this.#statements.held.get(jobId, token) !== undefined;
	}

	/** Ends a claim. */
	release({ jobId, token }: Claim): void {
		this.#statements.release.run(jobId, token);
	}

	/** How long the claim on an edit is still valid, real milliseconds; 0 without a claim. */
	leftMs(jobId: string): number {
		const until = this.#statements.until.get(jobId)?.until_ms;
		return Math.max(0, Number(until ?? 0) - Date.now());
	}

	/** Removes the claims that ran out more than a day ago: no process still believes in them. */
	removeDead(): void {
		this.#statements.removeDead.run(Date.now() - 86_400_000);
	}
}
