import type { EditKind, TimeRange } from '../shared/timeRanges.mts';
import type { Editor, FoundCut } from './editors/editor.mts';
import { type Joins, joinsOf } from './joins.mts';
import { HOP_SECONDS, type Scene, stretchesOf, WORD } from './scene.mts';
import { isSame, lengthOf, shared, tallyOf } from './score.mts';

/** What is judged together: hesitations are fillers that are short. */
export const JUDGED: Readonly<Record<string, readonly EditKind[]>> = {
	long_silences: ['long_silence'],
	mouth_sounds: ['mouth_sound'],
	breath: ['breath'],
	stutters: ['stutter'],
	'fillers + hesitations': ['filler', 'hesitation'],
};

/** A cut that touches a word by less than this cannot be heard, in seconds. */
const TOUCH_SECONDS = 0.01;

type Cut = FoundCut & { readonly kind: EditKind };

/** Lets an editor cut a scene that is in a WAV file, and compares. */
export async function judge(scene: Scene, wavPath: string, editor: Editor) {
	const { cuts, edited } = await editor.cut(wavPath);
	const joins = cuts.length === 0 ? undefined : joinsOf(scene.samples, await edited(), cuts);
	return { ...judgmentOf(scene, named(scene, cuts)), joins };
}

/**
 * Names the cuts of a service, which does not say of which kind they are: by what they take out, or else
 * as a wrong silence or, if most of it is words, a wrong filler.
 */
function named({ events, marks }: Scene, cuts: readonly FoundCut[]): Cut[] {
	const words = stretchesOf(marks, WORD);
	return cuts.map(({ kind, ...cut }) => {
		if (kind) return { ...cut, kind };
		const event = events.find((one) => isSame(one, cut));
		const wordSeconds = words.reduce((sum, word) => sum + shared(word, cut), 0);
		const wrong = wordSeconds > lengthOf(cut) / 2 ? 'filler' : 'long_silence';
		return { ...cut, kind: event?.kind ?? wrong };
	});
}

export function judgmentOf(
	{ condition, isEventful, name, marks, events }: Scene,
	edits: readonly Cut[],
) {
	const words = stretchesOf(marks, WORD);
	/** The cuts that touch words. */
	const hits = edits
		.map((edit) => ({
			...edit,
			wordSeconds: words.reduce((sum, word) => sum + shared(word, edit), 0),
		}))
		.filter(({ wordSeconds }) => wordSeconds >= TOUCH_SECONDS);
	const doubtful = events.filter(({ kind, isMasked }) => kind === 'long_silence' && isMasked);
	const judged = edits.filter((edit) => {
		return edit.kind !== 'long_silence' || !doubtful.some((pause) => isMostlyIn(edit, pause));
	});
	const tallies = Object.fromEntries(
		Object.entries(JUDGED).map(([title, kinds]) => [title, tallyOf(kinds, events, judged)]),
	);
	return {
		scene: { condition, isEventful, name },
		seconds: marks.length * HOP_SECONDS,
		/** How long words are said in it. */
		wordSeconds: words.reduce((sum, word) => sum + lengthOf(word), 0),
		tallies,
		hits,
	};
}

/** Has joins if it was edited and not only searched. */
export type Judgment = ReturnType<typeof judgmentOf> & { readonly joins?: Joins | undefined };

/** A part of a doubtful pause may be cut: the rest may be a breath. */
function isMostlyIn(edit: TimeRange, pause: TimeRange): boolean {
	return shared(edit, pause) >= 0.9 * lengthOf(edit);
}
