import { isShortage } from '../shared/failures.mts';
import { type ListedStream, packetLines, secondsPerTickIn } from './ffmpeg/packetLines.mts';
import { MediaToolError, type ProgramLimits } from './ffmpeg/program.mts';
import type { TimeRange } from '../shared/timeRanges.mts';
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

/** ffmpeg handles the sound once for each long hole. What is left of them is joined. */
const MAX_LONG_HOLES = 100;

/** Jumps of which the picture says what they are. Who sets a clock does it once. */
const MAX_JUMPS = 100;

/** Containers in which ffmpeg takes a longer jump for a clock that was set, and joins what is around it. */
const SET_CLOCKS = new Set(['mpegts', 'mpeg']);
const MAX_JOINED_SECONDS = 10;

/** A packet as ffmpeg lists it: track, times to decode and to play, length, and more. */
const PACKET = /^0,\s*-?\d+,\s*(-?\d+),\s*(\d+),/;

/** What the times of a file's packets say about its sound. */
export interface SoundClock {
	/** Holes that ffmpeg cannot fill, because it would keep their silence in memory. */
	longHoles: readonly LongHole[];
	/** Whether ffmpeg must not take a hole for a clock that was set. */
	keepsHoles: boolean;
}

/**
 * Returns what ffmpeg has to know before it can put the sound of a file where its times say. Reads the times of all
 * packets, and decodes none.
 *
 * @throws the signal's reason when aborted
 */
export async function soundClock(
	source: TimedSound & { path: string; soundTrack?: number },
	limits: Partial<ProgramLimits>,
	signal?: AbortSignal,
): Promise<SoundClock> {
	const { path, soundTrack = 0, hasVideo = false, container = '' } = source;
	const sound = `0:a:${soundTrack}`;
	if (!hasVideo) {
		if (!hasHoles(source)) return { longHoles: [], keepsHoles: false };
		const { short, long } = leadsOf(source);
		const lead = long > 0 ? [{ atSeconds: 0, seconds: long }] : [];
		const file = { path, stream: sound, inputOptions: KEEP_HOLES };
		const { found } = await followed(new Holes(short), file, limits, signal);
		return { longHoles: [...lead, ...found], keepsHoles: true };
	}
	const inputOptions = SET_CLOCKS.has(container) ? KEEP_HOLES : [];
	const file = { path, stream: sound, inputOptions };
	const { found, jumps } = await followed(new HolesOfVideo(), file, limits, signal);
	if (!SET_CLOCKS.has(container) || jumps.length === 0) {
		return { longHoles: found, keepsHoles: false };
	}
	const picture = { path, stream: '0:V:0', inputOptions };
	const { isIn } = await followed(new Pictures(jumps), picture, limits, signal);
	// Where the picture jumps, too, somebody set the clock, or joined two files.
	const keepsHoles = isIn.every(Boolean);
	return { longHoles: keepsHoles ? found : [], keepsHoles };
}

/** Lets one follow the times of a stream's packets. */
async function followed<T extends PacketTimes>(
	times: T,
	file: ListedStream,
	limits: Partial<ProgramLimits>,
	signal?: AbortSignal,
): Promise<T> {
	try {
		for await (const line of packetLines(file, signal, limits)) times.read(line);
	} catch (error) {
		// Decoding it says what is wrong with the file.
		if (!(error instanceof MediaToolError) || isShortage(error)) throw error;
	}
	return times;
}

/** Follows the times of packets. */
abstract class PacketTimes {
	private secondsPerTick = 1;
	/** The length of the last packet that is none of a hole. */
	private usualTicks = 0;

	read(line: string): void {
		this.secondsPerTick = secondsPerTickIn(line) ?? this.secondsPerTick;
		const packet = PACKET.exec(line);
		if (packet === null) return;
		const [begin, stated] = [Number(packet[1]), Number(packet[2])];
		// In MP4, the packet before a hole lasts until its end.
		const isOverHole = stated * this.secondsPerTick > MAX_FILLED_SECONDS;
		const length = isOverHole ? this.usualTicks : stated;
		this.usualTicks = length;
		this.add(begin * this.secondsPerTick, length * this.secondsPerTick);
	}

	protected abstract add(beginSeconds: number, seconds: number): void;
}

/** Finds the holes where only what is missing counts. */
class Holes extends PacketTimes {
	readonly found: LongHole[] = [];
	/** Where the last packet ended, as listed. */
	private endSeconds?: number;
	/** Of all sound so far, with its short holes. */
	private seconds: number;

	constructor(leadSeconds: number) {
		super();
		this.seconds = leadSeconds;
	}

	protected add(beginSeconds: number, seconds: number): void {
		const jump = beginSeconds - (this.endSeconds ?? beginSeconds);
		this.endSeconds = beginSeconds + seconds;
		if (jump > MAX_FILLED_SECONDS && jump <= MAX_HOLE_SECONDS) {
			if (this.found.length < MAX_LONG_HOLES) {
				this.found.push({ atSeconds: this.seconds, seconds: jump });
			}
		} else if (jump >= -MAX_BACK_SECONDS && jump <= MAX_FILLED_SECONDS) this.seconds += jump;
		this.seconds += seconds;
	}
}

/** Finds the holes where the picture has the same clock. */
class HolesOfVideo extends PacketTimes {
	readonly found: LongHole[] = [];
	readonly jumps: TimeRange[] = [];
	private endSeconds = 0;
	private foundSeconds = 0;

	protected add(beginSeconds: number, seconds: number): void {
		const jump = beginSeconds - this.endSeconds;
		if (jump > MAX_JOINED_SECONDS && this.jumps.length < MAX_JUMPS) {
			this.jumps.push({ startSeconds: this.endSeconds, endSeconds: beginSeconds });
		}
		if (jump > MAX_FILLED_SECONDS && this.found.length < MAX_LONG_HOLES) {
			this.found.push({ atSeconds: this.endSeconds - this.foundSeconds, seconds: jump });
			this.foundSeconds += jump;
		}
		this.endSeconds = Math.max(this.endSeconds, beginSeconds + seconds);
	}
}

/** Looks whether pictures are shown while the sound jumps. */
class Pictures extends PacketTimes {
	readonly isIn: boolean[];
	private readonly jumps: readonly TimeRange[];

	constructor(jumps: readonly TimeRange[]) {
		super();
		this.jumps = jumps;
		this.isIn = jumps.map(() => false);
	}

	protected add(beginSeconds: number): void {
		for (const [index, { startSeconds, endSeconds }] of this.jumps.entries()) {
			this.isIn[index] ||= beginSeconds > startSeconds + 1 && beginSeconds < endSeconds - 1;
		}
	}
}
