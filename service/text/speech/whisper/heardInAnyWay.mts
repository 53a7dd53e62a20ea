import { ProgramCrashed } from '../../../shared/failures.mts';
import type { Piece } from '../pieces.mts';
import { type ProgramRun, recognizedByProgram, type Way } from './programRun.mts';
import type { RecognizedPiece } from './recognizerPackage.mts';

/**
 * The first is the fastest: with times, the program hears what follows the last whole sentence a second time, which takes
 * as long as a piece, and ends with an assertion if less than .15 s follow and are to have points.
 */
const WAYS: readonly Way[] = [
	{ hasPoints: true, isAtOnce: true },
	{ hasPoints: true, isAtOnce: false },
	{ hasPoints: false, isAtOnce: false },
];

/** A piece that is heard at once ends with the 220th token, whatever is said after it. */
const MAX_TOKENS = 210;

/** Of a piece, which holds speech only, no more than this goes without a word, seconds, unless the model skipped some. */
const MAX_HOLE_SECONDS = 4;

/**
 * Recognizes pieces with whisper.cpp's program, each as fast as it can be: one on which the program crashes, or in which
 * it skips what is said, is heard again in a slower way, and from a piece with too many words for one hearing on, all are.
 *
 * @param run whether the program can give points at all.
 * @throws as `recognizedByProgram` does.
 */
export async function* heardInAnyWay(
	run: Omit<ProgramRun, 'isAtOnce'>,
	signal: AbortSignal,
	at = run.hasPoints ? 0 : WAYS.length - 1,
): AsyncGenerator<RecognizedPiece> {
	const { pieces } = run;
	const slower = at + 1;
	let next = 0;
	/** How many of the pieces that are left have to be heard in a slower way. */
	let failed = 0;
	/** What was heard of the first of them, if it skips something. */
	let skipping: RecognizedPiece | undefined;
	try {
		for await (const piece of recognizedByProgram({ ...run, ...WAYS[at] }, signal)) {
			if (WAYS[at].isAtOnce && piece.segments.length >= MAX_TOKENS) {
				failed = pieces.length - next;
				break;
			}
			if (WAYS[at].isAtOnce && holeSeconds(piece, pieces[next]) > MAX_HOLE_SECONDS) {
				skipping = piece;
				failed = 1;
				break;
			}
			next++;
			yield piece;
		}
	} catch (error) {
		if (!(error instanceof ProgramCrashed) || slower === WAYS.length) throw error;
		failed = 1;
	}
	if (failed === 0) return;
	const after = next + failed;
	const again = heardInAnyWay({ ...run, pieces: pieces.slice(next, after) }, signal, slower);
	for await (const piece of again) {
		yield skipping && skipping.segments.length > piece.segments.length ? skipping : piece;
	}
	if (after === pieces.length) return;
	yield* heardInAnyWay({ ...run, pieces: pieces.slice(after) }, signal, at);
}

/** The longest time of a piece in which there is no word. */
function holeSeconds({ segments }: RecognizedPiece, piece: Piece): number {
	const seconds = piece.reduce((sum, one) => sum + one.endSeconds - one.startSeconds, 0);
	const points = segments.flatMap(({ point }) => (point === undefined ? [] : point / 1_000));
	const places = [0, ...points, seconds];
	return places.reduce((longest, place, at) => {
		return Math.max(longest, place - (places[at - 1] ?? place));
	}, 0);
}
