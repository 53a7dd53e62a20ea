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

	private format?: HeaderWalk | Mp3Frames;

	push(chunk: Buffer): void {
		if (this.format !== undefined) {
			this.format.push(chunk);
			return;
		}
		this.start = Buffer.concat([this.start, chunk]);
		if (this.start.length < START_BYTES) return;
		this.format = formatOf(this.start);
		this.format.push(this.start);
		this.start = Buffer.alloc(0);
	}

	/** The length after the last chunk, in seconds; undefined if the file does not tell. */
	seconds(): number | undefined {
		const seconds = usableSeconds(this.format?.seconds());
		return seconds === 0 ? undefined : seconds;
	}
}

function formatOf(start: Buffer): HeaderWalk | Mp3Frames {
	if (isWav(start)) return new HeaderWalk(wavHeaders());
	return isMovie(start) ? new HeaderWalk(mp4Headers()) : new Mp3Frames();
}
