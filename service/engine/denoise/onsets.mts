import { bandEdges } from '../networks/deepFilterNet/bands.mts';
import { BINS } from '../networks/deepFilterNet/frames.mts';

/** Whether something begins is asked in so many bands. */
const BANDS = 20;
const EDGES = bandEdges(BANDS);

/** A sound begins where one of the bands opens this far, after so many frames with at most one band opened this far. */
const OPEN = 0.25;
const NEARLY_OPEN = 0.2;
const STILL_FRAMES = 10;
const MAX_NEARLY_OPEN = 1;

/** What is kept of the first frames of a sound is also kept of those before it: 60 ms. */
export const FRAMES_BEFORE = 6;
export const FRAMES_AFTER = 5;

/** Frames that must lie before the first that is searched. */
export const FRAMES_STILL = STILL_FRAMES;

/** Amplitudes that nobody hears. A filter also fills digital silence with what is around it, where nothing begins. */
const FAINTEST = 1e-7;

/** Which sounds begin. Without this rule, the network takes the beginnings of letters for noise. */
export class Onsets {
	/** Of each frame and bin, how much of it the network keeps, and how much is kept at least. */
	readonly kept: Float32Array;
	readonly least: Float32Array;
	/** Of each frame, its most open band, and how many are nearly open. */
	private readonly opened: Float32Array;
	private readonly nearlyOpen: Uint8Array;
	private readonly frames: number;

	constructor(frames: number) {
		this.frames = frames;
		this.kept = new Float32Array(frames * BINS);
		this.least = new Float32Array(frames * BINS);
		this.opened = new Float32Array(frames);
		this.nearlyOpen = new Uint8Array(frames);
	}

	/** Forgets the first frames, to make room for as many at the end. */
	shift(frames: number): void {
		for (const values of [this.kept, this.least]) values.copyWithin(0, frames * BINS);
		for (const values of [this.opened, this.nearlyOpen]) values.copyWithin(0, frames);
		this.least.fill(0, (this.frames - frames) * BINS);
	}

	/** Writes what is kept of the bins of a frame: the share of their amplitudes before that is left. */
	write(frame: number, before: Float32Array, after: Float32Array): void {
		const place = frame * BINS;
		let [opened, nearlyOpen] = [0, 0];
		for (let band = 0; band < BANDS; band++) {
			let sum = 0;
			for (let bin = EDGES[band]; bin < EDGES[band + 1]; bin++) {
				const size = sizeOf(before, bin);
				this.kept[place + bin] = size > FAINTEST ? Math.min(1, sizeOf(after, bin) / size) : 0;
				sum += this.kept[place + bin];
			}
			const mean = sum / (EDGES[band + 1] - EDGES[band]);
			opened = Math.max(opened, mean);
			if (mean > NEARLY_OPEN) nearlyOpen++;
		}
		this.opened[frame] = opened;
		this.nearlyOpen[frame] = nearlyOpen;
	}

	/** Searches for sounds that begin in some frames, and keeps more of the frames around each. */
	search(first: number, end: number): void {
		for (let frame = first; frame < end; frame++) if (this.isOnset(frame)) this.keepAround(frame);
	}

	private isOnset(frame: number): boolean {
		if (this.opened[frame] <= OPEN) return false;
		return this.nearlyOpen
			.subarray(frame - STILL_FRAMES, frame)
			.every((bands) => bands <= MAX_NEARLY_OPEN);
	}

	private keepAround(onset: number): void {
		const { kept, least } = this;
		for (let bin = 0; bin < BINS; bin++) {
			let most = 0;
			for (let frame = onset; frame <= onset + FRAMES_AFTER; frame++) {
				most = Math.max(most, kept[frame * BINS + bin]);
			}
			for (let frame = onset - FRAMES_BEFORE; frame <= onset + FRAMES_AFTER; frame++) {
				const place = frame * BINS + bin;
				least[place] = Math.max(least[place], most);
			}
		}
	}
}

function sizeOf(spectrum: Float32Array, bin: number): number {
	return Math.sqrt(spectrum[2 * bin] ** 2 + spectrum[2 * bin + 1] ** 2);
}
