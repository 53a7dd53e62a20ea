import type { PcmFile } from '../../media/pcmFile.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { nthSmallest } from '../signal/levels.mts';
import { findMusic } from '../voice/findMusic.mts';
import { STEP_SECONDS } from './heardMusic.mts';
import { joined } from './joined.mts';
import { hear } from './searchMusic.mts';

/**
 * In half of a piece of music, the network hears it at least this likely, as a logit: of seven pieces 10 and 20 dB below
 * speech the least likely has -4.4. Held vowels, which have steady tones, too, have -7.7 at most.
 */
const MIN_LIKELY = -6;

/**
 * Finds the music in a recording of speech, also under it: where there are steady tones, and the network does not hear
 * speech alone.
 *
 * @param recording as it came, 16 kHz.
 * @param known what was found before.
 * @throws the signal's reason when aborted.
 */
export async function musicUnderSpeech(
	recording: PcmFile,
	known: readonly TimeRange[],
	signal?: AbortSignal,
): Promise<TimeRange[]> {
	const tones = await findMusic(recording, signal);
	const { music } = await hear({ input: recording, humHz: [] }, tones, signal);
	const likely = tones.filter(({ startSeconds, endSeconds }) => {
		const [start, end] = [startSeconds, endSeconds].map((time) => Math.round(time / STEP_SECONDS));
		const logits = music.slice(start, Math.max(end, start + 1));
		return (nthSmallest(logits, logits.length >> 1) ?? -Infinity) >= MIN_LIKELY;
	});
	return joined([...known, ...likely], 0);
}
