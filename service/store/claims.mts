import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** The exclusive right to work on an edit, for one run. */
export interface Claim {
	readonly editId: string;
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
 * Claims on running edits, for processes that share a database: even if the queue hands out an edit
 * twice, only one process works on it. A claim expires unless it is renewed, so a dead process loses
 * its edits. Deleting the edit's row also ends the claim, which stops the work.
 */
export class Claims {
	readonly #statements: ReturnType<typeof prepare>;

	/** @param leaseMs real milliseconds that a claim lasts without renewal. */
	constructor(
		database: DatabaseSync,
		readonly leaseMs: number,
	) {
		this.#statements = prepare(database);
	}

	/** Claims an edit. Returns undefined while another claim is valid. */
	take(editId: string): Claim | undefined {
		const token = randomUUID();
		const now = Date.now();
		const row = { id: editId, token, now, until: now + this.leaseMs };
		return this.#statements.take.run(row).changes === 1 ? { editId, token } : undefined;
	}

	/** Extends a claim by `leaseMs` from now; does nothing once it is lost. */
	renew({ editId, token }: Claim): void {
		this.#statements.renew.run({ id: editId, token, until: Date.now() + this.leaseMs });
	}

	/** Whether the claim still holds: no other process took over, and the edit's row exists. */
	isHeld({ editId, token }: Claim): boolean {
		return this.#statements.held.get(editId, token) !== undefined;
	}

	/** Ends a claim. */
	release({ editId, token }: Claim): void {
		this.#statements.release.run(editId, token);
	}

	/** Real milliseconds until the claim on an edit expires; 0 without a claim. */
	leftMs(editId: string): number {
		const until = this.#statements.until.get(editId)?.until_ms;
		return Math.max(0, Number(until ?? 0) - Date.now());
	}

	/** Removes claims that expired over a day ago: no process can still rely on them. */
	removeDead(): void {
		this.#statements.removeDead.run(Date.now() - 86_400_000);
	}
}
