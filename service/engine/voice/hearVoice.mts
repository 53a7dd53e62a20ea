import { PcmReader, type PcmFile } from '../../media/pcmFile.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import { MOMENT_SAMPLES, Silero } from '../networks/silero/silero.mts';
import { PATCH_SAMPLES, Yamnet } from '../networks/yamnet/yamnet.mts';
import { energyOf } from '../signal/levels.mts';

/** A stretch of a recording in which to hear voices. */
export interface VoiceTask {
	/** Mono, 16 kHz. */
	input: PcmFile;
	/** In moments. */
	part: IndexRange;
	/** How likely somebody speaks, at each moment of the recording: 0 to 1. */
	voice: Float32Array;
}

/** Below this, a moment has no voice: Silero says less of noise, and of nearly all music. */
export const MIN_VOICE = 0.1;

/** Moments that are heard at a time, 8 s. */
const MOMENTS_AT_ONCE = 250;

/** Moments before its part that a thread hears, so that it knows what went before, 4 s. */
const MOMENTS_BEFORE = 125;

/**
 * Silero knows few whispers. YAMNet, which hears 30 moments at a time, knows nearly all by this logit, and no noise or
 * music; what it hears counts for the middle half.
 */
const PATCH_MOMENTS = Math.floor(PATCH_SAMPLES / MOMENT_SAMPLES);
const STEP_MOMENTS = PATCH_MOMENTS / 2;
const WHISPER = -3;
const WHISPER_VOICE = 0.5;

/** Nobody hears what is softer, as a mean square: -75 dBFS. */
const FAINTEST = 3e-8;

/** Writes how likely somebody speaks at each moment. @throws the signal's reason when aborted. */
export async function hearVoice(task: VoiceTask, signal?: AbortSignal): Promise<void> {
	await using reader = await PcmReader.open(task.input);
	const read = async (moment: number, samples: number) => {
		// Silence after the end.
		const sound = new Float32Array(samples);
		const start = moment * MOMENT_SAMPLES;
		const frames = Math.max(0, Math.min(samples, task.input.frames - start));
		if (frames > 0) await reader.readInto(sound.subarray(0, frames), start);
		return sound;
	};
	const { part, voice } = task;
	const silero = await Silero.create();
	const first = Math.max(0, part.start - MOMENTS_BEFORE);
	for (let from = first; from < part.end; from += MOMENTS_AT_ONCE) {
		signal?.throwIfAborted();
		const to = Math.min(part.end, from + MOMENTS_AT_ONCE);
		const heard = await silero.speechIn(await read(from, (to - from) * MOMENT_SAMPLES));
		const skipped = Math.max(0, part.start - from);
		voice.set(heard.subarray(skipped), from + skipped);
	}
	await hearWhispers(task, read, signal);
}

/** Asks YAMNet where Silero heard nobody. */
async function hearWhispers(
	{ part, voice }: VoiceTask,
	read: (moment: number, samples: number) => Promise<Float32Array>,
	signal: AbortSignal | undefined,
): Promise<void> {
	const yamnet = await Yamnet.create();
	const heard = voice.slice(part.start, part.end);
	for (let start = 0; start < heard.length; start += STEP_MOMENTS) {
		signal?.throwIfAborted();
		if (heard.subarray(start, start + PATCH_MOMENTS).some((one) => one > MIN_VOICE)) continue;
		const sound = await read(part.start + start, PATCH_SAMPLES);
		if (energyOf(sound, 0, PATCH_SAMPLES) / PATCH_SAMPLES < FAINTEST) continue;
		const [logit] = (await yamnet.listen([sound])).speech;
		const middle = part.start + start + Math.floor(STEP_MOMENTS / 2);
		const end = Math.min(part.end, middle + STEP_MOMENTS);
		if (logit > WHISPER) voice.fill(WHISPER_VOICE, middle, end);
	}
}
