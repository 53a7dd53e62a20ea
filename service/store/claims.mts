import { randomUUID } from 'node:crypto';

import { sql, type Kysely, type UpdateObject } from 'kysely';

import { idsOf, isPostgres, type Database } from './database.mts';
import type { Tables } from './schema.mts';

/** The exclusive right to work on an edit, for one run. */
export interface Claim {
	readonly editId: string;
	/** Unique to this run. */
	readonly token: string;
}

/** The token of the claim under which an edit is written; null without `--queue`. */
export type Token = string | null;

const DAY_MS = 86_400_000;

/** Another process may have a longer lease than this one, but not by more than this. */
const MAX_LEASES = 10;

/**
 * Claims on running edits, for processes that share a database: even if the queue hands out an edit
 * twice, only one process works on it. A claim expires unless it is renewed, so a dead process loses
 * its edits. Deleting the edit's row also ends the claim, which stops the work. All times are on the
 * database's clock.
 */
export class Claims {
	/** @param leaseMs real milliseconds that a claim lasts without renewal. */
	constructor(
		private readonly database: Database,
		readonly leaseMs: number,
	) {}

	/** Claims an edit. Returns undefined while another claim is valid. */
	async claim(editId: string): Promise<Claim | undefined> {
		const token = randomUUID();
		const { clock } = this.database;
		const claimed = await this.database.run((tables) =>
			tables
				.insertInto('claims')
				.values({ edit_id: editId, token, until_ms: this.end() })
				.onConflict((conflict) =>
					conflict
						.column('edit_id')
						.doUpdateSet({ token, until_ms: this.end() })
						// A repeated statement finds its own token.
						.where((claim) =>
							claim.or([claim('claims.until_ms', '<=', clock), claim('claims.token', '=', token)]),
						),
				)
				.returning('token')
				.executeTakeFirst(),
		);
		return claimed && { editId, token };
	}

	/** Extends a claim by `leaseMs` from now; does nothing once it is lost. */
	async renew({ editId, token }: Claim): Promise<void> {
		await this.database.run((tables) =>
			tables
				.updateTable('claims')
				.set({ until_ms: this.end() })
				.where('edit_id', '=', editId)
				.where('token', '=', token)
				.where((row) => row.exists(row.selectFrom('edits').select('id').where('id', '=', editId)))
				.execute(),
		);
	}

	/** Whether the claim still holds: no other process took over, and the edit's row exists. */
	async isHeld(claim: Claim): Promise<boolean> {
		return (await this.heldTokens([claim])).has(claim.token);
	}

	/** Returns the tokens, among those of the claims, that still hold. */
	async heldTokens(claims: readonly Claim[]): Promise<Set<string>> {
		if (claims.length === 0) return new Set();
		const tokens = claims.map(({ token }) => token);
		const rows = await this.database.run((tables) =>
			tables
				.selectFrom('claims')
				.innerJoin('edits', 'edits.id', 'claims.edit_id')
				.select('claims.token')
				.where('claims.token', 'in', tokens)
				.execute(),
		);
		return new Set(rows.map(({ token }) => token));
	}

	/** Returns the ids of the edits that some process is working on. */
	async claimedIds(): Promise<Set<string>> {
		const { clock } = this.database;
		const ids = await idsOf(this.database, (tables) =>
			tables.selectFrom('claims').select('edit_id as id').where('until_ms', '>', clock),
		);
		return new Set(ids);
	}

	/** Ends a claim. */
	async release({ editId, token }: Claim): Promise<void> {
		await this.database.run((tables) =>
			tables
				.deleteFrom('claims')
				.where('edit_id', '=', editId)
				.where('token', '=', token)
				.execute(),
		);
	}

	/** Real milliseconds until the claim on an edit expires; 0 without a claim. */
	async leftMs(editId: string): Promise<number> {
		const claim = await this.database.run((tables) =>
			tables
				.selectFrom('claims')
				.select(sql<number>`until_ms - ${this.database.clock}`.as('left_ms'))
				.where('edit_id', '=', editId)
				.executeTakeFirst(),
		);
		return Math.max(0, claim?.left_ms ?? 0);
	}

	/**
	 * Removes claims that expired over a day ago: no process can still rely on them. Shortens those that no process
	 * can have made: since then, the database's clock was set back. Whoever is alive renews its claim.
	 */
	async removeDead(): Promise<void> {
		const latest = sql<number>`${this.database.clock} + ${sql.lit(MAX_LEASES * this.leaseMs)}`;
		await this.database.run((tables) =>
			tables
				.updateTable('claims')
				.set({ until_ms: latest })
				.where('until_ms', '>', latest)
				.execute(),
		);
		await this.database.run((tables) =>
			tables
				.deleteFrom('claims')
				.where('until_ms', '<=', sql<number>`${this.database.clock} - ${sql.lit(DAY_MS)}`)
				.execute(),
		);
	}

	/** When a claim taken now expires, on the database's clock. */
	private end() {
		return sql<number>`${this.database.clock} + ${sql.lit(this.leaseMs)}`;
	}
}

/**
 * Whether the row of an edit has these values: a statement may have been repeated after it took effect.
 * Values that the database computes are not compared.
 */
export async function hasValues(
	tables: Kysely<Tables>,
	id: string,
	values: UpdateObject<Tables, 'edits'>,
): Promise<boolean> {
	const given = Object.entries(values).filter(([, value]) => !(value instanceof Object));
	const names = given.map(([name]) => name as keyof Tables['edits']);
	const edits = tables.selectFrom('edits').select(names).where('id', '=', id);
	const row: Record<string, unknown> | undefined = await edits.executeTakeFirst();
	return row !== undefined && given.every(([name, value]) => row[name] === value);
}

/**
 * Updates an unfinished edit, which only takes effect under the caller's claim and on a condition.
 * Returns whether it did.
 */
export async function updateHeld(
	tables: Kysely<Tables>,
	id: string,
	values: UpdateObject<Tables, 'edits'>,
	token: Token,
	condition = sql<boolean>`TRUE`,
): Promise<boolean> {
	const { numUpdatedRows } = await tables
		.updateTable('edits')
		.set(values)
		.where('id', '=', id)
		.where('finished_at_ms', 'is', null)
		.where(condition)
		.$if(token !== null, (edits) =>
			edits.where((edit) =>
				edit.exists(
					edit
						.selectFrom('claims')
						.select('token')
						.where('edit_id', '=', id)
						.where('token', '=', token ?? '')
						// Nobody takes the edit over before this statement is committed.
						.$if(isPostgres(tables), (claim) => claim.forShare()),
				),
			),
		)
		.executeTakeFirst();
	return numUpdatedRows === 1n;
}
