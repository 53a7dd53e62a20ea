import type { EditConfig } from '../shared/contract.mts';
import { pcmSourceOf, writePcm, type PcmFile, type PcmSource } from '../media/pcmFile.mts';
import { matchingEqualizer } from './matchingEqualizer.mts';
import { VoiceChain, type VoiceChainSettings } from './voiceChain.mts';
import { voiceSpectrumOf } from './voiceSpectrum.mts';

/** How far and by how much at most the tone is brought to that of average speech. */
const AUTO_EQ = { mostDb: 6, share: 1 };
const STUDIO_EQ = { mostDb: 4, share: 0.6 };

/** True when the tone or the dynamics of the voice are to be worked on. */
export function enhancesVoice({ studio_sound, autoeq }: Required<EditConfig>): boolean {
	return studio_sound !== false || autoeq;
}

/**
 * Carries out `studio_sound` and `autoeq`: measures the voice, then writes the recording with its
 * tone, and for `studio_sound` its dynamics, worked on. With both, the tone goes all the way that
 * `autoeq` goes. A recording without speech is left as it is.
 *
 * @param input without noise: noise would be measured, and raised, with the voice.
 * @throws the signal's reason when aborted.
 */
export async function enhanceVoice(
	input: PcmFile,
	{ studio_sound, autoeq }: Required<EditConfig>,
	outputPath: string,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const spectrum = await voiceSpectrumOf(input, signal);
	if (spectrum === null) return input;
	const { mostDb, share } = autoeq ? AUTO_EQ : STUDIO_EQ;
	const settings = {
		equalizer: matchingEqualizer(spectrum, input.sampleRateHz, mostDb, share),
		...(studio_sound !== false && { speechDb: spectrum.speechDb }),
	};
	return await writePcm(throughChain(pcmSourceOf(input), settings), outputPath, signal);
}

/** A recording as it comes out of the chain; read from its beginning to its end. */
function throughChain(input: PcmSource, settings: VoiceChainSettings): PcmSource {
	const { sampleRateHz, channels, frames } = input;
	return {
		...{ sampleRateHz, channels, frames },
		async *chunks(startFrame, endFrame) {
			const chain = new VoiceChain(settings, input);
			for await (const chunk of input.chunks(startFrame, endFrame)) {
				chain.process(chunk);
				yield chunk;
			}
		},
	};
}
