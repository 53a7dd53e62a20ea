import { join } from 'node:path';

import type { EditConfig, LocalSettings } from '../shared/contract.mts';
import { pcmSourceOf, type PcmSource } from '../media/pcmFile.mts';
import { enhanceVoice, voiceWorkOf } from './voice/enhanceVoice.mts';
import { keepMusic } from './voice/keepMusic.mts';
import { joined } from './music/joined.mts';
import { searchMusic } from './music/searchMusic.mts';
import type { Track } from './track.mts';

/**
 * Returns the sound of a track before any cuts. The order of the whole sound chain:
 *
 * 1. noise reduction (`remove_noise`, `studio_sound`), in `readTrack`: later steps would raise the
 *    noise, and edits are detected in the clean sound;
 * 2. the voice's tone (`autoeq`, `studio_sound`): a compressor before it would react to rumble;
 * 3. the voice's dynamics (`studio_sound`): de-esser, compressor, expander;
 * 4. `keep_music`: music sections use the original recording instead of steps 1 to 3;
 * 5. the edits, whose fades apply to the processed sound;
 * 6. loudness and limiter (`normalize`), measured on the edited sound.
 *
 * @throws the signal's reason when aborted.
 */
export async function soundOf(
	{ pcm, clean, music: hidden, analysis, workFolder }: Track,
	config: Required<EditConfig>,
	local: LocalSettings | undefined,
	signal?: AbortSignal,
): Promise<PcmSource> {
	const wanted = voiceWorkOf(config, local);
	const voice = wanted
		? await enhanceVoice(clean, wanted, join(workFolder, 'enhanced.f32'), signal)
		: clean;
	if (!config.keep_music || voice === pcm) return pcmSourceOf(voice);
	// Alone, music is found in the whole recording; under a voice, in what the noise reduction would take away.
	const alone = await searchMusic(analysis, signal);
	const music = joined([...hidden, ...alone], 0);
	return music.length === 0 ? pcmSourceOf(voice) : keepMusic(voice, pcm, music);
}
