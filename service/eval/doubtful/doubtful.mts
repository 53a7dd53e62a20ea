import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { type Bar, count } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { findEdits } from '../../engine/findEdits.mts';
import { cutsOf, scaleOf } from '../../engine/review/cutEdits.mts';
import { doubtsOf } from '../../engine/review/doubt/doubts.mts';
import { leastCertain } from '../../engine/review/doubt/leastCertain.mts';
import type { TimelineEdit } from '../../shared/timeRanges.mts';
import { CONFIG, trackOf } from '../editors/editor.mts';
import type { Half } from '../recorded/speakers.mts';
import { stretchesOf, WORD } from '../scene.mts';
import { shared } from '../score.mts';
import { type DoubtfulScene, doubtfulScenes } from './doubtfulScenes.mts';
import { type WrongCut, wrongCuts } from './wrongCuts.mts';

/** How many cuts each scene has, of which three are wrong, and how many are shown. */
const CUTS = 40;
const SHOWN = 5;

/** A cut that touches words by less is right, seconds. */
const TOUCH_SECONDS = 0.01;

interface Shown {
	readonly wrong: readonly WrongCut[];
	readonly right: number;
	/** How many of the wrong ones are among those shown, by the doubt about them and by what the detectors say alone. */
	readonly byDoubt: number;
	readonly bySure: number;
}

/** Plants three wrong cuts among the engine's right ones, and counts how many are among the five least certain. */
export async function doubtfulBars(half: Half, seed: number, folder: string): Promise<Bar[]> {
	const workFolder = join(folder, 'doubtful');
	await mkdir(workFolder);
	const all: Shown[] = [];
	for await (const scene of doubtfulScenes(half, seed, workFolder)) {
		const shown = await shownOf(scene, new Chance(seed + all.length), join(workFolder, 'track'));
		const { wrong, right, byDoubt, bySure } = shown;
		const ways = wrong.map(({ how }) => how).join('; ');
		console.log(
			`${scene.name}: ${right} right, ${wrong.length} wrong (${ways}); ${byDoubt} shown, ${bySure} by \`sure\``,
		);
		all.push(shown);
	}
	const sum = (key: 'byDoubt' | 'bySure') => all.reduce((total, one) => total + one[key], 0);
	console.log(`by what the detectors say alone, ${sum('bySure')} would be shown`);
	return [
		count('scenes judged', all.length, 10, '>='),
		count('fewest cuts of a scene', Math.min(...all.map(({ right }) => right + 3)), CUTS, '>='),
		count('fewest wrong cuts shown, of 3', Math.min(...all.map((one) => one.byDoubt)), 2, '>='),
		count('wrong cuts shown, of 30', sum('byDoubt'), 20, '>='),
	];
}

async function shownOf(scene: DoubtfulScene, chance: Chance, folder: string): Promise<Shown> {
	const track = await trackOf(scene.samples, folder);
	const words = stretchesOf(scene.marks, WORD);
	const found = (await findEdits(CONFIG, [track])).filter((edit) =>
		words.every((word) => shared(word, edit) < TOUCH_SECONDS),
	);
	const wrong = wrongCuts(scene, found, chance);
	const right = someOf(
		found.filter((edit) => wrong.every((other) => shared(edit, other) === 0)),
		CUTS - wrong.length,
		chance,
	);
	const scale = scaleOf([track.clean]);
	const cuts = cutsOf([...right, ...wrong], scale);
	const doubts = await doubtsOf(cuts, scale, [track.analysis]);
	const wrongShown = (known: typeof doubts | undefined) =>
		leastCertain(cuts, known, SHOWN).filter(({ start, end }) => {
			const range = {
				startSeconds: start / scale.sampleRateHz,
				endSeconds: end / scale.sampleRateHz,
			};
			return wrong.some((one) => shared(one, range) > (range.endSeconds - range.startSeconds) / 2);
		}).length;
	return { wrong, right: right.length, byDoubt: wrongShown(doubts), bySure: wrongShown(undefined) };
}

function someOf(edits: readonly TimelineEdit[], most: number, chance: Chance): TimelineEdit[] {
	const rest = [...edits];
	while (rest.length > most) rest.splice(chance.whole(0, rest.length - 1), 1);
	return rest;
}
