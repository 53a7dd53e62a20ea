import { DEFAULT_EDIT_LIMITS } from '../../shared/editLimits.mts';
import { shared } from '../score.mts';
import { HOP_SECONDS, type KnownEvent, OTHER, stretchesOf, WORD } from '../scene.mts';

const LIMIT_SECONDS = DEFAULT_EDIT_LIMITS.longSilenceSeconds;

/** A pause this close to the limit may be cut, or not, in seconds: of one that is little longer, nothing goes. */
const DOUBTFUL_SECONDS = 0.18;

/** A pause that holds no more of a breath or click than this is silent, in seconds. */
const LITTLE_SECONDS = 0.005;

/** Sounds that a speaker made between words: they may be breaths or clicks, and count neither way. */
export function doubtfulSounds(marks: Uint8Array): KnownEvent[] {
	return stretchesOf(marks, OTHER).flatMap((range) =>
		(['breath', 'mouth_sound'] as const).map((kind) => ({ kind, ...range, isMasked: true })),
	);
}

/**
 * All pauses from the limit on, however they came about. Those that hold a breath or a click, or are
 * close to the limit, count neither way.
 */
export function longSilences(marks: Uint8Array, events: readonly KnownEvent[]): KnownEvent[] {
	const isSaid = marks.map((mark) => Number(mark === WORD));
	for (const { kind, startSeconds, endSeconds } of events) {
		if (kind === 'breath' || kind === 'mouth_sound') continue;
		isSaid.fill(1, Math.floor(startSeconds / HOP_SECONDS), Math.ceil(endSeconds / HOP_SECONDS));
	}
	return stretchesOf(isSaid, 0)
		.map((range) => ({ ...range, seconds: range.endSeconds - range.startSeconds }))
		.filter(({ seconds }) => seconds >= LIMIT_SECONDS - DOUBTFUL_SECONDS)
		.map(({ seconds, ...range }) => ({
			...range,
			kind: 'long_silence' as const,
			isMasked:
				seconds < LIMIT_SECONDS + DOUBTFUL_SECONDS ||
				events.some((event) => shared(event, range) > LITTLE_SECONDS),
		}));
}
