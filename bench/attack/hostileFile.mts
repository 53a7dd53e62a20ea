/** A hostile file. */
export interface HostileFile {
	/** What it attempts. */
	what: string;
	name: string;
	bytes: Buffer;
	/** Whether the file itself has audio, which may leave the machine. */
	hasSound: boolean;
	/** Whether to edit it as a video. */
	isVideo?: boolean;
}

/** What hostile files point at: a recording, and a server that must not receive requests. */
export interface Targets {
	recordingPath: string;
	serverUrl: string;
	/** For files that ffmpeg creates. */
	folder: string;
}
