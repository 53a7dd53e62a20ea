import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

import { Kysely, PostgresDialect, sql, type RawBuilder } from 'kysely';
import type { Client, PoolConfig, QueryResult } from 'pg';

import { messageOf } from '../shared/failures.mts';
import { serverAddress, type Log } from '../shared/log.mts';
import { DatabaseTrouble, type Database } from './database.mts';
import { migrate } from './migrate.mts';
import type { Tables } from './schema.mts';

/** Connections of one process. Statements are short, and only the sweep keeps one to itself. */
const MAX_CONNECTIONS = 10;

/** Real milliseconds to wait for a connection, a statement on the server, and the server's answer. */
const CONNECTION_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 12_000;

/** Replaces connections early: one to a machine that vanished looks alive for a quarter of an hour. */
const MAX_CONNECTION_SECONDS = 60;

/** Real milliseconds to repeat a statement while the server is away: a restart takes a few seconds. */
const PATIENCE_MS = 30_000;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;

/** Real milliseconds between readings of the database's clock, and the longest that a usable reading takes. */
const CLOCK_READING_MS = 60_000;
const CLOCK_PRECISION_MS = 500;

/** The number of the lock for work that only one process may do at a time. */
const LOCK = 20_261_122;

/** PostgreSQL's type numbers of BIGINT and of its sums. A JavaScript number holds all our values exactly. */
const WHOLE_NUMBERS = [20, 1700];

/** SQLSTATEs of values that the tables refuse, today and tomorrow. Everything else may pass. */
const LASTING_STATES = /^(22|23)...$/;

/** At the start, these last, too: a wrong password, a missing database, missing rights, a broken statement. */
const LASTING_AT_START = /^(22|23|28|3D|42)...$/;

/** What pg says without a code when a connection breaks. */
const BROKEN_CONNECTION = /connection terminated|timeout|not queryable|connection error/i;

/** How Kysely asks a connection of pg. */
type Ask = (text: string, values: unknown[]) => Promise<QueryResult>;

/** Whether the same statement may succeed later. */
function mayPass(error: Error, lastingStates: RegExp): boolean {
	if (!('code' in error)) return BROKEN_CONNECTION.test(error.message);
	return !lastingStates.test(String(error.code));
}

/** Repeats work while the server is away. Logs when an outage begins and ends. */
class Patience {
	private isAway = false;

	constructor(
		private readonly address: string,
		private readonly log: Log,
	) {}

	/** @throws DatabaseTrouble after PATIENCE_MS; other errors at once. */
	async keepTrying<T>(work: () => Promise<T>, lastingStates = LASTING_STATES): Promise<T> {
		const endMs = performance.now() + PATIENCE_MS;
		for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
			try {
				const result = await work();
				if (this.isAway) this.log(`database: ${this.address} answers again`);
				this.isAway = false;
				return result;
			} catch (error) {
				if (!(error instanceof Error) || !mayPass(error, lastingStates)) throw error;
				const trouble = `the database at ${this.address} fails (${messageOf(error)})`;
				if (performance.now() > endMs) throw new DatabaseTrouble(trouble, { cause: error });
				// One broken connection is not an outage.
				if (pauseMs > FIRST_PAUSE_MS && !this.isAway) {
					this.log(`database: ${trouble}; retrying`);
					this.isAway = true;
				}
			}
			await wait(pauseMs);
		}
	}
}

/**
 * Opens a PostgreSQL database, which any number of processes on any number of machines share.
 * `pg` is imported on demand: without `--database` it is never loaded.
 *
 * @throws DatabaseTrouble when it cannot be reached for half a minute.
 */
export async function openPostgres(url: string, log: Log): Promise<Database> {
	const address = serverAddress(url);
	const patience = new Patience(address, log);
	// A migration may take as long as it needs.
	const migrating = await tablesAt({ connectionString: url, max: 2 });
	try {
		await patience.keepTrying(() => migrate(migrating), LASTING_AT_START);
	} catch (error) {
		if (error instanceof DatabaseTrouble) throw error;
		throw new Error(`Cannot use the database at ${address}: ${messageOf(error)}`, { cause: error });
	} finally {
		await migrating.destroy();
	}
	const tables = await tablesAt({
		connectionString: url,
		max: MAX_CONNECTIONS,
		maxLifetimeSeconds: MAX_CONNECTION_SECONDS,
		statement_timeout: STATEMENT_TIMEOUT_MS,
		query_timeout: ANSWER_TIMEOUT_MS,
	});
	return await databaseOf(tables, patience);
}

async function tablesAt(config: PoolConfig): Promise<Kysely<Tables>> {
	const { default: pg } = await import('pg');
	const types = new pg.TypeOverrides();
	for (const type of WHOLE_NUMBERS) types.setTypeParser(type, Number);
	const pool = new pg.Pool({
		application_name: 'audio-editing-service',
		keepAlive: true,
		connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
		types,
		...config,
	});
	// An idle connection broke. The next statement opens a new one or fails.
	pool.on('error', () => undefined);
	pool.on('connect', (client) => {
		// The same for a connection in use. Its statement fails; without a listener, so would the process.
		client.on('error', () => undefined);
		if (client instanceof pg.Client) endWhenSilent(client);
	});
	return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Ends a connection that left a statement unanswered: pg would use it again for the next try. */
function endWhenSilent(client: Client): void {
	const ask = client.query.bind(client) as Ask;
	const query: Ask = async (text, values) => {
		try {
			return await ask(text, values);
		} catch (error) {
			if (messageOf(error) === 'Query read timeout') void client.end();
			throw error;
		}
	};
	Object.assign(client, { query });
}

async function databaseOf(tables: Kysely<Tables>, patience: Patience): Promise<Database> {
	const clock = sql<number>`CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`;
	const read = () => readClock(tables, clock);
	let reading = await patience.keepTrying(read);
	const readAgain = async () => {
		const next = await read();
		if (next.uncertaintyMs <= CLOCK_PRECISION_MS) reading = next;
	};
	const timer = setInterval(() => void readAgain().catch(() => undefined), CLOCK_READING_MS);
	timer.unref();
	return {
		clock,
		nowMs: () => Math.round(reading.nowMs + performance.now() - reading.tick),
		run: (statement) => patience.keepTrying(() => statement(tables)),
		transaction: (statements) =>
			patience.keepTrying(() => tables.transaction().execute(statements)),
		ifFree: (work) => ifFree(tables, work),
		close: async () => {
			clearInterval(timer);
			await tables.destroy();
		},
	};
}

/** Reads the database's clock, and this process's tick at that moment. */
async function readClock(tables: Kysely<Tables>, clock: RawBuilder<number>) {
	return await tables.connection().execute(async (connection) => {
		const sent = performance.now();
		const { rows } = await sql<{ nowMs: number }>`SELECT ${clock} AS "nowMs"`.execute(connection);
		const uncertaintyMs = performance.now() - sent;
		return { nowMs: rows[0]?.nowMs ?? Date.now(), tick: sent + uncertaintyMs / 2, uncertaintyMs };
	});
}

/** The lock belongs to a connection, so PostgreSQL releases it when this process dies. */
async function ifFree(tables: Kysely<Tables>, work: () => Promise<void>): Promise<void> {
	await tables.connection().execute(async (connection) => {
		const taking = sql<{ isTaken: boolean }>`SELECT pg_try_advisory_lock(${LOCK}) AS "isTaken"`;
		const { rows } = await taking.execute(connection);
		if (!rows[0]?.isTaken) return;
		try {
			await work();
		} finally {
			await sql`SELECT pg_advisory_unlock(${LOCK})`.execute(connection);
		}
	});
}
