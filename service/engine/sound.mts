import { join } from 'node:path';

import type { EditConfig } from '../shared/contract.mts';
import { pcmSourceOf, type PcmSource } from '../media/pcmFile.mts';
import { enhancesVoice, enhanceVoice } from './enhanceVoice.mts';
import { findMusic } from './findMusic.mts';
import { keepMusic } from './keepMusic.mts';
import type { Track } from './track.mts';

/**
 * What a track sounds like before anything is cut. The order of the whole sound chain:
 *
 * 1. noise reduction (`remove_noise`, `studio_sound`), in `readTrack`: all that follows would raise
 *    the noise, and edits are looked for in what is left;
 * 2. the voice's tone (`autoeq`, `studio_sound`): a compressor in front of it would follow rumble;
 * 3. the voice's dynamics (`studio_sound`): de-esser, compressor, expander;
 * 4. `keep_music`: where there is music, the recording as it came instead of all of the above;
 * 5. the edits, so that fades are heard in the sound that stays;
 * 6. loudness and limiter (`normalize`), measured on what is left, last of all.
 *
 * @throws the signal's reason when aborted.
 */
export async function soundOf(
	{ pcm, clean, analysis, workFolder }: Track,
	config: Required<EditConfig>,
	signal?: AbortSignal,
): Promise<PcmSource> {
	const voice = enhancesVoice(config)
		? await enhanceVoice(clean, config, join(workFolder, 'enhanced.f32'), signal)
		: clean;
	if (!config.keep_music || voice === pcm) return pcmSourceOf(voice);
	const music = await findMusic(analysis, signal);
	return music.length === 0 ? pcmSourceOf(voice) : keepMusic(voice, pcm, music);
}
