import type { Mp3Header } from '../tags/mp3/frameHeader';
import { Mp3FrameReader } from '../tags/mp3/frameReader';
import { mp3Info } from '../tags/mp3/infoFrame';

/** The length of an MP3 file: from its information frame, or from the number of its frames. */
export class Mp3Frames {
	private readonly reader = new Mp3FrameReader((frame, header) => this.count(frame, header));

	private first?: Mp3Header;

	private counted = 0;

	/** How many frames the information frame states. */
	private stated?: number;

	push(chunk: Buffer): void {
		if (this.stated === undefined) this.reader.push(chunk);
	}

	seconds(): number | undefined {
		const { first, counted, stated = counted } = this;
		return first && (stated * first.samples) / first.sampleRateHz;
	}

	private count(frame: Buffer, header: Mp3Header): void {
		if (this.first === undefined) {
			this.first = header;
			const info = mp3Info(frame, header);
			this.stated = info?.frames;
			if (info !== undefined) return;
		}
		this.counted += 1;
	}
}
