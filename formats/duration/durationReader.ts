import { usableSeconds } from '../values';
import { HeaderWalk } from './headerWalk';
import { Mp3Frames } from './mp3Frames';
import { isMovie, mp4Headers } from './mp4Headers';
import { isWav, wavHeaders } from './wavHeaders';

/** How many bytes show the format of a file. */
const START_BYTES = 12;

/** Reads the length of an MP3, WAV, M4A or MP4 file that comes in chunks, of which it keeps nearly nothing. */
export class DurationReader {
	private start: Buffer = Buffer.alloc(0);

	/** Whether the start has shown the format. */
	private isBegun = false;

	/** The headers of a WAV, M4A or MP4 file. */
	private headers?: HeaderWalk;

	/** The frames of any other file. */
	private frames?: Mp3Frames;

	push(chunk: Buffer): void {
		let bytes = chunk;
		if (!this.isBegun) {
			bytes = this.start = Buffer.concat([this.start, chunk]);
			if (bytes.length < START_BYTES) return;
			this.isBegun = true;
			this.headers = headersOf(bytes);
			// Separate tracks come as a ZIP file, in which the frames of the first one would be found.
			if (this.headers === undefined && !isZip(bytes)) this.frames = new Mp3Frames();
			this.start = Buffer.alloc(0);
		}
		this.headers?.push(bytes);
		this.frames?.push(bytes);
	}

	/** The length after the last chunk, in seconds; undefined if the file does not tell. */
	seconds(): number | undefined {
		const seconds = usableSeconds(
			this.headers?.found?.(this.headers.fileBytes) ?? this.frames?.seconds(),
		);
		return seconds === 0 ? undefined : seconds;
	}
}

const isZip = (start: Buffer) => start.toString('latin1', 0, 4) === 'PK\x03\x04';

function headersOf(start: Buffer): HeaderWalk | undefined {
	if (isWav(start)) return new HeaderWalk(wavHeaders());
	return isMovie(start) ? new HeaderWalk(mp4Headers()) : undefined;
}
