import type { EditConfig, LocalSettings } from '../../shared/contract.mts';
import { pcmSourceOf, writePcm, type PcmFile, type PcmSource } from '../../media/pcmFile.mts';
import { matchingEqualizer } from './matchingEqualizer.mts';
import { VoiceChain, type VoiceChainSettings } from './voiceChain.mts';
import { voiceSpectrumOf } from './voiceSpectrum.mts';

/** Maximum gain, and how far the tone moves toward average speech (1: all the way). */
const AUTO_EQ = { maxDb: 6, share: 1 };
const STUDIO_EQ = { maxDb: 4, share: 0.6 };

/** What is to be done to a voice. */
export interface VoiceWork {
	/** How far its tone is moved; missing if it stays. */
	readonly tone?: typeof AUTO_EQ;
	readonly deEsses: boolean;
	/** Whether its loud and soft parts come closer, and its pauses become softer. */
	readonly isEvened: boolean;
}

/** Returns what `studio_sound`, `autoeq` and `local.de_ess` do to the voice; null for nothing. */
export function voiceWorkOf(
	{ studio_sound, autoeq }: Required<EditConfig>,
	local: LocalSettings = {},
): VoiceWork | null {
	const isStudio = studio_sound !== false;
	const deEsses = isStudio || local.de_ess === true;
	if (!deEsses && !autoeq) return null;
	const tone = autoeq ? AUTO_EQ : STUDIO_EQ;
	return { ...((autoeq || isStudio) && { tone }), deEsses, isEvened: isStudio };
}

/**
 * Measures the voice, then writes the recording with its tone and its dynamics changed. With `studio_sound` and
 * `autoeq`, the tone is corrected as far as `autoeq` does. A recording without speech is returned unchanged.
 *
 * @param input without noise, because noise would be measured and raised with the voice.
 * @throws the signal's reason when aborted.
 */
export async function enhanceVoice(
	input: PcmFile,
	{ tone, deEsses, isEvened }: VoiceWork,
	outputPath: string,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const spectrum = await voiceSpectrumOf(input, signal);
	if (spectrum === null) return input;
	const equalizer = tone && matchingEqualizer(spectrum, input.sampleRateHz, tone.maxDb, tone.share);
	const { speechDb } = spectrum;
	const settings = {
		equalizer,
		dynamics: deEsses ? { speechDb, isEvened } : undefined,
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
