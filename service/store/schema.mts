import type { Generated, GeneratedAlways } from 'kysely';

/** A row of an edit. Times in milliseconds on the service's clock, JSON as text. */
interface EditsTable {
	/** Increases in the order of submission. */
	sequence: GeneratedAlways<number>;
	id: string;
	owner_id: string;
	status: string;
	created_at_ms: number;
	updated_at_ms: number;
	/** When it first had a place at the processor, later by what it waited for further places. */
	started_at_ms: number | null;
	finished_at_ms: number | null;
	/** The storage's age when the edit ended, which is what retention counts by. */
	finished_age_ms: number | null;
	template_id: number | null;
	/** Its file names as searches compare them, a line each. */
	names: string;
	request: string;
	outcome: string | null;
	failure_reason: string | null;
	attempts: Generated<number>;
	bytes: Generated<number>;
	/** What is known of its review, once it has waited for one. */
	review: string | null;
	/** The age of the storage until which it waits for somebody to approve its cuts; null while it does not. */
	review_until_age_ms: number | null;
	/** How much of its speech is recognized, in percent; null while nothing is being recognized. */
	recognized_percent: number | null;
	/** How often somebody decided about its cuts. */
	review_revision: Generated<number>;
	/** The cuts, apart from `review`: there may be thousands. */
	cuts: string | null;
}

interface UploadsTable {
	id: string;
	owner_id: string;
	file_name: string;
	created_at_ms: number;
	stored_at_ms: number | null;
	age_ms: Generated<number>;
	bytes: Generated<number>;
}

interface ClaimsTable {
	edit_id: string;
	token: string;
	/** On the database's clock. */
	until_ms: number;
}

/** How many edits ended in one way, and their times together. Only grows: deleted edits still count. */
interface TotalsTable {
	status: string;
	/** For FAILURE, the status before it and the kind of reason; otherwise empty. */
	failed_in: string;
	kind: string;
	edits: number;
	wait_ms: number;
	run_ms: number;
	recording_ms: number;
}

/** A table of one row, which is JSON text. */
interface FactsTable {
	place: number;
	facts: string;
}

interface AgeTable {
	place: number;
	age_ms: number;
	/** When the age was stored, on the database's clock. */
	real_ms: number;
}

/** Files without a row, which a damaged database may have lost. */
interface UnknownFilesTable {
	kind: string;
	id: string;
	/** The storage's age when they were first seen. */
	seen_age_ms: number;
}

/** The tables of the service, the same in SQLite and PostgreSQL. */
export interface Tables {
	edits: EditsTable;
	uploads: UploadsTable;
	/** Which edits name which uploads. */
	upload_uses: { upload_id: string; edit_id: string };
	claims: ClaimsTable;
	totals: TotalsTable;
	/** The bytes of all files of each owner; triggers keep it. */
	stored_bytes: { owner_id: string; bytes: number };
	front: FactsTable;
	age: AgeTable;
	secrets: FactsTable;
	unknown_files: UnknownFilesTable;
}

/** The place of the only row in a table of one row. */
export const ONLY_ROW = 1;
