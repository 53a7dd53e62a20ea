import { ANALYSIS_FORMAT } from '../../media/decode.mts';
import { MonoMix } from '../../media/monoMix.mts';
import { pcmSourceOf, type PcmFile } from '../../media/pcmFile.mts';
import { PowerSpectrum } from '../signal/powerSpectrum.mts';
import { SteadyTones } from './steadyTones.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';

/** 64 ms: partials of chords lie apart in it. */
const WINDOW_SAMPLES = 1_024;
const HOP_SAMPLES = 512;
const HOPS_PER_SECOND = ANALYSIS_FORMAT.sampleRateHz / HOP_SAMPLES;

/** Music has at least this many steady tones at once, on average over this time. */
const MIN_TONES = 0.8;
const MEAN_SECONDS = 3;

/** The shortest music, and the longest pause within it. */
const MIN_MUSIC_SECONDS = 3;
const MAX_GAP_SECONDS = 4;

/**
 * Finds the stretches of a recording with music, alone or beneath speech. Music is several tones that
 * follow each other, above the lowest, and keep their pitch for a third of a second and longer.
 * Voices glide, noise has no tones, and hum comes back to the same tones all the time.
 *
 * @param raw 16 kHz, as it came: noise reduction takes music for noise.
 * @throws the signal's reason when aborted.
 */
export async function findMusic(raw: PcmFile, signal?: AbortSignal): Promise<TimeRange[]> {
	const tones = new SteadyTones(HOPS_PER_SECOND, WINDOW_SAMPLES / ANALYSIS_FORMAT.sampleRateHz);
	const spectrum = new PowerSpectrum(WINDOW_SAMPLES);
	const window = new Float64Array(WINDOW_SAMPLES);
	const mix = new MonoMix(raw);
	let filled = 0;
	for await (const chunk of pcmSourceOf(raw).chunks(0, raw.frames)) {
		signal?.throwIfAborted();
		for (const sample of mix.mixed(chunk)) {
			window[filled++] = sample;
			if (filled < WINDOW_SAMPLES) continue;
			tones.write(decibelsOf(spectrum.of(window)));
			window.copyWithin(0, HOP_SAMPLES);
			filled -= HOP_SAMPLES;
		}
	}
	return sectionsOf(tones.counts());
}

/** Powers as levels, dBFS: a full-scale sine is 0 dB. */
function decibelsOf(powers: Float64Array): Float64Array {
	const scale = (4 / WINDOW_SAMPLES) ** 2;
	return powers.map((power) => 10 * Math.log10(scale * power + 1e-12));
}

/** Where there are enough tones for long enough. */
function sectionsOf(counts: Uint16Array): TimeRange[] {
	const reach = Math.round((MEAN_SECONDS * HOPS_PER_SECOND) / 2);
	const sums = new Float64Array(counts.length + 1);
	counts.forEach((count, hop) => (sums[hop + 1] = sums[hop] + count));
	const sections: TimeRange[] = [];
	for (let hop = 0; hop < counts.length; hop++) {
		const [from, to] = [Math.max(0, hop - reach), Math.min(counts.length, hop + reach)];
		if ((sums[to] - sums[from]) / (to - from) < MIN_TONES) continue;
		const startSeconds = hop / HOPS_PER_SECOND;
		const endSeconds = (hop + 1) / HOPS_PER_SECOND;
		const last = sections.at(-1);
		if (last && startSeconds - last.endSeconds < MAX_GAP_SECONDS) last.endSeconds = endSeconds;
		else sections.push({ startSeconds, endSeconds });
	}
	return sections.filter((s) => s.endSeconds - s.startSeconds >= MIN_MUSIC_SECONDS);
}
