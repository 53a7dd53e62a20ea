/** A file that means no good. */
export interface HostileFile {
	/** What it tries. */
	what: string;
	name: string;
	bytes: Buffer;
	/** Whether there is sound in the file itself, which may leave the machine. */
	hasSound: boolean;
	/** Whether it is edited as a video. */
	isVideo?: boolean;
}

/** What files point at: a recording beside the service, and a server that nobody may ask. */
export interface Targets {
	recordingPath: string;
	serverUrl: string;
	/** For what ffmpeg has to make. */
	folder: string;
}
