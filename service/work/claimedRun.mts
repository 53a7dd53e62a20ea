import type { KnownEditStatus } from '../shared/contract.mts';
import { messageOf } from '../shared/failures.mts';
import type { Arrival } from '../store/quota.mts';
import type { RunFolders } from '../store/files/scratch.mts';
import type { StoredEdit } from '../store/edit.mts';
import { withRetries, type RetryPlan } from '../outbound/retries.mts';
import type { EditTools } from './editTools.mts';
import type { StatusTrack } from './statusTrack.mts';
import type { Turn } from './turn.mts';

/**
 * A run's right to its edit. With `--queue`, a process that stalls may lose it to another process.
 */
export interface RunClaim {
	/** The token of the claim; null without `--queue`. */
	token: string | null;
	/**
	 * Checks that this process still has the edit; if not, aborts the run's signal.
	 * @throws DatabaseTrouble
	 */
	readonly confirm: () => Promise<void>;
	/** Called when the edit begins to wait and leaves its place at the processor. */
	readonly onWait?: () => void;
}

/** The claim without `--queue`, where one process works alone. */
export const UNSHARED: RunClaim = { token: null, confirm: () => Promise.resolve() };

/** One run of an edit. */
export interface Run {
	edit: StoredEdit;
	tools: EditTools;
	track: StatusTrack;
	signal: AbortSignal;
	claim: RunClaim;
	turn: Turn;
	folders: RunFolders;
	/** Counts what this run puts on disk. */
	arrival: Arrival;
}

/** A run that has no folders yet. */
export type BegunRun = Omit<Run, 'folders'>;

/** @throws the signal's reason when this run has lost its edit or must stop. */
export async function confirmClaim({ claim, signal }: Run): Promise<void> {
	await claim.confirm();
	signal.throwIfAborted();
}

/**
 * Runs a step that waits for a source, a server or the client's storage, and retries it after
 * transient trouble, with the edit in RETRY. Frees the edit's place at the processor.
 * @param status the status to return to before each retry.
 * @param patience see `RetryPlan`; steps on the service's own object storage are patient.
 */
export async function retried<T>(
	run: BegunRun,
	status: KnownEditStatus,
	step: () => Promise<T>,
	patience: Pick<RetryPlan, 'isPatient' | 'deadlineMs'> = {},
): Promise<T> {
	await run.turn.leave();
	const plan: RetryPlan = {
		onTrouble: async (trouble) => {
			await run.track.enter('RETRY');
			run.track.say(`will retry (${messageOf(trouble)})`);
		},
		onNextTry: () => run.track.enter(status),
		...patience,
	};
	return await withRetries(step, plan, run.tools.clock, run.signal);
}
