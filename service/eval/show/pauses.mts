import { type Bar, count } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { addAt } from '../../../testkit/media/signals.mts';
import { DEFAULT_EDIT_LIMITS } from '../../shared/editLimits.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { roomTone } from '../conditions.mts';
import { engineIn, type FoundCut, wavOf } from '../editors/editor.mts';
import { stretchesOf, WORD } from '../scene.mts';
import { lengthOf, shared } from '../score.mts';
import { Tape } from '../tape.mts';
import type { Voice } from './voices.mts';

/** Each voice talks for this long. */
const TALK_SECONDS = 150;

/** From a breath to somebody who looks for a page: most pauses are short, seconds. */
const MIN_SET_SECONDS = 0.25;
const MAX_SET_SECONDS = 4;

/** What is shorter belongs to a word, seconds. */
const MIN_PAUSE_SECONDS = 0.2;

/** The noise of the room, dB against speech. */
const ROOM_DB = -52;

/** What was left of every long silence before its length counted, in seconds. */
const FORMERLY_LEFT_SECONDS = 0.4;

interface Rhythm {
	readonly before: readonly number[];
	readonly after: readonly number[];
	readonly cuts: readonly FoundCut[];
	readonly wordSeconds: number;
}

/** Cuts what the voices say with pauses of every length, and compares the pauses. */
export async function pauseBars(voices: readonly Voice[], folder: string): Promise<Bar[]> {
	const editor = engineIn(folder);
	const all: Rhythm[] = [];
	const bars: Bar[] = [];
	for (const [index, voice] of voices.entries()) {
		const talk = talkOf(voice, new Chance(index + 1));
		const { cuts } = await editor.cut(await wavOf(talk.samples, `${folder}/pauses.wav`));
		all.push(rhythmOf(talk.marks, cuts));
		bars.push(...orderBars(`, ${voice.name}`, [all[index]]));
	}
	const cuts = all.flatMap((one) => one.cuts);
	const words = 1_000 * all.reduce((sum, { wordSeconds }) => sum + wordSeconds, 0);
	return [
		...bars,
		...orderBars('', all),
		count('pauses compared', all.flatMap(({ before }) => before).length, 200, '>='),
		{
			name: 'shortest cut of a pause',
			figure: Math.min(...cuts.map(lengthOf)),
			limit: 0.15,
			goal: '>=',
			decimals: 3,
			unit: 's',
		},
		{ name: 'words cut with pauses', figure: words, limit: 0, decimals: 0, unit: 'ms' },
	];
}

function orderBars(who: string, rhythms: readonly Rhythm[]): Bar[] {
	const before = rhythms.flatMap((one) => one.before);
	const after = rhythms.flatMap((one) => one.after);
	const saved = before.reduce((sum, seconds, i) => sum + seconds - after[i], 0);
	const formerly = before
		.filter((seconds) => seconds >= DEFAULT_EDIT_LIMITS.longSilenceSeconds)
		.reduce((sum, seconds) => sum + seconds - FORMERLY_LEFT_SECONDS, 0);
	return [
		{
			name: `pauses keep their order${who}`,
			figure: rankCorrelation(before, after),
			limit: 0.9,
			goal: '>=',
		},
		{
			name: `seconds saved, of those with 0.4 s left${who}`,
			figure: (100 * saved) / formerly,
			limit: 60,
			goal: '>=',
			decimals: 0,
			unit: '%',
		},
	];
}

function talkOf({ sentences }: Voice, chance: Chance) {
	const tape = new Tape(TALK_SECONDS, chance);
	tape.pause(0.3, 0.6);
	for (;;) {
		const { samples, marks } = chance.pick(sentences);
		if (!tape.hasRoomFor(samples, MAX_SET_SECONDS)) break;
		tape.say(samples, marks);
		const length = MIN_SET_SECONDS * (MAX_SET_SECONDS / MIN_SET_SECONDS) ** chance.next();
		tape.pause(length, length);
	}
	const samples = roomTone(tape.clean.length, ROOM_DB, chance);
	addAt(samples, tape.clean, 0);
	return { samples, marks: tape.marks };
}

/** The pauses between words before and after the cuts, without those at the ends. */
function rhythmOf(marks: Uint8Array, cuts: readonly FoundCut[]): Rhythm {
	const words = stretchesOf(marks, WORD);
	const gone = (range: TimeRange) => cuts.reduce((sum, cut) => sum + shared(range, cut), 0);
	const pauses = words.slice(1).flatMap((word, index) => {
		const pause = { startSeconds: words[index].endSeconds, endSeconds: word.startSeconds };
		return lengthOf(pause) >= MIN_PAUSE_SECONDS ? [pause] : [];
	});
	return {
		before: pauses.map(lengthOf),
		after: pauses.map((pause) => lengthOf(pause) - gone(pause)),
		cuts: cuts.filter(({ kind }) => kind === 'long_silence'),
		wordSeconds: words.reduce((sum, word) => sum + gone(word), 0),
	};
}

/** Spearman's: 1 where the order stays, 0 where nothing of it is left. */
export function rankCorrelation(one: readonly number[], other: readonly number[]): number {
	const [a, b] = [one, other].map(ranksOf);
	const mean = (one.length - 1) / 2;
	let [both, ofA, ofB] = [0, 0, 0];
	for (const [place, rank] of a.entries()) {
		both += (rank - mean) * (b[place] - mean);
		ofA += (rank - mean) ** 2;
		ofB += (b[place] - mean) ** 2;
	}
	return both / Math.sqrt(ofA * ofB);
}

/** The place of each value after sorting; equal ones share the mean of theirs. */
function ranksOf(values: readonly number[]): number[] {
	const sorted = values.toSorted((a, b) => a - b);
	return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2);
}
