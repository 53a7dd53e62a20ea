import { isShortage } from '../shared/failures.mts';
import { guardedInput } from './ffmpeg/guardedInput.mts';
import { MediaToolError } from './ffmpeg/program.mts';
import { streamFfmpeg } from './ffmpeg/runFfmpeg.mts';
import {
	hasHoles,
	KEEP_HOLES,
	leadsOf,
	MAX_BACK_SECONDS,
	MAX_FILLED_SECONDS,
	MAX_HOLE_SECONDS,
	type LongHole,
	type TimedSound,
} from './soundTimeline.mts';

/** ffmpeg handles the sound once for each. What is left is joined. */
const MAX_LONG_HOLES = 100;

/** A packet as ffmpeg lists it: track, times to decode and to play, length, and more. */
const PACKET = /^0,\s*-?\d+,\s*(-?\d+),\s*(\d+),/;
const TICKS = /^#tb 0: (\d+)\/(\d+)/;

/**
 * Returns the holes of a file without a picture that ffmpeg cannot fill, because it would keep their silence in
 * memory. Reads the times of all packets, and decodes none.
 *
 * @throws the signal's reason when aborted
 */
export async function longHolesOf(
	source: TimedSound & { path: string; soundTrack?: number },
	signal?: AbortSignal,
): Promise<readonly LongHole[]> {
	const { path, soundTrack = 0 } = source;
	if (!hasHoles(source)) return [];
	const { short, long } = leadsOf(source);
	const lead = long > 0 ? [{ atSeconds: 0, seconds: long }] : [];
	const list = ['-map', `0:a:${soundTrack}`, '-c', 'copy', '-f', 'framecrc', 'pipe:1'];
	const holes = new Holes(short);
	let rest = '';
	try {
		for await (const piece of streamFfmpeg(
			[...KEEP_HOLES, ...guardedInput(path), ...list],
			signal,
		)) {
			const lines = (rest + Buffer.from(piece).toString('latin1')).split('\n');
			rest = lines.pop() ?? '';
			for (const line of lines) holes.read(line);
		}
	} catch (error) {
		// Decoding it says what is wrong with the file.
		if (!(error instanceof MediaToolError) || isShortage(error)) throw error;
	}
	return [...lead, ...holes.found].slice(0, MAX_LONG_HOLES);
}

/** Follows the times of packets. */
class Holes {
	readonly found: LongHole[] = [];
	private ticksPerSecond = 1;
	/** Where the last packet ended, as listed. */
	private endTicks?: number;
	/** The length of the last packet that is none of a hole. */
	private usualTicks = 0;
	/** Of all sound so far, with its short holes. */
	private seconds: number;

	constructor(leadSeconds: number) {
		this.seconds = leadSeconds;
	}

	read(line: string): void {
		const base = TICKS.exec(line);
		if (base !== null) this.ticksPerSecond = Number(base[2]) / Number(base[1]);
		const packet = PACKET.exec(line);
		if (packet === null) return;
		const begin = Number(packet[1]);
		// In MP4, the packet before a hole lasts until its end.
		const isOverHole = Number(packet[2]) > MAX_FILLED_SECONDS * this.ticksPerSecond;
		const length = isOverHole ? this.usualTicks : Number(packet[2]);
		this.usualTicks = length;
		const jump = (begin - (this.endTicks ?? begin)) / this.ticksPerSecond;
		this.endTicks = begin + length;
		if (jump > MAX_FILLED_SECONDS && jump <= MAX_HOLE_SECONDS) {
			this.found.push({ atSeconds: this.seconds, seconds: jump });
		} else if (jump >= -MAX_BACK_SECONDS && jump <= MAX_FILLED_SECONDS) this.seconds += jump;
		this.seconds += length / this.ticksPerSecond;
	}
}
