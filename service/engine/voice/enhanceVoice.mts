import type { EditConfig, LocalSettings } from '../../shared/contract.mts';
import { pcmSourceOf, writePcm, type PcmFile, type PcmSource } from '../../media/pcmFile.mts';
import { matchingEqualizer } from './matchingEqualizer.mts';
import { VoiceChain, type VoiceChainSettings } from './voiceChain.mts';
import { voiceSpectrumOf } from './voiceSpectrum.mts';

/** Who asks for softer S sounds hears nearly each of them softened: from this level on, against the speech, dB. */
const ASKED_FROM_DB = -12;

/** What is to be done to a voice. */
export interface VoiceWork {
	/** Whether what the recording has added to its tone is taken away. */
	readonly isMatched: boolean;
	readonly deEsses: boolean;
	/** From which level on, against the speech, dB. */
	readonly deEssFromDb?: number | undefined;
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
	const deEssFromDb = local.de_ess === true ? ASKED_FROM_DB : undefined;
	return { isMatched: autoeq || isStudio, deEsses, deEssFromDb, isEvened: isStudio };
}

/**
 * Measures the voice, then writes the recording with its tone and its dynamics changed. A recording without speech is
 * returned unchanged.
 *
 * @param input without noise, because noise would be measured and raised with the voice.
 * @throws the signal's reason when aborted.
 */
export async function enhanceVoice(
	input: PcmFile,
	{ isMatched, deEsses, deEssFromDb, isEvened }: VoiceWork,
	outputPath: string,
	signal?: AbortSignal,
): Promise<PcmFile> {
	const spectrum = await voiceSpectrumOf(input, signal);
	if (spectrum === null) return input;
	const equalizer = isMatched ? matchingEqualizer(spectrum, input.sampleRateHz) : undefined;
	const { speechDb } = spectrum;
	const settings = {
		equalizer,
		dynamics: deEsses ? { speechDb, isEvened, deEssFromDb } : undefined,
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
