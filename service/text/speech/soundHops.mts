import { noiseFloorDb, speechLevelDb, HOPS_PER_SECOND } from '../../engine/signal/levels.mts';
import { MIN_VOICE } from '../../engine/voice/hearVoice.mts';
import { MOMENT_SECONDS } from '../../engine/voice/searchVoice.mts';
import type { SpeechSound } from './pieces.mts';

/** A sound of speech is at most this far below the mean of speech, and at least this far above the noise, dB. */
const DEPTH_DB = 32;
const OVER_NOISE_DB = 8;
/** In loud noise, what is this near to the mean of speech counts. */
const NEAR_DB = 8;

/** A consonant may lie this long before or after the voice, in moments. */
const REACH_MOMENTS = 6;

/** For every 10 ms of a recording: 1 where there is sound of speech, or else 0. */
export function soundHopsOf({ voice, levels }: SpeechSound): Uint8Array {
	const speechDb = speechLevelDb(levels);
	const floors = noiseFloorDb(levels);
	const near = new Uint8Array(voice.length);
	voice.forEach((chance, moment) => {
		if (chance > MIN_VOICE)
			near.fill(1, Math.max(0, moment - REACH_MOMENTS), moment + REACH_MOMENTS + 1);
	});
	return Uint8Array.from(levels, (level, hop) => {
		const least = Math.max(speechDb - DEPTH_DB, floors[hop] + OVER_NOISE_DB);
		const isLoud = level > Math.min(least, speechDb - NEAR_DB);
		return Number(isLoud && near[Math.floor(hop / HOPS_PER_SECOND / MOMENT_SECONDS)] === 1);
	});
}
