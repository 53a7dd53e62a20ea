import { energyOf } from '../signal/levels.mts';
import { PowerSpectrum } from '../signal/powerSpectrum.mts';
import { PcmReader, type PcmFile } from '../../media/pcmFile.mts';

/** Third-octave bands for comparing voices, Hz. */
export const BANDS_HZ: readonly number[] = [
	100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1_000, 1_250, 1_600, 2_000, 2_500, 3_150, 4_000,
	5_000, 6_300, 8_000, 10_000,
];

/** Properties of the speech in a recording. */
export interface VoiceSpectrum {
	/** RMS of the speech, dBFS, of the loudest channel. */
	speechDb: number;
	/** Level of the speech in each band, dBFS; -Infinity above the recording's highest frequency. */
	bandsDb: number[];
}

/** 43 ms at 48 kHz. */
const WINDOW_FRAMES = 2_048;

/** Evenly spread, this many windows are as accurate as all of them. */
const MAX_WINDOWS = 3_000;

/** Anything this far below the mean is a pause, dB. */
const PAUSE_DEPTH_DB = 10;

/** Anything quieter is not speech, dBFS. */
const FAINTEST_SPEECH_DB = -70;

const THIRD_OCTAVE = 2 ** (1 / 6);

/**
 * Measures the long-term spectrum of the speech in a recording, without pauses.
 *
 * @returns null when nothing is loud enough to be speech.
 * @throws the signal's reason when aborted.
 */
export async function voiceSpectrumOf(
	pcm: PcmFile,
	signal?: AbortSignal,
): Promise<VoiceSpectrum | null> {
	const spectra = await sampledSpectra(pcm, signal);
	const energies = spectra.map(({ energy }) => energy);
	const mean = energies.reduce((sum, energy) => sum + energy, 0) / Math.max(1, energies.length);
	const gate = mean * 10 ** (-PAUSE_DEPTH_DB / 10);
	const spoken = spectra.filter(({ energy }) => energy > gate);
	const average = (of: (spectrum: BandEnergies) => number) =>
		10 * Math.log10(spoken.reduce((sum, spectrum) => sum + of(spectrum), 0) / spoken.length);
	const speechDb = average(({ energy }) => energy);
	if (!(speechDb > FAINTEST_SPEECH_DB)) return null;
	return { speechDb, bandsDb: BANDS_HZ.map((_, band) => average(({ bands }) => bands[band])) };
}

/** Mean squares of a window: overall and per band. */
interface BandEnergies {
	energy: number;
	bands: Float64Array;
}

async function sampledSpectra(pcm: PcmFile, signal?: AbortSignal): Promise<BandEnergies[]> {
	const meter = new BandMeter(pcm.sampleRateHz);
	await using reader = await PcmReader.open(pcm);
	const count = Math.min(MAX_WINDOWS, Math.floor(pcm.frames / WINDOW_FRAMES));
	const spectra: BandEnergies[] = [];
	for (let index = 0; index < count; index++) {
		signal?.throwIfAborted();
		const start = Math.floor((index * (pcm.frames - WINDOW_FRAMES)) / Math.max(1, count - 1));
		spectra.push(meter.measure(await reader.read(start, WINDOW_FRAMES), pcm.channels));
	}
	return spectra;
}

/** Measures the levels of windows. */
class BandMeter {
	private readonly spectrum = new PowerSpectrum(WINDOW_FRAMES);
	private readonly edges: readonly number[];

	constructor(sampleRateHz: number) {
		const binOf = (hz: number) => Math.round((hz / sampleRateHz) * WINDOW_FRAMES);
		const borders = [...BANDS_HZ.map((hz) => hz / THIRD_OCTAVE), 10_000 * THIRD_OCTAVE];
		this.edges = borders.map((hz) => Math.min(WINDOW_FRAMES / 2, binOf(hz)));
	}

	/** Returns the energies of the loudest channel. */
	measure(samples: Float32Array, channels: number): BandEnergies {
		const energies = Array.from({ length: channels }, (_, channel) =>
			energyOf(samples, channel, samples.length, channels),
		);
		const energy = Math.max(...energies);
		const powers = this.spectrum.of(samples, energies.indexOf(energy), channels);
		// 2: both halves of the spectrum; 0.375: the energy of the Hann window.
		const scale = 2 / (WINDOW_FRAMES * WINDOW_FRAMES * 0.375);
		const bands = new Float64Array(BANDS_HZ.length);
		for (let band = 0; band < bands.length; band++) {
			for (let bin = this.edges[band]; bin < this.edges[band + 1]; bin++) {
				bands[band] += scale * powers[bin];
			}
		}
		return { energy: energy / WINDOW_FRAMES, bands };
	}
}
