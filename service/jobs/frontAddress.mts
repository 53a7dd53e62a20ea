import type { DatabaseSync } from 'node:sqlite';

/** Tells the workers that share a database where the service is reached. */
export function announceFront(database: DatabaseSync, url: string): void {
	const statement = database.prepare('INSERT OR REPLACE INTO front (place, url) VALUES (1, ?)');
	statement.run(url);
}

/** Where the service was reached when it last started, without a slash at the end. */
export function frontAddress(database: DatabaseSync): string | undefined {
	const row = database.prepare('SELECT url FROM front').get();
	return row === undefined ? undefined : String(row.url);
}
