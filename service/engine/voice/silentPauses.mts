import { MonoMix } from '../../media/monoMix.mts';
import { PcmReader, type PcmFile } from '../../media/pcmFile.mts';
import { MIN_CUT_SECONDS } from '../../shared/editLimits.mts';
import type { IndexRange, TimelineEdit, TimeRange } from '../../shared/timeRanges.mts';
import { MOMENT_SAMPLES, Silero } from '../networks/silero/silero.mts';
import { MIN_VOICE } from './hearVoice.mts';
import { MOMENT_SECONDS } from './searchVoice.mts';

/** Moments before a pause that the network hears, so that it knows what went before, 1 s. */
const MOMENTS_BEFORE = 32;

/**
 * Returns pauses without the parts in which somebody speaks softly: of each, the longest part in which nobody does.
 *
 * @param input the recording as it came, 16 kHz.
 * @throws the signal's reason when aborted.
 */
export async function silentPauses(
	pauses: readonly TimelineEdit[],
	input: PcmFile,
	signal?: AbortSignal,
): Promise<TimelineEdit[]> {
	if (pauses.length === 0) return [];
	await using reader = await PcmReader.open(input);
	const silero = await Silero.create();
	const mix = new MonoMix(input);
	const silent: TimelineEdit[] = [];
	for (const pause of pauses) {
		signal?.throwIfAborted();
		const moments = momentsOf(pause);
		const start = Math.max(0, moments.start - MOMENTS_BEFORE);
		const sound = new Float32Array((moments.end - start) * MOMENT_SAMPLES);
		const endFrame = Math.min(input.frames, moments.end * MOMENT_SAMPLES);
		const startFrame = start * MOMENT_SAMPLES;
		sound.set(mix.mixed(await reader.read(startFrame, endFrame - startFrame)));
		const voice = (await silero.speechIn(sound)).subarray(moments.start - start);
		const part = longestSilence(voice);
		const startSeconds = (moments.start + part.start) * MOMENT_SECONDS;
		const endSeconds = (moments.start + part.end) * MOMENT_SECONDS;
		const rest = {
			...pause,
			startSeconds: Math.max(pause.startSeconds, startSeconds),
			endSeconds: Math.min(pause.endSeconds, endSeconds),
		};
		if (rest.endSeconds - rest.startSeconds >= MIN_CUT_SECONDS) silent.push(rest);
	}
	return silent;
}

/** The moments that a pause touches. */
function momentsOf({ startSeconds, endSeconds }: TimeRange): IndexRange {
	return {
		start: Math.floor(startSeconds / MOMENT_SECONDS),
		end: Math.ceil(endSeconds / MOMENT_SECONDS),
	};
}

/** The longest run of moments in which nobody speaks. */
function longestSilence(voice: Float32Array): IndexRange {
	let longest = { start: 0, end: 0 };
	let start = 0;
	for (const [moment, likely] of voice.entries()) {
		if (likely >= MIN_VOICE) start = moment + 1;
		else if (moment + 1 - start > longest.end - longest.start) {
			longest = { start, end: moment + 1 };
		}
	}
	return longest;
}
