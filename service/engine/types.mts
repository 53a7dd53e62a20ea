/** The engine's input and output. Times in seconds, loudness in LUFS. */
import type {
	EditConfig,
	KnownEditStatus,
	LocalSettings,
	StatisticsKey,
} from '../shared/contract.mts';
import type { EditLimits } from '../shared/editLimits.mts';
import type { RecognizedSpeech, TimelineEdit } from '../shared/timeRanges.mts';
import type { Cut } from '../shared/cuts.mts';
import type { Insertion, KitPlace } from '../shared/showKit.mts';
import type { ChosenSound } from './soundTracks.mts';
import type { LoudnessChange } from './level/normalizeLoudness.mts';
import type { KeptRecording } from './review/keptSchema.mts';

/** The statuses an edit passes through in the engine. */
export type EngineStatus = Extract<
	KnownEditStatus,
	'PREPROCESSING' | 'CLASSIFICATION' | 'EDITING' | 'POSTPROCESSING' | 'EXPORT'
>;

/** Called before each stage with its status; an error from it ends the edit. */
export type OnStatus = (status: EngineStatus) => void | Promise<void>;

/** One file of a recording, on disk. */
export interface EngineSource {
	path: string;
	/** The name from the client, on which the output name is based. */
	name: string;
	/** What was found when its sizes were compared with its bytes. */
	notes?: readonly string[];
	/** Its sound, once somebody has listened to it. */
	sound?: ChosenSound | undefined;
}

/** An intro, outro or insert of a show. */
export interface KitPart {
	source: EngineSource;
	place: KitPlace;
}

/** One edit of a recording, as the engine receives it. */
export interface RecordingRequest {
	/** One file, or several tracks of one recording. */
	sources: readonly EngineSource[];
	/** What is heard before it, after it and within it. */
	kit?: readonly KitPart[] | undefined;
	config: Required<EditConfig>;
	/** What a recognizer found in a single-track recording, if there was one. */
	recognized?: RecognizedSpeech | undefined;
	/** What these words may change; default: no cut. */
	local?: LocalSettings | undefined;
	/** The operator's limits; default: `DEFAULT_EDIT_LIMITS`. */
	limits?: EditLimits | undefined;
	/** Maximum length for two channels at 48 kHz, in seconds; longer recordings are refused. */
	maxSourceSeconds: number;
	/** An empty folder for the engine's files; the caller deletes it. */
	workFolder: string;
	/** The folder for the finished files. */
	resultFolder: string;
	/** Where to keep what a review needs (`keepRecording`), if somebody reviews this edit. */
	reviewFolder?: string | undefined;
	/** Cuts that are found and not made: a check heard that they take a word. As `edits` of an earlier result has them. */
	putBack?: readonly TimelineEdit[] | undefined;
	/** Renders these cuts from what an earlier run kept, instead of finding cuts in the sources. */
	decided?: Decided | undefined;
}

/** What somebody decided about the cuts of a recording. */
export interface Decided {
	/** The folder of what an earlier run kept. */
	folder: string;
	kept: KeptRecording;
	cuts: readonly Cut[];
}

/** The engine's result for a recording. */
export interface RecordingResult {
	/** Name of the edited file in the result folder: one file, or a ZIP of the tracks. */
	fileName: string;
	/** Name of the mix of the tracks in the result folder; empty without one. */
	mergedFileNames: string[];
	/** Names of the files of `audio_for_edl` in the result folder. */
	uncutFileNames: string[];
	/** Number of edits of each kind that were applied. */
	statistics: Partial<Record<StatisticsKey, number>>;
	/** Names of the marker files in the result folder; empty unless `export_timestamps`. */
	markerFileNames: string[];
	edits: TimelineEdit[];
	/** What was put into the edited recording. */
	insertions: Insertion[];
	/** What a review needs, if `reviewFolder` was set. */
	kept?: KeptRecording | undefined;
	/** What differs from the request, for the log and the page. */
	notes: string[];
	/** What leveling changed in the only track; null if nothing was leveled. */
	loudness: LoudnessChange | null;
	durationBeforeSeconds: number;
	durationAfterSeconds: number;
	/** By how much shorter long silences made it. */
	silencesSavedSeconds: number;
	/** By how much noise was lowered where it was lowered most, dB; 0 if none was. */
	noiseLoweredDb: number;
}
