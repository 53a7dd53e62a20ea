import { findEdits } from '../../service/engine/findEdits.mts';
import type { EditKind, TimelineEdit, TimeRange } from '../../service/shared/timeRanges.mts';
import { lengthOf, shared, tallyOf, type Tally } from '../eval/score.mts';
import { CONFIG, JUDGED, trackOf } from '../eval/trial.mts';
import type { Scene } from './scenes.mts';
import { HOP_SECONDS, stretchesOf, WORD } from './takes.mts';

/** A cut that touches a word by less than this cannot be heard, in seconds. */
const TOUCH_SECONDS = 0.01;

/** Cuts of one kind that touch words. */
export interface Damage {
	cuts: number;
	seconds: number;
}

/** What the engine did to a scene. */
export interface Judgement {
	scene: Pick<Scene, 'condition' | 'isEventful' | 'name'>;
	seconds: number;
	tallies: Record<string, Tally>;
	damage: Partial<Record<EditKind, Damage>>;
	/** Where words were cut, for a closer look. */
	hits: (TimelineEdit & { wordSeconds: number })[];
}

/** Lets the engine edit a scene, and compares. */
export async function judge(scene: Scene, folder: string): Promise<Judgement> {
	return judgementOf(scene, await findEdits(CONFIG, [await trackOf(scene, folder)]));
}

export function judgementOf(scene: Scene, edits: readonly TimelineEdit[]): Judgement {
	const { condition, isEventful, name, marks, events } = scene;
	const words = stretchesOf(marks, WORD);
	const damage: Judgement['damage'] = {};
	const hits: Judgement['hits'] = [];
	for (const edit of edits) {
		const wordSeconds = words.reduce((sum, word) => sum + shared(word, edit), 0);
		if (wordSeconds < TOUCH_SECONDS) continue;
		const sum = (damage[edit.kind] ??= { cuts: 0, seconds: 0 });
		sum.cuts++;
		sum.seconds += wordSeconds;
		hits.push({ ...edit, wordSeconds });
	}
	const doubtful = events.filter(({ kind, isMasked }) => kind === 'long_silence' && isMasked);
	const judged = edits.filter((edit) => {
		return edit.kind !== 'long_silence' || !doubtful.some((pause) => isMostlyIn(edit, pause));
	});
	const tallies = Object.fromEntries(
		Object.entries(JUDGED).map(([title, kinds]) => [title, tallyOf(kinds, events, judged)]),
	);
	const seconds = marks.length * HOP_SECONDS;
	return { scene: { condition, isEventful, name }, seconds, tallies, damage, hits };
}

/** A part of a doubtful pause may be cut: the rest may be a breath. */
function isMostlyIn(edit: TimeRange, pause: TimeRange): boolean {
	return shared(edit, pause) >= 0.9 * lengthOf(edit);
}
