import { MonoMix } from '../../media/monoMix.mts';
import { PcmReader, type PcmFile } from '../../media/pcmFile.mts';
import { MIN_CUT_SECONDS } from '../../shared/editLimits.mts';
import type { IndexRange, TimelineEdit, TimeRange } from '../../shared/timeRanges.mts';
import { runsOf } from '../detection/scene.mts';
import { MOMENT_SAMPLES, Silero } from '../networks/silero/silero.mts';
import { Yamnet } from '../networks/yamnet/yamnet.mts';
import { MIN_VOICE } from './hearVoice.mts';
import { MOMENT_SECONDS } from './searchVoice.mts';

/** Moments before a pause that the network hears, so that it knows what went before, 1 s. */
const MOMENTS_BEFORE = 32;

/** The network hears a word for so long after its end and before its beginning, .13 s; the levels know better where they are. */
const BORDER_MOMENTS = 4;

/**
 * Begins to load the networks that listen to pauses into this thread. Who needs one waits for it, and learns of a
 * failure.
 */
export function loadEars(): void {
	const load = async () => {
		await Silero.create();
		await Yamnet.create();
	};
	load().catch(() => undefined);
}

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
	const silent: TimelineEdit[] = [];
	for await (const { range: pause, moments, voice } of voiceWithin(pauses, input, signal)) {
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

/**
 * Yields how likely somebody speaks, 0 to 1, at each of the moments that each of some ranges touches. Throws as
 * `silentPauses`.
 */
export async function* voiceWithin<Range extends TimeRange>(
	ranges: readonly Range[],
	input: PcmFile,
	signal?: AbortSignal,
): AsyncGenerator<{ range: Range; moments: IndexRange; voice: Float32Array }> {
	if (ranges.length === 0) return;
	await using reader = await PcmReader.open(input);
	const silero = await Silero.create();
	const mix = new MonoMix(input);
	for (const range of ranges) {
		signal?.throwIfAborted();
		const moments = momentsOf(range);
		const start = Math.max(0, moments.start - MOMENTS_BEFORE);
		const sound = new Float32Array((moments.end - start) * MOMENT_SAMPLES);
		const endFrame = Math.min(input.frames, moments.end * MOMENT_SAMPLES);
		const startFrame = start * MOMENT_SAMPLES;
		sound.set(mix.mixed(await reader.read(startFrame, endFrame - startFrame)));
		yield { range, moments, voice: (await silero.speechIn(sound)).subarray(moments.start - start) };
	}
}

/** The moments that a range touches. */
function momentsOf({ startSeconds, endSeconds }: TimeRange): IndexRange {
	return {
		start: Math.floor(startSeconds / MOMENT_SECONDS),
		end: Math.ceil(endSeconds / MOMENT_SECONDS),
	};
}

/** The longest run of moments in which nobody speaks, but for the words on its borders. */
function longestSilence(voice: Float32Array): IndexRange {
	const silent = runsOf(Uint8Array.from(voice, (likely) => Number(likely < MIN_VOICE)));
	const [longest = { start: 0, end: 0 }] = silent.toSorted((one, other) => {
		return other.end - other.start - (one.end - one.start);
	});
	const rest = voice.length - longest.end;
	return {
		start: longest.start <= BORDER_MOMENTS ? 0 : longest.start,
		end: rest <= BORDER_MOMENTS ? voice.length : longest.end,
	};
}
