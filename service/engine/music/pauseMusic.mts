import { MonoMix } from '../../media/monoMix.mts';
import { PcmReader, type PcmFile } from '../../media/pcmFile.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { Notches, settlingFrames } from '../denoise/notches.mts';
import { PATCH_SAMPLES, Yamnet } from '../networks/yamnet/yamnet.mts';
import { ANALYSIS_RATE_HZ, energyOf } from '../signal/levels.mts';
import { FAINTEST } from './heardMusic.mts';

/** Parts of pauses to listen to. */
export interface PauseTask {
	/** As it came, 16 kHz. */
	input: PcmFile;
	humHz: readonly number[];
	/** Each no longer than what the network hears at a time. */
	parts: readonly TimeRange[];
	/** Where to write how likely music is in each, as a logit, and speech, if there is noise in which it may hide. */
	music: Float32Array;
	speech: Float32Array;
}

/** Seconds that the network hears at a time. */
export const PATCH_SECONDS = PATCH_SAMPLES / ANALYSIS_RATE_HZ;

/** Parts that the network hears at a time. */
const BATCH = 4;

/** The network hears little in what is softer than this, RMS: -40 dBFS. */
const CLEARLY_HEARD = 0.01;

/** In a room that is softer than this, RMS, speech would be heard without listening closely: -50 dBFS. */
const MIN_NOISE = 0.003;

/** Writes how likely music and speech are in each part. @throws the signal's reason when aborted. */
export async function listenToPauses(task: PauseTask, signal?: AbortSignal): Promise<void> {
	const { parts } = task;
	await using reader = await PcmReader.open(task.input);
	const yamnet = await Yamnet.create();
	for (let first = 0; first < parts.length; first += BATCH) {
		signal?.throwIfAborted();
		const sounds: Array<Sound & { place: number }> = [];
		for (let place = first; place < Math.min(parts.length, first + BATCH); place++) {
			const sound = await soundOf(reader, task, parts[place]);
			if (sound) sounds.push({ ...sound, place });
		}
		if (sounds.length === 0) continue;
		const { music, speech } = await yamnet.listen(sounds.map(({ amplified }) => amplified));
		sounds.forEach(({ place, rms }, index) => {
			task.music[place] = music[index];
			if (rms >= MIN_NOISE) task.speech[place] = speech[index];
		});
	}
}

interface Sound {
	/** As loud as the network needs it. */
	amplified: Float32Array;
	/** As it was. */
	rms: number;
}

/** What sounds in a part, alone; undefined if nothing does. */
async function soundOf(
	reader: PcmReader,
	{ input, humHz }: PauseTask,
	{ startSeconds, endSeconds }: TimeRange,
): Promise<Sound | undefined> {
	const [start, end] = [startSeconds, endSeconds].map((it) => Math.round(it * ANALYSIS_RATE_HZ));
	const first = Math.max(0, start - settlingFrames(humHz, ANALYSIS_RATE_HZ));
	const samples = await reader.read(first, Math.min(end, input.frames) - first);
	new Notches(humHz, input).write(samples);
	const mono = new MonoMix(input).mixed(samples).subarray(start - first);
	const energy = energyOf(mono, 0, mono.length) / mono.length;
	if (!(energy >= FAINTEST)) return undefined;
	const rms = Math.sqrt(energy);
	const gain = Math.max(1, CLEARLY_HEARD / rms);
	const amplified = new Float32Array(PATCH_SAMPLES);
	amplified.set(mono.subarray(0, PATCH_SAMPLES).map((sample) => gain * sample));
	return { amplified, rms };
}
