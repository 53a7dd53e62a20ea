import type { PcmFile } from '../../media/pcmFile.mts';
import type { IndexRange, TimeRange } from '../../shared/timeRanges.mts';
import { inThreads, THREADS } from '../threads/engineThreads.mts';
import { type HeardMusic, newHeardMusic, STEP_SECONDS } from './heardMusic.mts';
import type { ListenTask } from './listen.mts';
import { musicIn } from './musicSections.mts';
import { joined } from './joined.mts';

/** Less than this is not worth the 14 MB of code that a thread compiles: a minute. */
const MIN_STEPS = Math.ceil(60 / STEP_SECONDS);

/** What is listened to. */
type Heard = Omit<ListenTask, 'parts' | 'heard'>;

/**
 * Listens to some parts of a recording, on all cores.
 *
 * @param where in order of time; nothing is heard elsewhere.
 * @throws the signal's reason when aborted.
 */
export async function hear(
	recording: Heard,
	where: readonly TimeRange[],
	signal?: AbortSignal,
): Promise<HeardMusic> {
	const { frames, sampleRateHz } = recording.input;
	const heard = newHeardMusic(frames / sampleRateHz);
	const shares = sharesOf(where, heard.music.length);
	const tasks = shares.map((parts) => ({ kind: 'listen' as const, ...recording, parts, heard }));
	if (tasks.length > 0) await inThreads(tasks, signal);
	return heard;
}

/** Finds the music in a recording, as `hear` does. */
export async function searchMusic(input: PcmFile, signal?: AbortSignal): Promise<TimeRange[]> {
	return musicIn(await hear({ input, humHz: [] }, wholeOf(input), signal));
}

/** All of a recording. */
function wholeOf({ frames, sampleRateHz }: PcmFile): TimeRange[] {
	return [{ startSeconds: 0, endSeconds: frames / sampleRateHz }];
}

/** The same in steps, divided as evenly among the threads as is worth it. */
function sharesOf(where: readonly TimeRange[], steps: number): IndexRange[][] {
	const parts = joined(where, 2 * STEP_SECONDS).map(({ startSeconds, endSeconds }) => ({
		start: Math.floor(startSeconds / STEP_SECONDS),
		end: Math.min(steps, Math.ceil(endSeconds / STEP_SECONDS)),
	}));
	const all = parts.reduce((sum, { start, end }) => sum + end - start, 0);
	const most = Math.max(MIN_STEPS, Math.ceil(all / THREADS));
	const shares: IndexRange[][] = [];
	let room = 0;
	for (const { start, end } of parts) {
		for (let from = start; from < end; ) {
			if (room === 0) {
				shares.push([]);
				room = most;
			}
			const to = Math.min(end, from + room);
			shares.at(-1)?.push({ start: from, end: to });
			room -= to - from;
			from = to;
		}
	}
	return shares;
}
