import { sql } from 'kysely';

/** The bytes of all files of an owner, except those of one edit or upload. */
export const othersOf = (ownerId: string, exceptId: string) => sql<number>`(
	(SELECT COALESCE(SUM(bytes), 0) FROM edits WHERE owner_id = ${ownerId} AND id <> ${exceptId})
	+ (SELECT COALESCE(SUM(bytes), 0) FROM uploads WHERE owner_id = ${ownerId} AND id <> ${exceptId}))`;
