import type { TimeRange } from '../shared/timeRanges.mts';
import { packetLines, secondsPerTickIn } from './ffmpeg/packetLines.mts';

/** In a longer time without a new picture, the last one repeats this often. */
export const MAX_STILL_SECONDS = 1;

/** When a video shows new pictures, in seconds of the file's timeline. */
export interface PictureRuns {
	/** First and last picture of each stretch in which a new one comes within a second; in order. */
	runs: readonly TimeRange[];
	/** When the last picture ends. */
	endSeconds: number;
}

/**
 * Reads when a video shows its pictures, without decoding them: headers may claim anything. Stops reading once
 * the picture is known to be longer than `limitSeconds`; `endSeconds` is beyond that.
 *
 * @throws MediaToolError when the file cannot be read, the signal's reason when aborted.
 */
export async function readPictureRuns(
	path: string,
	streamIndex: number,
	limitSeconds: number,
	signal?: AbortSignal,
): Promise<PictureRuns> {
	const limits = { stallSeconds: 60, totalSeconds: 60 + limitSeconds };
	const pictures = { path, stream: `0:${streamIndex}`, outputOptions: ['-copyinkf'] };
	const seconds = new FilledSeconds();
	let [secondsPerTick, endSeconds] = [0, 0];
	for await (const line of packetLines(pictures, signal, limits)) {
		secondsPerTick = secondsPerTickIn(line) ?? secondsPerTick;
		if (line.startsWith('#')) continue;
		const [, decodedAt, shownAt, length] = line.split(',').map(Number);
		// AVI does not say when it shows pictures that are stored in another order.
		const at = Math.max(0, shownAt < -(2 ** 62) ? decodedAt : shownAt) * secondsPerTick;
		seconds.add(at);
		endSeconds = Math.max(endSeconds, at + length * secondsPerTick);
		if (endSeconds > limitSeconds) break;
	}
	return { runs: seconds.runs(), endSeconds };
}

/** The first and last picture within each second: enough to know the gaps, and little for any file. */
class FilledSeconds {
	private readonly seconds = new Map<number, TimeRange>();

	add(at: number): void {
		const second = Math.floor(at / MAX_STILL_SECONDS);
		const { startSeconds = at, endSeconds = at } = this.seconds.get(second) ?? {};
		this.seconds.set(second, {
			startSeconds: Math.min(startSeconds, at),
			endSeconds: Math.max(endSeconds, at),
		});
	}

	runs(): TimeRange[] {
		const seconds = [...this.seconds.values()];
		return withoutStills(seconds.toSorted((a, b) => a.startSeconds - b.startSeconds));
	}
}

/** Joins runs that follow each other within a second. */
export function withoutStills(runs: readonly TimeRange[]): TimeRange[] {
	const joined: TimeRange[] = [];
	for (const { startSeconds, endSeconds } of runs) {
		const last = joined.at(-1);
		if (last && startSeconds - last.endSeconds <= MAX_STILL_SECONDS) last.endSeconds = endSeconds;
		else joined.push({ startSeconds, endSeconds });
	}
	return joined;
}
