import type { DatabaseSync } from 'node:sqlite';

import { z } from 'zod';

import { DEFAULT_EDIT_LIMITS, editLimitsSchema } from '../shared/editLimits.mts';

const frontSchema = z.object({
	/** Where clients reach it, without a trailing slash. */
	url: z.string(),
	/** Whether edits may reach this machine and private networks. */
	allowPrivateSources: z.boolean(),
	retentionDays: z.number(),
	/** Older versions announce none. */
	editLimits: editLimitsSchema.default(DEFAULT_EDIT_LIMITS),
});

/** What a worker needs to know about the process that answers requests. */
export type Front = z.infer<typeof frontSchema>;

/** Used until a front announces itself; before that there are no edits. */
export const NO_FRONT: Front = {
	...{ url: '', allowPrivateSources: false, retentionDays: 0 },
	editLimits: DEFAULT_EDIT_LIMITS,
};

/** Stores the facts about this process, which answers requests, for the workers to read. */
export function announceFront(database: DatabaseSync, front: Front): void {
	const statement = database.prepare('INSERT OR REPLACE INTO front (place, facts) VALUES (1, ?)');
	statement.run(JSON.stringify(front));
}

/** Returns what was last announced, or `NO_FRONT`. */
export function announcedFront(database: DatabaseSync): Front {
	const facts = database.prepare('SELECT facts FROM front').get()?.facts;
	return typeof facts === 'string' ? frontSchema.parse(JSON.parse(facts)) : NO_FRONT;
}
