/** What the engine is given and what it returns. Times in seconds, loudness in LUFS. */
import type { EditConfig, KnownEditStatus, StatisticsKey } from '../shared/contract.mts';
import type { HeardSpeech, TimelineEdit } from '../shared/timeRanges.mts';

/** The statuses a job passes through while the engine works on it. */
export type EngineStatus = Extract<
	KnownEditStatus,
	'PREPROCESSING' | 'CLASSIFICATION' | 'EDITING' | 'POSTPROCESSING' | 'EXPORT'
>;

/** One file of a recording, already fetched to disk. */
export interface EngineSource {
	path: string;
	/** As the client gave it, for naming the output. */
	name: string;
}

/** A job as the engine gets it. */
export interface RecordingJob {
	/** One file, or several that are tracks of one recording. */
	sources: readonly EngineSource[];
	config: Required<EditConfig>;
	/** What a recogniser heard in a recording of one track, where one was asked. */
	heard?: HeardSpeech | undefined;
	/** A longer recording is refused; for two channels at 48 kHz, in seconds. */
	longestSourceSeconds: number;
	/** An empty folder the engine may fill and that the caller removes. */
	workFolder: string;
	/** The folder the finished files are put into. */
	resultFolder: string;
}

/** What the engine made of a recording. */
export interface RecordingResult {
	/** Name of the edited file inside the result folder: one file, or the tracks in a ZIP. */
	fileName: string;
	/**
	 * Names of the files inside the result folder that `merged_audio_url` offers: the tracks mixed,
	 * and what `audio_for_edl` asks for; empty unless one of them applies.
	 */
	mergedFileNames: string[];
	/** How many edits of each kind were really applied. */
	statistics: Partial<Record<StatisticsKey, number>>;
	/** Names of the marker files inside the result folder; empty unless `export_timestamps`. */
	markerFileNames: string[];
	edits: TimelineEdit[];
	/** What did not come out as asked for, for the log and the page. */
	notes: string[];
	durationBeforeSeconds: number;
	durationAfterSeconds: number;
}
