import { type Mp3Frame, Mp3FrameReader, type Mp3Header } from '../tags/mp3/frames';
import { mp3Info } from '../tags/mp3/infoFrame';

/** The length of an MP3 file: from its information frame, or from the number of its frames. */
export class Mp3Frames {
	private readonly reader = new Mp3FrameReader();

	private first?: Mp3Header;

	private counted = 0;

	/** How many frames the information frame states. */
	private stated?: number;

	/** @param trustsInfo whether to believe the information frame, which is wrong in some files, or to count */
	constructor(private readonly trustsInfo = true) {}

	push(chunk: Buffer): void {
		if (this.stated !== undefined) return;
		for (const frame of this.reader.push(chunk)) this.count(frame);
	}

	/** Whether it is known that the file is an MP3 file, or that it is none. */
	get isDecided(): boolean {
		return this.first !== undefined || this.reader.hasGivenUp;
	}

	seconds(): number | undefined {
		const { first, counted, stated = counted } = this;
		return first && (stated * first.samples) / first.sampleRateHz;
	}

	private count({ bytes, header }: Mp3Frame): void {
		if (this.first === undefined) {
			this.first = header;
			const info = mp3Info(bytes, header);
			if (this.trustsInfo) this.stated = info?.frames;
			if (info !== undefined) return;
		}
		this.counted += 1;
	}
}
