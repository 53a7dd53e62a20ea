import type { EditConfig } from '../../shared/contract.mts';
import { pcmSourceOf, writePcm, type PcmFile, type PcmSource } from '../../media/pcmFile.mts';
import { matchingEqualizer } from './matchingEqualizer.mts';
import { VoiceChain, type VoiceChainSettings } from './voiceChain.mts';
import { voiceSpectrumOf } from './voiceSpectrum.mts';

/** Maximum gain, and how far the tone moves toward average speech (1: all the way). */
const AUTO_EQ = { maxDb: 6, share: 1 };
const STUDIO_EQ = { maxDb: 4, share: 0.6 };

/** Returns whether the config changes the tone or dynamics of the voice. */
export function enhancesVoice({ studio_sound, autoeq }: Required<EditConfig>): boolean {
	return studio_sound !== false || autoeq;
}

/**
 * Applies `studio_sound` and `autoeq`: measures the voice, then writes the recording with its tone
 * and, for `studio_sound`, its dynamics changed. With both, the tone is corrected as far as
 * `autoeq` does. A recording without speech is returned unchanged.
 *
 * @param input without noise, because noise would be measured and raised with the voice.
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
	const { maxDb, share } = autoeq ? AUTO_EQ : STUDIO_EQ;
	const settings = {
		equalizer: matchingEqualizer(spectrum, input.sampleRateHz, maxDb, share),
		...(studio_sound !== false && { speechDb: spectrum.speechDb }),
	};
	return await writePcm(throughChain(pcmSourceOf(input), settings), outputPath, signal);
}

/** Applies the chain to a recording; read the result from start to end. */
function throughChain(input: PcmSource, settings: VoiceChainSettings): PcmSource {
	return {
		...input,
		async *chunks(startFrame, endFrame) {
			const chain = new VoiceChain(settings, input);
			for await (const chunk of input.chunks(startFrame, endFrame)) {
				chain.process(chunk);
				yield chunk;
			}
		},
	};
}
