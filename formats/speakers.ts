import type { Transcription } from '../api/contract';
import { usableSeconds } from './clock';
import { onOneLine } from './plainText';

/** Says who speaks at a time; undefined where nobody is named. */
export type SpeakerAt = (timeMs: number) => string | undefined;

interface Turn {
	readonly startMs: number;
	readonly endMs: number;
	readonly speaker: string;
}

/**
 * Who speaks when. The transcript's words carry no speaker; they are matched by time with
 * `transcription.paragraphs`, which carry speakers and times only (spec "result.transcription"). Where
 * turns overlap the one that began last counts, and between turns the nearer one.
 */
export function speakersOf(transcription: Transcription | null | undefined): SpeakerAt {
	const turns = (transcription?.transcription?.paragraphs ?? [])
		.flatMap(readTurn)
		.sort((one, other) => one.startMs - other.startMs);
	/** Of all turns up to each the one that ends last: how far back it is worth looking. */
	const lastToEnd: Turn[] = [];
	for (const turn of turns) {
		const before = lastToEnd.at(-1);
		lastToEnd.push(before === undefined || before.endMs <= turn.endMs ? turn : before);
	}
	return (timeMs) => {
		const last = lastStarted(turns, timeMs);
		for (let index = last; index >= 0 && lastToEnd[index].endMs >= timeMs; index--) {
			if (turns[index].endMs >= timeMs) return turns[index].speaker;
		}
		const before = last < 0 ? undefined : lastToEnd[last];
		const after = turns.at(last + 1);
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
	const turn: Turn = { startMs: startSeconds * 1_000, endMs: endSeconds * 1_000, speaker: name };
	return [turn];
}

/** The place of the last turn that began at or before a time; −1 where none did. */
function lastStarted(turns: readonly Turn[], timeMs: number): number {
	let low = 0;
	let high = turns.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (turns[middle].startMs <= timeMs) low = middle + 1;
		else high = middle;
	}
	return low - 1;
}
