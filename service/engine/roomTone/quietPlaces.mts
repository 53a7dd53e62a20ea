import { readFrames, type PcmSource } from '../../media/pcmFile.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import {
	hopFramesAt,
	HOPS_PER_SECOND,
	loudestChannelDb,
	smoothed,
	speechLevelDb,
} from '../signal/levels.mts';
import { type RoomTone, roomToneOf } from './roomTone.mts';

/** How long a quiet place is, the best first, hops. */
const LENGTHS = [100, 50, 25, 12] as const;

/** A longer place may be this much louder than a shorter one, dB. */
const LONGER_MARGIN_DB = 3;

/** What is less far below speech is no silence, dB. */
const MIN_DEPTH_DB = 15;

/** What is softer is digital silence, of which no room is made, dBFS. */
const SILENT_DB = -105;

/** A room may change: places as near as this come first, hops. */
const NEAR_HOPS = 60 * HOPS_PER_SECOND;

/** Places are looked for at every this many hops. */
const STEP_HOPS = 3;

/** This much beside what must not be heard is left out, too, hops. */
const MARGIN_HOPS = 2;

/**
 * Returns what says how the room sounds around a frame of a recording, or undefined where it is never heard alone. The
 * recording is listened to once somebody asks.
 *
 * @param hidden no sample of these frames is ever used.
 */
export function roomTonesOf(source: PcmSource, hidden: readonly IndexRange[]) {
	let places: Promise<QuietPlaces> | undefined;
	return async (frame: number): Promise<RoomTone | undefined> => {
		places ??= QuietPlaces.in(source, hidden);
		return await (await places).toneAt(frame);
	};
}

/** Where a recording is quiet, and how the room sounds there. */
class QuietPlaces {
	private readonly tones = new Map<number, Promise<RoomTone>>();
	private readonly source: PcmSource;
	/** The level of every hop, dBFS; infinite in what must not be heard. */
	private readonly levels: Float32Array;
	private readonly maxDb: number;

	private constructor(source: PcmSource, levels: Float32Array, maxDb: number) {
		this.source = source;
		this.levels = levels;
		this.maxDb = maxDb;
	}

	static async in(source: PcmSource, hidden: readonly IndexRange[]): Promise<QuietPlaces> {
		const levels = smoothed(await levelsOf(source), 1);
		const maxDb = speechLevelDb(levels) - MIN_DEPTH_DB;
		const step = hopFramesAt(source.sampleRateHz);
		for (const { start, end } of hidden) {
			const first = Math.max(0, Math.floor(start / step) - MARGIN_HOPS);
			levels.fill(Infinity, first, Math.ceil(end / step) + MARGIN_HOPS);
		}
		return new QuietPlaces(source, levels, maxDb);
	}

	async toneAt(frame: number): Promise<RoomTone | undefined> {
		const { sampleRateHz, channels } = this.source;
		const step = hopFramesAt(sampleRateHz);
		const middle = Math.floor(frame / step);
		const near = { start: Math.max(0, middle - NEAR_HOPS), end: middle + NEAR_HOPS };
		const place = this.placeIn(near) ?? this.placeIn({ start: 0, end: this.levels.length });
		if (place === undefined) return undefined;
		const { start, end } = place;
		const known = this.tones.get(start);
		if (known !== undefined) return await known;
		const made = readFrames(this.source, start * step, (end - start) * step).then((piece) => {
			return roomToneOf(piece, channels);
		});
		this.tones.set(start, made);
		return await made;
	}

	/** The quietest place in a range: as long as possible, if that costs little. */
	private placeIn({ start, end }: IndexRange): IndexRange | undefined {
		let [best, bestDb]: [IndexRange | undefined, number] = [undefined, this.maxDb];
		for (const length of LENGTHS.toReversed()) {
			let [place, placeDb]: [number | undefined, number] = [undefined, this.maxDb];
			// The last hop may be shorter than others.
			const last = Math.min(end, this.levels.length - 1) - length;
			for (let hop = start; hop <= last; hop += STEP_HOPS) {
				const loudest = this.levels
					.subarray(hop, hop + length)
					.reduce((most, level) => Math.max(most, level), -Infinity);
				if (loudest < placeDb && loudest > SILENT_DB) [place, placeDb] = [hop, loudest];
			}
			if (place === undefined) continue;
			if (best === undefined || placeDb <= bestDb + LONGER_MARGIN_DB) {
				best = { start: place, end: place + length };
				bestDb = Math.min(bestDb, placeDb);
			}
		}
		return best;
	}
}

/** The level of the loudest channel in each hop, dBFS. */
async function levelsOf(source: PcmSource): Promise<Float32Array> {
	const { sampleRateHz, channels, frames } = source;
	const step = hopFramesAt(sampleRateHz);
	const levels = new Float32Array(Math.ceil(frames / step));
	const hop = new Float32Array(step * channels);
	let [filled, index] = [0, 0];
	for await (const chunk of source.chunks(0, frames)) {
		for (let offset = 0; offset < chunk.length; ) {
			const part = chunk.subarray(offset, offset + hop.length - filled);
			hop.set(part, filled);
			filled += part.length;
			offset += part.length;
			if (filled < hop.length) continue;
			levels[index++] = loudestChannelDb(hop, channels);
			filled = 0;
		}
	}
	if (filled > 0) levels[index] = loudestChannelDb(hop.subarray(0, filled), channels);
	return levels;
}
