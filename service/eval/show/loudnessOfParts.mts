import { join } from 'node:path';

import { RATE_HZ } from '../../../testkit/media/signals.mts';
import { pcmOf } from '../../../testkit/service/signals.mts';
import { profileOf } from '../../engine/level/levelProfile.mts';
import { integratedLoudness } from '../../engine/level/loudness.mts';
import { joinedSamples } from '../../media/joinedSamples.mts';
import { pcmSourceOf } from '../../media/pcmFile.mts';

/** Without anything to hear, LUFS. */
const SILENCE_LUFS = -70;

/**
 * Returns the loudness of some parts of a recording together, LUFS.
 *
 * @param parts interleaved, at 48 kHz.
 */
export async function loudnessOfParts(
	parts: readonly Float32Array[],
	channels: number,
	folder: string,
): Promise<number> {
	const joined = joinedSamples(parts);
	const pcm = await pcmOf(joined, join(folder, 'parts.f32'), { sampleRateHz: RATE_HZ, channels });
	const { energies } = await profileOf(pcmSourceOf(pcm));
	return integratedLoudness(energies, -120) ?? SILENCE_LUFS;
}
