import type { TimeRange } from '../../shared/timeRanges.mts';
import { nthSmallest } from '../signal/levels.mts';
import { BANDS, STEP_SECONDS, TOGETHER, type WindowLevels } from './bandValleys.mts';

/** The noise is what is heard in the quietest windows: this share of them. */
const QUIET_SHARE = 0.2;

/**
 * How far the noise of many voices is above its valleys, dB: steady noise has 3, many voices
 * 6 to 8, and music 8.4 or more.
 */
const MIN_DEPTH_DB = 4.5;
const MAX_DEPTH_DB = 8.2;

/** Finds where the noise is a crowd of people who talk, in one pass over a recording. */
export class CrowdMeter {
	private readonly levels = new Float32Array(TOGETHER);
	private readonly depths = new Float32Array(TOGETHER);
	private readonly found: TimeRange[] = [];
	private windows = 0;

	/** Takes the next window. */
	write({ level, valleys }: WindowLevels): void {
		const place = this.windows % TOGETHER;
		this.levels[place] = level;
		this.depths[place] = level - valleys.reduce((sum, valley) => sum + valley, 0) / BANDS;
		this.windows++;
		if (place === TOGETHER - 1) this.judge(TOGETHER);
	}

	/** Returns where a crowd talks, as far as the recording was heard. */
	crowds(): TimeRange[] {
		const fresh = this.windows % TOGETHER;
		if (fresh > 0) this.judge(fresh);
		return this.found;
	}

	/** Judges the last 30 s, of which this many windows are new: a few windows alone say little. */
	private judge(fresh: number): void {
		const levels = this.levels.subarray(0, this.windows);
		const quiet = nthSmallest(levels.slice(), Math.floor(QUIET_SHARE * levels.length)) ?? 0;
		const depths = this.depths.subarray(0, this.windows).filter((_, at) => levels[at] <= quiet);
		const depth = nthSmallest(depths, Math.floor(depths.length / 2)) ?? 0;
		if (depth < MIN_DEPTH_DB || depth > MAX_DEPTH_DB) return;
		// A window is two steps long, and up to one step is left after the last.
		const endSeconds = (this.windows + 2) * STEP_SECONDS;
		this.found.push({ startSeconds: (this.windows - fresh) * STEP_SECONDS, endSeconds });
	}
}
