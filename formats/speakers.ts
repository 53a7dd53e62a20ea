import type { Transcription } from '../api/contract';
import { countPassing, onOneLine, usableSeconds } from './values';

interface Turn {
	readonly startMs: number;
	readonly endMs: number;
	readonly speaker: string;
}

/**
 * A function that returns who speaks at a time in milliseconds; undefined where nobody is named.
 *
 * The transcript's words carry no speaker, `transcription.paragraphs` carries speakers and times only
 * (spec "result.transcription"). Where turns overlap, the one that began last counts; between two turns,
 * the nearer one.
 */
export function speakersOf(
	transcription: Transcription | null | undefined,
): (timeMs: number) => string | undefined {
	const turns = (transcription?.transcription?.paragraphs ?? [])
		.flatMap(readTurn)
		.sort((one, other) => one.startMs - other.startMs);
	/** For each turn, the one that ends last among it and all before: where the search back may stop. */
	const lastToEnd: Turn[] = [];
	for (const turn of turns) {
		const before = lastToEnd.at(-1);
		lastToEnd.push(before === undefined || before.endMs <= turn.endMs ? turn : before);
	}
	return (timeMs) => {
		const started = countPassing(turns.length, (index) => turns[index].startMs <= timeMs);
		for (let index = started - 1; index >= 0 && lastToEnd[index].endMs >= timeMs; index--) {
			if (turns[index].endMs >= timeMs) return turns[index].speaker;
		}
		const before = lastToEnd[started - 1];
		const after = turns[started];
		if (before === undefined || after === undefined) return (before ?? after)?.speaker;
		const isBeforeNearer = timeMs - before.endMs <= after.startMs - timeMs;
		return (isBeforeNearer ? before : after).speaker;
	};
}

function readTurn({ start, end, speaker }: { start?: number; end?: number; speaker: string }) {
	const startSeconds = usableSeconds(start);
	const name = onOneLine(speaker);
	if (startSeconds === undefined || name === '') return [];
	const endSeconds = Math.max(startSeconds, usableSeconds(end) ?? startSeconds);
	return [{ startMs: startSeconds * 1_000, endMs: endSeconds * 1_000, speaker: name }];
}
