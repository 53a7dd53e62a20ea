import type { TimeRange } from '../../shared/timeRanges.mts';
import { joined } from '../music/joined.mts';
import { energyDb, HOPS_PER_SECOND } from '../signal/levels.mts';
import { type Burst, powerOf } from './burstMeter.mts';
import { type ChannelGroup, valueAt } from './channelGroup.mts';

/** Noise further below the speech is left alone, dB. */
const FAINTEST_DB = -27;

/** A click is this much louder than what was around it, dB: 20 to 60 ms before it, and 80 to 120 ms after. */
const CLICK_DB = 20;
const [BEFORE_FROM, BEFORE_TO, AFTER_FROM, AFTER_TO] = [6, 2, 8, 12];

/** As many clicks within 10 s may be those of a keyboard. In speech alone there are two a minute, where a t or a k ends it. */
const MIN_CLICKS = 3;
const CLICKS_SECONDS = 10;

/** What comes once often comes again: so much around it is judged too, seconds. */
const REACH_SECONDS = 15;

/**
 * Where noise may burst out in clean sound, in order. To ask the network about everything would take as long as to
 * denoise everything.
 *
 * @param levels of each group every 10 ms, dB.
 */
export function doubtsIn(
	groups: readonly ChannelGroup[],
	levels: readonly Float32Array[],
	bursts: readonly Burst[],
): TimeRange[] {
	const isClean = (seconds: number) => {
		return groups.some(({ strengths }) => valueAt(strengths, seconds) < 1);
	};
	const noise = bursts.flatMap((burst) => {
		const middle = (burst.startSeconds + burst.endSeconds) / 2;
		const isLoud = groups.some(({ speech }) => {
			return energyDb(powerOf(burst)) > energyDb(valueAt(speech, middle)) + FAINTEST_DB;
		});
		return isLoud ? middle : [];
	});
	const clicks = groups.flatMap((group, index) => typingIn(clicksIn(group, levels[index])));
	const places = [...noise, ...clicks].filter(isClean);
	return joined(
		places.map((seconds) => ({
			startSeconds: Math.max(0, seconds - REACH_SECONDS),
			endSeconds: seconds + REACH_SECONDS,
		})),
		0,
	);
}

/** The times of those that have others near them. */
function typingIn(clicks: readonly number[]): number[] {
	return clicks.filter((seconds, index) => {
		const last = clicks.at(index + MIN_CLICKS - 1) ?? Infinity;
		return last - seconds <= CLICKS_SECONDS;
	});
}

/** When something clicks, in order, in seconds. */
function clicksIn({ speech }: ChannelGroup, levels: Float32Array): number[] {
	const clicks: number[] = [];
	const isAbove = (hop: number, from: number, to: number) => {
		for (let at = hop + from; at <= hop + to; at++) {
			if (levels[at] > levels[hop] - CLICK_DB) return false;
		}
		return true;
	};
	for (let hop = BEFORE_FROM; hop < levels.length - AFTER_TO; hop++) {
		const seconds = hop / HOPS_PER_SECOND;
		if (levels[hop] < energyDb(valueAt(speech, seconds)) + FAINTEST_DB) continue;
		if (!isAbove(hop, -BEFORE_FROM, -BEFORE_TO) || !isAbove(hop, AFTER_FROM, AFTER_TO)) continue;
		clicks.push(seconds);
		hop += AFTER_FROM;
	}
	return clicks;
}
