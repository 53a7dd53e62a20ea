import type { EditLimits } from '../shared/editLimits.mts';
import type { Mailer } from '../mail/mailer.mts';
import type { TextTools } from '../text/textStage.mts';
import type { EnginePool } from '../engine/pool/enginePool.mts';
import type { FolderAge } from '../store/files/folderAge.mts';
import type { ReviewStore } from '../store/reviewStore.mts';
import type { FetchTools } from '../outbound/fetchSource.mts';
import type { StatusTools } from './statusTrack.mts';
import type { UnknownFiles } from '../store/unknownFiles.mts';
import type { TurnTools } from './turn.mts';

/** Everything that running an edit needs. */
export interface EditTools extends FetchTools, StatusTools, TurnTools {
	engine: EnginePool;
	texts: TextTools;
	mailer: Mailer;
	reviews: ReviewStore;
	unknownFiles: UnknownFiles;
	/** The limits of the process that answers requests; called for each edit. */
	editLimits: () => EditLimits;
	/** Seconds for two channels at 48 kHz. */
	maxSourceSeconds: number;
}

/** What taking and deleting edits and their files needs. */
export type StorageTools = Pick<
	EditTools,
	'store' | 'reviews' | 'uploads' | 'unknownFiles' | 'files' | 'scratch' | 'quota' | 'clock' | 'log'
>;

/** What deleting by age needs. */
export interface SweepTools extends StorageTools {
	folderAge: FolderAge;
	/** Distinguishes services that share Redis or a bucket; the same for all processes of one service. */
	serviceName: string;
}

/** All tools of a process. */
export type ProcessTools = EditTools & SweepTools;
