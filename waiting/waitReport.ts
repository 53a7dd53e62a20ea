import type { Edit, EditProgress } from '../api/contract';
import type { RequestFailure } from '../api/failure';

/** An edit to wait for. */
export interface SubmittedEdit {
	readonly editId: string;
	/** When it was created, in milliseconds since 1970, where that is known. */
	readonly submittedAtMs?: number;
	/** Time from its submission to the first poll, in milliseconds, where the service asked for one. */
	readonly firstPollAfterMs?: number;
}

/** How a wait for one edit ended. */
export type WaitEnd =
	/** Status SUCCESS. */
	| 'succeeded'
	/** Status FAILURE. */
	| 'failed'
	/** The time was up. */
	| 'stillRunning'
	/** PENDING again after the service had worked on it: the service may no longer know it. */
	| 'vanished'
	/** The service refused the request. */
	| 'refused'
	/** The execution was stopped, or another edit's failure ended the wait. */
	| 'abandoned';

/** A status and when it was first seen. */
export interface StatusChange {
	readonly status: string;
	/** Seconds since the submission, or since the wait began where that is unknown. */
	readonly atSeconds: number;
	/** How far the service was when the edit was last seen in this status, where it says so. */
	readonly progress?: EditProgress;
	/** Why the edit failed, where the service says so. */
	readonly reason?: string;
}

/** How the wait for one edit went. */
export interface WaitReport {
	readonly editId: string;
	readonly end: WaitEnd;
	/** The edit as last read. */
	readonly edit?: Edit;
	/** The last poll's failure, if it failed. */
	readonly failure?: RequestFailure;
	/** How many status calls failed, by cause, such as `429` or `unreachable`. */
	readonly troubles: Readonly<Record<string, number>>;
	readonly history: readonly StatusChange[];
	readonly polls: number;
	readonly waitedSeconds: number;
	/** How long the edit has been PENDING again after the service had worked on it; missing if it is not. */
	readonly pendingAgainSeconds?: number;
}

/** What remains of a report when its edit is not needed any more. */
export type EndedWait = Omit<WaitReport, 'edit'>;
