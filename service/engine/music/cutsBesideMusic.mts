import type { PcmFile } from '../../media/pcmFile.mts';
import { type EditLimits, guardSecondsOf } from '../../shared/editLimits.mts';
import type { TimelineEdit, TimeRange } from '../../shared/timeRanges.mts';
import { inThreads, THREADS } from '../threads/engineThreads.mts';
import { sharedFloats } from '../signal/sharedArrays.mts';
import { UNHEARD } from './heardMusic.mts';
import { PATCH_SECONDS, type PauseTask } from './pauseMusic.mts';

/** A recording as it came, 16 kHz. */
type Recording = Pick<PauseTask, 'input' | 'humHz'>;

/** In a pause there is nothing else to be heard, so music is what is more likely than not, nearly: 38 %. */
const MIN_MUSIC = -0.5;

/**
 * Somebody who speaks softly beside a fan, or far from the microphone, is as soft as what noise reduction takes away.
 * Of noise alone, speech is less likely than this, as a logit.
 */
const MIN_SPEECH = -3.5;

/** In less than a third of what the network hears at a time, silence sounds as much like speech. */
const MIN_SPEECH_SECONDS = PATCH_SECONDS / 3;

/** Fewer parts are not worth the 14 MB of code that a thread compiles. */
const MIN_PARTS = 120;

/**
 * Returns the edits without those in music, where a join is heard, and pauses without soft speech. The pauses are
 * listened to once more for this, because both can be far softer than other speech. Of a pause, only what comes after
 * its music or speech is cut.
 *
 * @param known music that was found before, in order of time.
 * @throws the signal's reason when aborted.
 */
export async function cutsBesideMusic(
	edits: readonly TimelineEdit[],
	recording: Recording,
	known: readonly TimeRange[],
	limits: EditLimits,
	signal?: AbortSignal,
): Promise<TimelineEdit[]> {
	const pauses = edits.filter(({ kind }) => kind === 'long_silence');
	const sounds = await soundsIn(recording, pauses, signal);
	const minSeconds = limits.longSilenceSeconds - 2 * guardSecondsOf(limits);
	return edits.flatMap((edit) => {
		if (edit.kind !== 'long_silence') return known.some((it) => overlaps(it, edit)) ? [] : [edit];
		const last = sounds.findLast((it) => overlaps(it, edit));
		if (last === undefined) return [edit];
		const rest = { ...edit, startSeconds: last.endSeconds };
		return rest.endSeconds - rest.startSeconds >= minSeconds ? [rest] : [];
	});
}

/** The parts of pauses in which there is music or speech, in order of time. */
async function soundsIn(
	recording: Recording,
	pauses: readonly TimeRange[],
	signal?: AbortSignal,
): Promise<TimeRange[]> {
	const parts = pauses.flatMap((pause) => partsOf(pause, recording.input));
	const size = Math.max(MIN_PARTS, Math.ceil(parts.length / THREADS));
	const music = sharedFloats(parts.length).fill(UNHEARD);
	const speech = sharedFloats(parts.length).fill(UNHEARD);
	const starts = Array.from({ length: Math.ceil(parts.length / size) }, (_, i) => i * size);
	const tasks = starts.map((start) => ({
		kind: 'pauses' as const,
		...recording,
		parts: parts.slice(start, start + size),
		music: music.subarray(start, start + size),
		speech: speech.subarray(start, start + size),
	}));
	if (tasks.length > 0) await inThreads(tasks, signal);
	return parts.filter((part, index) => {
		const mayBeSpeech = part.endSeconds - part.startSeconds >= MIN_SPEECH_SECONDS;
		return music[index] > MIN_MUSIC || (mayBeSpeech && speech[index] > MIN_SPEECH);
	});
}

/** A pause in parts that the network hears at a time; the last two may overlap. */
function partsOf({ startSeconds, endSeconds }: TimeRange, input: PcmFile): TimeRange[] {
	const end = Math.min(endSeconds, input.frames / input.sampleRateHz);
	const count = Math.ceil((end - startSeconds) / PATCH_SECONDS);
	return Array.from({ length: count }, (_, index) => {
		const last = Math.max(startSeconds, end - PATCH_SECONDS);
		const start = Math.min(last, startSeconds + index * PATCH_SECONDS);
		return { startSeconds: start, endSeconds: Math.min(end, start + PATCH_SECONDS) };
	});
}

function overlaps(one: TimeRange, other: TimeRange): boolean {
	return one.startSeconds < other.endSeconds && one.endSeconds > other.startSeconds;
}
