import { z } from 'zod';

import { DEFAULT_EDIT_LIMITS, editLimitsSchema } from '../shared/editLimits.mts';
import type { Database } from './database.mts';
import { ONLY_ROW } from './schema.mts';

const frontSchema = z.object({
	/** Where clients reach it, without a trailing slash. */
	url: z.string(),
	/** Whether edits may reach this machine and private networks. */
	allowPrivateSources: z.boolean(),
	retentionDays: z.number(),
	/** The object storage of its files; null for its folder, undefined until it announces itself. */
	objectStorage: z.string().nullable().optional(),
	editLimits: editLimitsSchema,
});

/** What a worker needs to know about the process that answers requests. */
export type Front = z.infer<typeof frontSchema>;

/** Used until a front announces itself; before that there are no edits. */
export const NO_FRONT: Front = {
	url: '',
	allowPrivateSources: false,
	retentionDays: 0,
	editLimits: DEFAULT_EDIT_LIMITS,
};

/**
 * Stores the facts about this process, which answers requests, for the workers to read. Several such
 * processes have the same flags, so it does not matter which one is last.
 */
export async function announceFront(database: Database, front: Front): Promise<void> {
	const facts = JSON.stringify(front);
	await database.run((tables) =>
		tables
			.insertInto('front')
			.values({ place: ONLY_ROW, facts })
			.onConflict((conflict) => conflict.column('place').doUpdateSet({ facts }))
			.execute(),
	);
}

/** Returns what was last announced, or `NO_FRONT`. */
export async function announcedFront(database: Database): Promise<Front> {
	const row = await database.run((tables) =>
		tables.selectFrom('front').select('facts').executeTakeFirst(),
	);
	return row === undefined ? NO_FRONT : frontSchema.parse(JSON.parse(row.facts));
}
