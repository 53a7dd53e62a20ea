import { type Bar, count } from '../../../testkit/measure/bars.mts';
import { TEXT_HELP } from '../../../testkit/service/textHelp.mts';
import { findEdits } from '../../engine/findEdits.mts';
import { resolveEditConfig } from '../../shared/contract.mts';
import type { TimelineEdit, TimeRange } from '../../shared/timeRanges.mts';
import type { Transcriber } from '../../text/speech/transcriber.mts';
import { trackOf } from '../editors/editor.mts';
import { actorScenes, fillerSounds } from '../recorded/actors/actorScenes.mts';
import { answerScenes } from '../recorded/actors/answerScenes.mts';
import { peopleOf } from '../recorded/people.mts';
import type { Half } from '../recorded/speakers.mts';
import { HOP_SECONDS, type Scene, WORD } from '../scene.mts';
import { speechOfSamples } from './heardTalk.mts';

const CONFIG = resolveEditConfig({ fillers: true, hesitations: true });

/** Fewer say little. */
const MIN_REAL = 60;

/** So many people talk, each of whom everybody answers. */
const TALKERS = 3;

/** A filler is cut if half of it is, and a word is if this much of it is, seconds. */
const HALF = 0.5;
const WORD_SECONDS = 0.06;

/** Lets the engine cut fillers with a recognizer's help, and without it: real ones of actors, and answers. */
export async function fillerBars(
	half: Half,
	recognizer: Transcriber,
	folder: string,
): Promise<Bar[]> {
	const tally = { real: 0, found: 0, alone: 0, cuts: 0, wrong: 0 };
	for await (const scene of actorScenes(half, 1)) {
		const { cuts, alone } = await cutsOf(scene, recognizer, folder);
		const fillers = scene.events.filter(({ kind }) => kind === 'filler');
		tally.real += fillers.length;
		tally.found += fillers.filter((filler) => isCut(filler, cuts)).length;
		tally.alone += fillers.filter((filler) => isCut(filler, alone)).length;
		tally.cuts += cuts.length;
		tally.wrong += cuts.filter((cut) => wordSecondsIn(cut, scene) > WORD_SECONDS).length;
		console.log(`${scene.name}: ${JSON.stringify(tally)}`);
	}
	let answersCut = 0;
	const people = (await peopleOf(half)).filter(({ digits }) => digits.length > 0).slice(0, TALKERS);
	for await (const scene of answerScenes(half, people, 1)) {
		const { cuts, alone } = await cutsOf(scene, recognizer, folder);
		answersCut += cuts.filter((cut) => wordSecondsIn(cut, scene) > WORD_SECONDS).length;
		console.log(`${scene.name}: ${cuts.length} cuts, ${alone.length} without a recognizer`);
	}
	console.log(`of ${tally.real} fillers, ${tally.alone} are cut without a recognizer`);
	const precision = (tally.cuts - tally.wrong) / Math.max(1, tally.cuts);
	return [
		{ name: 'precision of cut fillers', figure: precision, limit: 0.95, goal: '>=' },
		{ name: 'recall of fillers', figure: tally.found / tally.real, limit: 0.5, goal: '>=' },
		count('answers and words cut in scenes of answers', answersCut),
		count('real fillers', tally.real, MIN_REAL, '>='),
		count('answers', people.length * (await fillerSounds(half)).length, MIN_REAL, '>='),
	];
}

async function cutsOf({ samples, name }: Scene, recognizer: Transcriber, folder: string) {
	const speech = await speechOfSamples(samples, folder, 'scene');
	const recognized = await recognizer.transcribe(speech, TEXT_HELP);
	const track = await trackOf(samples, `${folder}/fillers`);
	const local = { filler_words: true };
	console.log(`${name}: ${recognized.words.map(({ text }) => text).join(' ')}`);
	return {
		cuts: await findEdits(CONFIG, [track], { recognized, local }),
		alone: await findEdits(CONFIG, [track]),
	};
}

function isCut(filler: TimeRange, cuts: readonly TimelineEdit[]): boolean {
	const shared = cuts.reduce((sum, cut) => {
		const start = Math.max(cut.startSeconds, filler.startSeconds);
		return sum + Math.max(0, Math.min(cut.endSeconds, filler.endSeconds) - start);
	}, 0);
	return shared >= HALF * (filler.endSeconds - filler.startSeconds);
}

function wordSecondsIn({ startSeconds, endSeconds }: TimeRange, { marks }: Scene): number {
	const own = marks.subarray(
		Math.round(startSeconds / HOP_SECONDS),
		Math.round(endSeconds / HOP_SECONDS),
	);
	return own.filter((mark) => mark === WORD).length * HOP_SECONDS;
}
