import type { Kysely, RawBuilder, UpdateObject } from 'kysely';

import type { KnownEditStatus } from '../shared/contract.mts';
import type { Moment } from '../shared/clock.mts';
import type { Cut } from '../shared/cuts.mts';
import { idsOf, lockOwner, type Database } from './database.mts';
import { uploadIdsOf, type EditOutcome, type Failure, type StoredEdit } from './edit.mts';
import { hasValues, type Token, updateHeld } from './claims.mts';
import { EDIT_COLUMNS, editOf, readableEditsOf, removeRows } from './editRow.mts';
import { searchedNames, withName } from './fileNameSearch.mts';
import { atLeastStored } from './files/folderAge.mts';
import { fitsWith } from './quota.mts';
import type { Tables } from './schema.mts';
import { countEdits, isListed, type EditCounts, type Listed } from './editLists.mts';
import { countEnd, measureEdits, type End } from './totals.mts';

type Changes = UpdateObject<Tables, 'edits'>;

/** The fields that a new edit needs; the rest of its row follows from them. */
export type NewEdit = Pick<
	StoredEdit,
	'id' | 'ownerId' | 'createdAtMs' | 'templateId' | 'request'
> & {
	/** The decisions that a new edit begins with. */
	cuts?: readonly Cut[];
};

/** What the end of a review changes besides, and the condition that nobody ended it before. */
export interface ReviewEnd {
	values: Changes;
	condition: RawBuilder<boolean>;
}

/** Limits the response that lists them: assembling more would block other requests. */
const MAX_COMPLETED = 1_000;

/** Counts an owner's unfinished edits. */
const unfinishedOf = (tables: Kysely<Tables>, ownerId: string) =>
	tables
		.selectFrom('edits')
		.select(({ fn }) => fn.countAll<number>().as('count'))
		.where('owner_id', '=', ownerId)
		.where('finished_at_ms', 'is', null);

/** The table of edits. Times in milliseconds on the service's clock. */
export class EditStore {
	constructor(private readonly database: Database) {}

	/**
	 * Adds an edit with status PENDING; it is on disk when this returns. Returns false, and adds nothing,
	 * if its owner would have more than `most` unfinished edits.
	 */
	async add(edit: NewEdit, most = Infinity): Promise<boolean> {
		const { id, ownerId, createdAtMs, templateId } = edit;
		const uses = [...new Set(uploadIdsOf(edit))];
		return await this.database.transaction(async (tables) => {
			await lockOwner(tables, ownerId);
			const { numInsertedOrUpdatedRows: added } = await tables
				.insertInto('edits')
				.values({
					id,
					owner_id: ownerId,
					status: 'PENDING',
					template_id: templateId,
					created_at_ms: createdAtMs,
					updated_at_ms: createdAtMs,
					names: searchedNames(edit.request.sources.map(({ name }) => name)),
					request: JSON.stringify(edit.request),
					cuts: edit.cuts ? JSON.stringify(edit.cuts) : null,
				})
				// The row exists if an earlier try succeeded but its answer was lost.
				.onConflict((conflict) => conflict.column('id').doNothing())
				.executeTakeFirst();
			if (
				added === 1n &&
				(await unfinishedOf(tables, ownerId).executeTakeFirstOrThrow()).count > most
			) {
				await tables.deleteFrom('edits').where('id', '=', id).execute();
				return false;
			}
			if (uses.length === 0) return true;
			await tables
				.insertInto('upload_uses')
				.values(uses.map((uploadId) => ({ upload_id: uploadId, edit_id: id })))
				.onConflict((conflict) => conflict.doNothing())
				.execute();
			return true;
		});
	}

	/** Returns the edit with this id, regardless of its owner. */
	async find(id: string): Promise<StoredEdit | undefined> {
		// PostgreSQL accepts no NUL in a text, not even in a search.
		if (id.includes('\0')) return undefined;
		const row = await this.database.run((tables) =>
			tables.selectFrom('edits').select(EDIT_COLUMNS).where('id', '=', id).executeTakeFirst(),
		);
		return row && editOf(row);
	}

	/** Returns the owner of an edit, even if its row is otherwise unreadable. */
	async ownerOf(id: string): Promise<string | undefined> {
		const row = await this.database.run((tables) =>
			tables.selectFrom('edits').select('owner_id').where('id', '=', id).executeTakeFirst(),
		);
		return row?.owner_id;
	}

	/**
	 * Counts the edits of one owner, or of all owners, by what they are doing.
	 * @param search words in their file names
	 */
	async counts(ownerId: string | null, search = ''): Promise<EditCounts> {
		return await countEdits(this.database, ownerId, search);
	}

	/**
	 * Returns the newest edits of one owner, or of all owners, newest first.
	 * @param list which are listed, and how many newer ones are left out
	 */
	async newest(
		count: number,
		ownerId: string | null = null,
		{ from = 0, ...listed }: Listed & { from?: number } = {},
	): Promise<StoredEdit[]> {
		const rows = await this.database.run((tables) =>
			tables
				.selectFrom('edits')
				.select(EDIT_COLUMNS)
				.$if(ownerId !== null, (edits) => edits.where('owner_id', '=', ownerId))
				.where(isListed(listed))
				.orderBy('sequence', 'desc')
				.limit(count)
				.offset(from)
				.execute(),
		);
		return readableEditsOf(rows);
	}

	/**
	 * Returns the queued and interrupted edits, oldest first, without those that wait for a review.
	 * Edits that were running when a process died come last, because they may have killed it.
	 */
	async unfinished(): Promise<Array<Pick<StoredEdit, 'id' | 'ownerId'>>> {
		return await this.database.run((tables) =>
			tables
				.selectFrom('edits')
				.select(['id', 'owner_id as ownerId'])
				.where('finished_at_ms', 'is', null)
				.where('review_until_age_ms', 'is', null)
				.orderBy('attempts')
				.orderBy('sequence')
				.execute(),
		);
	}

	/** Returns the ids of the same edits. */
	async unfinishedIds(): Promise<string[]> {
		return (await this.unfinished()).map(({ id }) => id);
	}

	/** Counts the unfinished edits of an owner that were submitted before another of the same owner. */
	async countBefore({ id, ownerId }: Pick<StoredEdit, 'id' | 'ownerId'>): Promise<number> {
		const row = await this.database.run((tables) =>
			unfinishedOf(tables, ownerId)
				.where('review_until_age_ms', 'is', null)
				.where('sequence', '<', tables.selectFrom('edits').select('sequence').where('id', '=', id))
				.executeTakeFirstOrThrow(),
		);
		return row.count;
	}

	/** Sets unfinished edits that had left PENDING to RETRY and returns their ids. */
	async interrupt(nowMs: number): Promise<Set<string>> {
		const interrupted = await idsOf(this.database, (tables) =>
			tables
				.updateTable('edits')
				.set({ status: 'RETRY', updated_at_ms: nowMs, recognized_percent: null })
				.where('finished_at_ms', 'is', null)
				.where('status', '<>', 'PENDING')
				.where('review_until_age_ms', 'is', null)
				.returning('id'),
		);
		return new Set(interrupted);
	}

	/** Returns the ids of all edits. */
	async ids(): Promise<Set<string>> {
		return new Set(await idsOf(this.database, (tables) => tables.selectFrom('edits').select('id')));
	}

	/** Returns an owner's successful edits with a template since a folder age, newest first. */
	async completed(templateId: number, ownerId: string, sinceAgeMs: number): Promise<StoredEdit[]> {
		const rows = await this.database.run((tables) =>
			tables
				.selectFrom('edits')
				.select(EDIT_COLUMNS)
				.where('template_id', '=', templateId)
				.where('owner_id', '=', ownerId)
				.where('status', '=', 'SUCCESS')
				.where('finished_age_ms', '>=', sinceAgeMs)
				.orderBy('finished_age_ms', 'desc')
				.orderBy('sequence', 'desc')
				.limit(MAX_COMPLETED)
				.execute(),
		);
		return readableEditsOf(rows);
	}

	/** Returns the ids of edits that ended before a folder age. */
	async idsFinishedBefore(ageMs: number): Promise<string[]> {
		return await idsOf(this.database, (tables) =>
			tables.selectFrom('edits').select('id').where('finished_age_ms', '<', ageMs),
		);
	}

	/** Sets the status of an unfinished edit, unless another process took it over. */
	async setStatus(id: string, status: KnownEditStatus, nowMs: number, token: Token = null) {
		await this.update(id, { status, updated_at_ms: nowMs, recognized_percent: null }, token);
	}

	/** Sets how much of the speech of an unfinished edit is recognized, until its next status. */
	async setRecognized(id: string, recognized_percent: number | null, token: Token = null) {
		await this.update(id, { recognized_percent }, token);
	}

	/**
	 * Counts the bytes of an unfinished edit's result if all files of the owner stay within the quota.
	 * Returns false if not, and when the edit was deleted or taken over by another process.
	 */
	async reserve(
		{ id, ownerId }: Pick<StoredEdit, 'id' | 'ownerId'>,
		bytes: number,
		quotaBytes: number,
		token: Token = null,
	): Promise<boolean> {
		return await this.database.transaction(async (tables) => {
			await lockOwner(tables, ownerId);
			const fits = fitsWith(ownerId, id, bytes, quotaBytes);
			return await updateHeld(tables, id, { bytes }, token, fits);
		});
	}

	/** An edit that begins again has no bytes: its earlier result is gone. */
	async countNoBytes(id: string, token: Token = null): Promise<void> {
		await this.update(id, { bytes: 0 }, token);
	}

	/**
	 * Ends an edit with SUCCESS, which makes its files downloadable. Returns false when the edit was
	 * deleted, has ended already or was taken over by another process.
	 */
	async succeed(
		id: string,
		outcome: EditOutcome,
		moment: Moment,
		token: Token = null,
		review?: ReviewEnd,
	): Promise<boolean> {
		// A host may have named its recording only when that was fetched.
		const names = withName(outcome.fileName);
		const ended = { status: 'SUCCESS', outcome: JSON.stringify(outcome), names };
		const recordingMs = Math.round(outcome.durationBeforeSeconds * 1_000);
		const end = { failedIn: '', kind: '', recordingMs };
		return await this.finish(id, ended, end, moment, token, review);
	}

	/** Ends an edit with FAILURE. Returns false in the same cases as `succeed`. */
	async fail(
		id: string,
		failure: Failure,
		moment: Moment,
		token: Token = null,
		review?: ReviewEnd,
	): Promise<boolean> {
		const { reason, kind, failedIn } = failure;
		// PostgreSQL accepts no NUL in a text.
		const ended = {
			status: 'FAILURE',
			failure_reason: reason.replaceAll('\0', ''),
			...(!failure.keepsFiles && { bytes: 0 }),
		};
		return await this.finish(id, ended, { failedIn, kind, recordingMs: 0 }, moment, token, review);
	}

	/** Reads the figures about the edits of all owners. */
	async measure() {
		return await measureEdits(this.database);
	}

	/** Removes edits and their links to uploads from the database, but no files. */
	async remove(ids: readonly string[]): Promise<void> {
		await this.database.transaction(async (tables) => {
			for (const id of ids) await removeRows(tables, id);
		});
	}

	private async finish(
		id: string,
		ended: Changes,
		end: End,
		moment: Moment,
		token: Token,
		review?: ReviewEnd,
	): Promise<boolean> {
		const { nowMs, ageMs } = moment;
		const times = { updated_at_ms: nowMs, finished_at_ms: nowMs, recognized_percent: null };
		const values = {
			...ended,
			...times,
			finished_age_ms: atLeastStored(ageMs),
			...review?.values,
			review_until_age_ms: null,
		};
		const hasEnded = await this.database.transaction(async (tables) => {
			const isFirst = await updateHeld(tables, id, values, token, review?.condition);
			if (isFirst) await countEnd(tables, id, end);
			return isFirst;
		});
		if (hasEnded) return true;
		// Also who approved: two people may in the same millisecond.
		return await this.database.run((tables) => hasValues(tables, id, values));
	}

	/** Updates an unfinished edit if the claim is still the caller's. Returns whether it was. */
	private async update(id: string, values: Changes, token: Token): Promise<boolean> {
		return await this.database.run((tables) => updateHeld(tables, id, values, token));
	}
}
