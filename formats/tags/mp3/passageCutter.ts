import { type Mp3Frame, Mp3FrameReader, silentFrame } from './frames';
import { infoFrame, mp3Info } from './infoFrame';

/** A passage of a recording. */
export interface Passage {
	readonly startSeconds: number;
	readonly durationSeconds: number;
}

/** The bit reservoir is no longer than this. */
const RESERVOIR_BYTES = 511;

/** How long before a passage its cutter begins to keep the bit reservoir: far more than it spans. */
const RESERVOIR_SECONDS = 2;

/** Each frame overlaps with the sound before it, so this much is added in front: one frame of MPEG 1. */
const LEAD_SAMPLES = 1_152;

/**
 * Copies passages of an MP3 file that comes in chunks, without decoding. Each passage becomes its own MP3
 * file, from a frame or two before its start to the frame with its end.
 *
 * The sound of a frame may begin in the frames before it. A silent frame at the start of each passage
 * carries these bytes, so the first frame decodes as it does in the whole file.
 */
export class PassageCutter {
	private readonly reader = new Mp3FrameReader();

	private readonly cuts: Cut[];

	private delaySamples = 0;

	private framesRead = 0;

	private isFirst = true;

	/** The last bytes of main data before the next frame, as far as they are kept. */
	private reservoir: Buffer = Buffer.alloc(0);

	constructor(passages: readonly Passage[]) {
		this.cuts = passages.map((passage) => new Cut(passage));
	}

	/** Whether it has all passages, and needs no more of the file. */
	get isOver(): boolean {
		return this.cuts.every(({ isOver }) => isOver);
	}

	/** Takes the next part of the file. */
	push(chunk: Buffer): void {
		if (this.isOver) return;
		for (const frame of this.reader.push(chunk)) this.write(frame);
	}

	/** The passages as files after the last chunk; undefined for one that the file does not have. */
	files(): Array<Buffer | undefined> {
		return this.cuts.map((cut) => cut.file());
	}

	private write(frame: Mp3Frame): void {
		const { bytes, header } = frame;
		if (this.isFirst) {
			this.isFirst = false;
			const info = mp3Info(bytes, header);
			if (info) {
				this.delaySamples = info.delaySamples;
				return;
			}
		}
		const startSamples = this.framesRead * header.samples - this.delaySamples;
		this.framesRead += 1;
		const startSeconds = startSamples / header.sampleRateHz;
		for (const cut of this.cuts) cut.write(frame, startSeconds, this.reservoir);
		const isNear = (cut: Cut) => cut.beginsBy(startSeconds + RESERVOIR_SECONDS);
		if (!this.cuts.some(isNear)) return;
		const main = bytes.subarray(header.beforeMainBytes);
		this.reservoir = Buffer.concat([this.reservoir, main]).subarray(-RESERVOIR_BYTES);
	}
}

/** One passage while its file is being read. */
class Cut {
	isOver = false;

	private readonly frames: Buffer[] = [];

	private readonly endSeconds: number;

	constructor(private readonly passage: Passage) {
		this.endSeconds = passage.startSeconds + passage.durationSeconds;
	}

	/** Whether the first frame is still to come, and comes before a time. */
	beginsBy(seconds: number): boolean {
		return this.frames.length === 0 && this.passage.startSeconds <= seconds;
	}

	/**
	 * @param startSeconds when the frame is heard
	 * @param reservoir the main data before the frame
	 */
	write({ bytes, header }: Mp3Frame, startSeconds: number, reservoir: Buffer): void {
		const untilSeconds = startSeconds + (header.samples + LEAD_SAMPLES) / header.sampleRateHz;
		if (untilSeconds <= this.passage.startSeconds) return;
		this.isOver ||= startSeconds >= this.endSeconds;
		if (this.isOver) return;
		const { reservoirBytes } = header;
		if (this.frames.length === 0 && reservoirBytes > 0) {
			this.frames.push(reservoirFrame(bytes, reservoir.subarray(-reservoirBytes)));
		}
		this.frames.push(Buffer.from(bytes));
	}

	file(): Buffer | undefined {
		const [first] = this.frames;
		if (first === undefined) return undefined;
		const sound = Buffer.concat(this.frames);
		return Buffer.concat([infoFrame(first, this.frames.length, sound.length), sound]);
	}
}

/** A silent frame whose data ends with the bytes that the next frame's sound begins with. */
function reservoirFrame(like: Buffer, bytes: Buffer): Buffer {
	const { frame } = silentFrame(like, bytes.length);
	bytes.copy(frame, frame.length - bytes.length);
	return frame;
}
