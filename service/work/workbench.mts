import type { ServiceClock } from '../shared/clock.mts';
import type { KnownEditStatus } from '../shared/contract.mts';
import type { Mailer } from '../mail/mailer.mts';
import type { TextTools } from '../text/textStage.mts';
import type { EnginePool } from '../engine/pool/enginePool.mts';
import { messageOf } from '../shared/failures.mts';
import type { RunFolders } from '../store/fileStore.mts';
import type { FolderAge } from '../store/folderAge.mts';
import type { StoredEdit } from '../store/edit.mts';
import { withRetries, type RetryReport } from '../outbound/retries.mts';
import type { FetchTools } from '../outbound/fetchSource.mts';
import type { StatusTools, StatusTrack } from './statusTrack.mts';
import type { Turn, TurnTools } from './turn.mts';

/** Everything the work on an edit needs. */
export interface Workbench extends FetchTools, StatusTools, TurnTools {
	clock: ServiceClock;
	folderAge: FolderAge;
	engine: EnginePool;
	texts: TextTools;
	mailer: Mailer;
	/** For two channels at 48 kHz, in seconds. */
	longestSourceSeconds: number;
}

/**
 * The right to work on an edit. Several processes may share a storage: one that was held up for long
 * may have been taken for dead.
 */
export interface Hold {
	/** Of the claim; null where one process works alone. */
	token: string | null;
	/** Asks whether this process may still work on the edit, and aborts its signal when not. */
	readonly confirm: () => void;
	/** Called when the edit waits for others and leaves the processor to other edits. */
	readonly onWait?: () => void;
}

/** Where one process works alone. */
export const UNSHARED: Hold = { token: null, confirm: () => undefined };

/** One edit under work. */
export interface Run {
	job: StoredEdit;
	workbench: Workbench;
	track: StatusTrack;
	signal: AbortSignal;
	hold: Hold;
	turn: Turn;
	folders: RunFolders;
}

/**
 * A step that waits for others (a source, a server, the client's storage) and is tried again after
 * transient trouble; the edit is in RETRY meanwhile. It has no place at the processor afterwards.
 */
export async function retried<T>(
	run: Run,
	status: KnownEditStatus,
	step: () => Promise<T>,
	deadlineMs?: number,
): Promise<T> {
	run.turn.leave();
	const report: RetryReport = {
		onTrouble: async (trouble) => {
			await run.track.enter('RETRY');
			run.track.say(`will be tried again (${messageOf(trouble)})`);
		},
		onNextTry: () => run.track.enter(status),
		deadlineMs,
	};
	return await withRetries(step, report, run.workbench.clock, run.signal);
}
