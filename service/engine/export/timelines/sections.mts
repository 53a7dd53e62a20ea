import type { Media } from '../waveform.mts';

/** A file on a timeline. */
export interface TimelineFile {
	/** As editors find it: beside the timeline. */
	url: string;
	name: string;
	/** Its whole frames. */
	frames: number;
	media: Media;
	/** Whether it was put into the recording. */
	isKit?: boolean;
}

/** A section of a timeline in which no file begins or ends. */
export interface Section {
	/** In frames of the uncut recording, or of a file that was put into it. */
	start: number;
	frames: number;
	/** Where it begins on the timeline. */
	position: number;
	/** Silenced instead of cut out. */
	isMuted: boolean;
	/** What is there; a file with a picture comes first. */
	files: readonly TimelineFile[];
}

/** Lengths are sums of samples, so a whole number of frames may lack this much. */
export const TOLERANCE_FRAMES = 0.001;
