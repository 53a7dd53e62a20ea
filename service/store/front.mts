import type { DatabaseSync } from 'node:sqlite';

import { z } from 'zod';

const frontSchema = z.object({
	/** Where clients reach it, without a slash at the end. */
	url: z.string(),
	/** Whether edits may reach this machine and private networks. */
	allowPrivateSources: z.boolean(),
	retentionDays: z.number(),
});

/** What the work on an edit has to know about the process that answers requests. */
export type Front = z.infer<typeof frontSchema>;

/** Until a front has announced itself there is no edit, and this can do no harm. */
export const NO_FRONT: Front = { url: '', allowPrivateSources: false, retentionDays: 0 };

/** Tells the workers that share a database about the process that answers requests. */
export function announceFront(database: DatabaseSync, front: Front): void {
	const statement = database.prepare('INSERT OR REPLACE INTO front (place, facts) VALUES (1, ?)');
	statement.run(JSON.stringify(front));
}

/** What was last announced. */
export function announcedFront(database: DatabaseSync): Front {
	const facts = database.prepare('SELECT facts FROM front').get()?.facts;
	return typeof facts === 'string' ? frontSchema.parse(JSON.parse(facts)) : NO_FRONT;
}
