import { pcmInputArguments, type PcmFile } from '../../media/pcmFile.mts';
import { streamFfmpeg } from '../../media/runFfmpeg.mts';
import {
	ANALYSIS_ARGUMENTS,
	ANALYSIS_RATE_HZ,
	energyDb,
	HOP_FRAMES,
	hopsOf,
	HOPS_PER_SECOND,
	loudestChannelDb,
	SILENCE_DB,
} from '../signal/levels.mts';
import { MEL_BANDS, MelSpectrum } from './melSpectrum.mts';
import { VoiceActivity } from './voiceActivity.mts';
import { voicingOf } from './voicing.mts';

/** What is known of a recording every 10 ms; about 10 MB an hour. */
export interface SignalFeatures {
	hops: number;
	/** RMS of the loudest channel, dBFS. */
	levels: Float32Array;
	/** RMS without the lows (6 dB an octave), in which clicks stand out, dBFS. */
	edges: Float32Array;
	/** The loudest millisecond of that, dBFS. */
	peaks: Float32Array;
	/** Level in each of MEL_BANDS bands, low to high, in half decibels above -120 dBFS. */
	mel: Uint8Array;
	/** How alike one period of the sound is to the next: 0 for noise, 255 for a held tone. */
	voicing: Uint8Array;
	/** Pitch where voiced, Hz. */
	pitchHz: Float32Array;
	/** 1 where WebRTC's detector hears a voice. */
	isVoice: Uint8Array;
}

/** Samples kept of each channel: a hop, what is before it and the hop after it. */
const BUFFER_SAMPLES = 4 * HOP_FRAMES;

/** Where the hop that is analyzed begins in them. */
const MIDDLE = BUFFER_SAMPLES - 2 * HOP_FRAMES;

const MILLISECOND_SAMPLES = ANALYSIS_RATE_HZ / 1_000;

/**
 * Reads a recording once and takes its features: at 16 kHz, without its lowest frequencies, of
 * several channels always the loudest at the moment.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function featuresOf(pcm: PcmFile, signal?: AbortSignal): Promise<SignalFeatures> {
	const { channels } = pcm;
	using voiceActivity = await VoiceActivity.create();
	const hops = Math.ceil((pcm.frames / pcm.sampleRateHz) * HOPS_PER_SECOND);
	const maker = new FeatureMaker(hops, channels, voiceActivity);
	const args = [...pcmInputArguments(pcm), ...ANALYSIS_ARGUMENTS];
	for await (const samples of hopsOf(streamFfmpeg(args, signal), channels)) maker.push(samples);
	return maker.finish();
}

/** Takes the features of hops as they come. */
class FeatureMaker {
	readonly #features: SignalFeatures;
	readonly #channels: number;
	readonly #buffers: Float32Array[];
	readonly #spectrum = new MelSpectrum();
	readonly #voiceActivity: VoiceActivity;
	#hop = 0;

	constructor(hops: number, channels: number, voiceActivity: VoiceActivity) {
		this.#voiceActivity = voiceActivity;
		this.#channels = channels;
		this.#buffers = Array.from({ length: channels }, () => new Float32Array(BUFFER_SAMPLES));
		this.#features = {
			hops,
			levels: new Float32Array(hops).fill(SILENCE_DB),
			edges: new Float32Array(hops).fill(SILENCE_DB),
			peaks: new Float32Array(hops).fill(SILENCE_DB),
			isVoice: new Uint8Array(hops),
			mel: new Uint8Array(hops * MEL_BANDS),
			voicing: new Uint8Array(hops),
			pitchHz: new Float32Array(hops),
		};
	}

	/** @param samples interleaved; only the last hop may be short. */
	push(samples: Float32Array): void {
		const { hops, levels } = this.#features;
		if (this.#hop < hops) levels[this.#hop] = loudestChannelDb(samples, this.#channels);
		this.#append(samples);
		// A spectrum is taken around the middle of a hop, so it waits for the next one.
		this.#analyze(this.#hop - 1);
		this.#hop++;
	}

	finish(): SignalFeatures {
		this.#append(new Float32Array(0));
		this.#analyze(this.#hop - 1);
		return this.#features;
	}

	#append(samples: Float32Array): void {
		const frames = samples.length / this.#channels;
		this.#buffers.forEach((buffer, channel) => {
			buffer.copyWithin(0, HOP_FRAMES);
			const start = BUFFER_SAMPLES - HOP_FRAMES;
			for (let i = 0; i < HOP_FRAMES; i++) {
				buffer[start + i] = i < frames ? samples[i * this.#channels + channel] : 0;
			}
		});
	}

	#analyze(hop: number): void {
		const features = this.#features;
		if (hop < 0 || hop >= features.hops || features.levels[hop] <= SILENCE_DB) return;
		const buffer = this.#loudest();
		this.#measureEdges(buffer, hop);
		this.#spectrum.write(buffer, features.mel, hop * MEL_BANDS);
		features.isVoice[hop] = Number(
			this.#voiceActivity.isVoice(buffer.subarray(MIDDLE, MIDDLE + HOP_FRAMES)),
		);
		this.#measureVoicing(buffer, hop);
	}

	#measureEdges(buffer: Float32Array, hop: number): void {
		let [whole, loudest] = [0, 0];
		for (let start = MIDDLE; start < MIDDLE + HOP_FRAMES; start += MILLISECOND_SAMPLES) {
			const energy = edgeEnergy(buffer, start, start + MILLISECOND_SAMPLES);
			whole += energy;
			loudest = Math.max(loudest, energy);
		}
		this.#features.edges[hop] = energyDb(whole / HOP_FRAMES);
		this.#features.peaks[hop] = energyDb(loudest / MILLISECOND_SAMPLES);
	}

	/** Measured over 40 ms, so every second hop is enough. */
	#measureVoicing(buffer: Float32Array, hop: number): void {
		const { voicing, pitchHz } = this.#features;
		if (hop % 2 === 1) {
			voicing[hop] = voicing[hop - 1];
			pitchHz[hop] = pitchHz[hop - 1];
			return;
		}
		const measured = voicingOf(buffer);
		voicing[hop] = Math.round(255 * measured.strength);
		pitchHz[hop] = measured.pitchHz;
	}

	#loudest(): Float32Array {
		if (this.#channels === 1) return this.#buffers[0];
		const energies = this.#buffers.map((buffer) => energyOf(buffer, 0, buffer.length));
		return this.#buffers[energies.indexOf(Math.max(...energies))];
	}
}

/** The energy of what changes from sample to sample. */
function edgeEnergy(samples: Float32Array, start: number, end: number): number {
	let energy = 0;
	for (let i = start; i < end; i++) energy += (samples[i] - 0.95 * samples[i - 1]) ** 2;
	return energy;
}

function energyOf(samples: Float32Array, start: number, end: number): number {
	let energy = 0;
	for (let i = start; i < end; i++) energy += samples[i] * samples[i];
	return energy;
}
