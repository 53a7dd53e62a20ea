import type { Kysely, Selectable } from 'kysely';

import { storedEditSchema, type StoredEdit } from './edit.mts';
import type { Tables } from './schema.mts';

/** All columns but the cuts, which only their review reads: there may be thousands. */
export const EDIT_COLUMNS = [
	'id',
	'owner_id',
	'status',
	'created_at_ms',
	'updated_at_ms',
	'finished_at_ms',
	'template_id',
	'request',
	'outcome',
	'failure_reason',
	'review',
	'review_until_age_ms',
	'recognized_percent',
] as const;

type Row = Pick<Selectable<Tables['edits']>, (typeof EDIT_COLUMNS)[number]>;

function jsonOrNull(text: string | null): unknown {
	return text === null ? null : JSON.parse(text);
}

/** Returns the edit in a row. @throws ZodError or SyntaxError for an unreadable row. */
export function editOf(row: Row): StoredEdit {
	return storedEditSchema.parse({
		id: row.id,
		ownerId: row.owner_id,
		status: row.status,
		createdAtMs: row.created_at_ms,
		updatedAtMs: row.updated_at_ms,
		finishedAtMs: row.finished_at_ms,
		templateId: row.template_id,
		request: jsonOrNull(row.request),
		outcome: jsonOrNull(row.outcome),
		review: jsonOrNull(row.review),
		reviewUntilAgeMs: row.review_until_age_ms,
		failureReason: row.failure_reason,
		recognizedPercent: row.recognized_percent,
	});
}

/**
 * Returns the readable edits among the rows. One unreadable row, such as one that another version of
 * the service wrote, must not hide the rest.
 */
export function readableEditsOf(rows: readonly Row[]): StoredEdit[] {
	return rows.flatMap((row) => {
		try {
			return [editOf(row)];
		} catch {
			return [];
		}
	});
}

/** Removes the row of an edit and its links to uploads, but no files. */
export async function removeRows(tables: Kysely<Tables>, id: string): Promise<void> {
	await tables.deleteFrom('edits').where('id', '=', id).execute();
	await tables.deleteFrom('upload_uses').where('edit_id', '=', id).execute();
}
