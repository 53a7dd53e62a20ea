import type { ServiceClock } from '../clock.mts';
import type { KnownEditStatus } from '../contract.mts';
import type { Mailer } from '../delivery/mail.mts';
import type { TextRoom } from '../text/textStage.mts';
import type { EnginePool } from './enginePool.mts';
import { messageOf } from './failures.mts';
import type { RunFolders } from './files.mts';
import type { FolderAge } from './folderAge.mts';
import type { Job } from './job.mts';
import { withRetries, type RetryReport } from './retries.mts';
import type { SourceRoom } from './sourceFiles.mts';
import type { StatusRoom, StatusTrack } from './statusTrack.mts';
import type { Turn, TurnRoom } from './turn.mts';

/** Everything the work on an edit needs. */
export interface JobRoom extends SourceRoom, StatusRoom, TurnRoom {
	clock: ServiceClock;
	folderAge: FolderAge;
	engine: EnginePool;
	texts: TextRoom;
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
	job: Job;
	room: JobRoom;
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
	return await withRetries(step, report, run.room.clock, run.signal);
}
