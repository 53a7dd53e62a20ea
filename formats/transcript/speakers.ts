import type { Transcription } from '../../api/contract';
import { countPassing } from '../../api/search';
import { onOneLine, usableSeconds } from '../values';

interface Turn {
	readonly startMs: number;
	readonly endMs: number;
	readonly speaker: string;
}

/**
 * A function that returns who speaks at a time in milliseconds; undefined where nobody is named.
 *
 * The transcript's words carry no speaker, `transcription.paragraphs` carries speakers and times only
 * (api.md#transcription). Where turns overlap, the one that began last counts; between two turns,
 * the nearer one.
 */
export function speakersOf(
	transcription: Transcription | null | undefined,
): (timeMs: number) => string | undefined {
	const turns = (transcription?.transcription?.paragraphs ?? [])
		.flatMap(readTurn)
		.sort((one, other) => one.startMs - other.startMs);
	const { pieces, lastToEnd } = divided(turns);
	return (timeMs) => {
		const started = countPassing(turns.length, (index) => turns[index].startMs <= timeMs);
		const isOver = ({ started: from, turn }: Piece) =>
			from < started || (from === started && turn.endMs < timeMs);
		const piece = pieces[countPassing(pieces.length, (index) => isOver(pieces[index]))];
		if (piece?.started === started) return piece.turn.speaker;
		const before = lastToEnd[started - 1];
		const after = turns[started];
		if (before === undefined || after === undefined) return (before ?? after)?.speaker;
		const isBeforeNearer = timeMs - before.endMs <= after.startMs - timeMs;
		return (isBeforeNearer ? before : after).speaker;
	};
}

/** A time in which a turn counts: while this many turns have started, until its end. */
interface Piece {
	readonly started: number;
	readonly turn: Turn;
}

/**
 * Divides the time into pieces, in order: one turn counts in each. Searching the turns for each word would
 * take a time that grows with their square, if many are inside a long one.
 *
 * @param turns sorted by their start
 */
function divided(turns: readonly Turn[]): { pieces: Piece[]; lastToEnd: Turn[] } {
	const pieces: Piece[] = [];
	/** For each turn, the one that ends last among it and all before. */
	const lastToEnd: Turn[] = [];
	/** The turns that count now or later; each ends before those under it. */
	const open: Turn[] = [];
	for (const [index, turn] of turns.entries()) {
		const nextStartMs = turns[index + 1]?.startMs ?? Infinity;
		while ((open.at(-1)?.endMs ?? Infinity) <= turn.endMs) open.pop();
		open.push(turn);
		lastToEnd.push(open[0]);
		for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
			pieces.push({ started: index + 1, turn: last });
			if (last.endMs >= nextStartMs) break;
			open.pop();
		}
	}
	return { pieces, lastToEnd };
}

function readTurn({ start, end, speaker }: { start?: number; end?: number; speaker: string }) {
	const startSeconds = usableSeconds(start);
	const name = onOneLine(speaker);
	if (startSeconds === undefined || name === '') return [];
	const endSeconds = Math.max(startSeconds, usableSeconds(end) ?? startSeconds);
	return [{ startMs: startSeconds * 1_000, endMs: endSeconds * 1_000, speaker: name }];
}
