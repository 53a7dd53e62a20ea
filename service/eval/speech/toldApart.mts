import { type Bar, count } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { addAt, framesOf, RATE_HZ } from '../../../testkit/media/signals.mts';
import { TEXT_HELP } from '../../../testkit/service/textHelp.mts';
import type { SpokenWord } from '../../shared/timeRanges.mts';
import { wordsOfSpeakers } from '../../text/speech/speakers.mts';
import { inRoom, roomTone } from '../conditions.mts';
import { peopleOf } from '../recorded/people.mts';
import type { Half } from '../recorded/speakers.mts';
import type { Take } from '../recorded/takes.mts';
import { HOP_SECONDS, SPEECH_RMS, WORD } from '../scene.mts';
import { showVoices } from '../show/voices.mts';
import { percent, speechOfSamples } from './heardTalk.mts';
import { ROOM_DB } from './knownTalks.mts';

/** How long one voice is heard, or two in turn. */
const SECONDS = 90;

/** How many pairs of voices share a room, whose sound fades by 60 dB in this time, seconds. */
const PAIRS = 6;
const RT60_SECONDS = 0.4;

/** A shorter island says little about a voice. */
const ISLAND_SECONDS = 1;

/** The words of an island, which are not known: one every so often. */
const WORD_SECONDS = 0.3;

const MIN_VOICES = 10;

/**
 * Lets people talk alone and two in turn, in one room and into one microphone, and compares who is told apart. The
 * recognizer is not asked: where somebody speaks is known.
 */
export async function speakerBars(half: Half, folder: string): Promise<Bar[]> {
	const people = await peopleOf(half);
	const voices: Talker[] = people.map(({ name, phrases }) => ({ name, takes: phrases }));
	// Actors who tuned nothing make up the number.
	const actors = await showVoices();
	const singles = [...voices, ...actors.map(({ name, sentences }) => ({ name, takes: sentences }))];
	let split = 0;
	for (const person of singles) {
		const { speakers } = await toldApart([person], folder);
		if (speakers.length > 1) {
			split++;
			console.log(`${person.name} is split: ${speakers.map(({ length }) => length).join(', ')}`);
		}
	}
	const islands = { all: 0, wrong: 0 };
	for (const pair of pairsOf(voices)) {
		const { turns, speakers } = await toldApart(pair, folder);
		const wrong = wrongTurns(turns, speakers);
		islands.all += turns.length;
		islands.wrong += wrong;
		const names = pair.map(({ name }) => name).join(', ');
		console.log(`${names}: ${wrong} of ${turns.length} islands with the wrong speaker`);
	}
	const name = `islands with the wrong speaker, of ${islands.all}`;
	const figure = percent(islands.wrong, islands.all);
	return [
		{ name, figure, limit: 5, decimals: 1, unit: '%' },
		count(`single voices split, of ${singles.length}`, split),
		count('single voices', singles.length, MIN_VOICES, '>='),
	];
}

/** Pairs of people, each of them as often as the others as far as there are enough. */
function pairsOf(people: readonly Talker[]): [Talker, Talker][] {
	const pairs = people.flatMap((one, at) =>
		people.slice(at + 1).map((other, apart): [number, [Talker, Talker]] => [apart, [one, other]]),
	);
	return pairs
		.toSorted(([a], [b]) => a - b)
		.slice(0, PAIRS)
		.map(([, pair]) => pair);
}

/** Somebody who talks, and what is said in one breath, at RMS 1. */
interface Talker {
	readonly name: string;
	readonly takes: readonly Take[];
}

/** What one of several people says at a time. */
interface Turn {
	person: number;
	words: readonly SpokenWord[];
}

async function toldApart(people: readonly Talker[], folder: string) {
	const chance = new Chance(1);
	const placed: { take: Take; frame: number }[] = [];
	const turns: Turn[] = [];
	let frame = framesOf(0.5);
	for (let turn = 0; frame < framesOf(SECONDS); turn++) {
		const person = turn % people.length;
		const { takes } = people[person];
		const take = takes[Math.floor(turn / people.length) % takes.length];
		placed.push({ take, frame });
		const words = wordsIn(take, frame / RATE_HZ);
		turns.push({ person, words });
		frame += take.samples.length + framesOf(chance.between(0.1, 0.8));
	}
	let samples = new Float32Array(frame + framesOf(0.5));
	for (const one of placed) addAt(samples, one.take.samples, one.frame, SPEECH_RMS);
	if (people.length > 1) samples = inRoom(samples, RT60_SECONDS, chance).slice(0, samples.length);
	addAt(samples, roomTone(samples.length, ROOM_DB, chance), 0);
	const speech = await speechOfSamples(samples, folder, 'voices');
	const speakers = await wordsOfSpeakers(
		speech,
		turns.flatMap(({ words }) => words),
		TEXT_HELP.signal,
	);
	return { turns: turns.filter(isLong), speakers };
}

function isLong({ words }: Turn): boolean {
	return words[words.length - 1].endSeconds - words[0].startSeconds >= ISLAND_SECONDS;
}

/** The words of a take, the last of which ends a sentence. */
function wordsIn({ marks }: Take, startSeconds: number): SpokenWord[] {
	const start = startSeconds + marks.indexOf(WORD) * HOP_SECONDS;
	const seconds = startSeconds + (marks.lastIndexOf(WORD) + 1) * HOP_SECONDS - start;
	const count = Math.max(1, Math.round(seconds / WORD_SECONDS));
	return Array.from({ length: count }, (_, at) => ({
		text: at === count - 1 ? 'word.' : 'word',
		startSeconds: start + (at * seconds) / count,
		endSeconds: start + ((at + 1) * seconds) / count,
	}));
}

/** How many turns are with the wrong one of two speakers, whichever is which. */
function wrongTurns(
	turns: readonly Turn[],
	speakers: ReadonlyArray<readonly SpokenWord[]>,
): number {
	const labels = turns.map(({ words: [first] }) => {
		return speakers.findIndex((words) => words.some((word) => word === first));
	});
	const wrongIf = (second: number) =>
		turns.filter(({ person }, at) => (labels[at] === 0 ? 0 : 1) !== (person + second) % 2).length;
	return Math.min(wrongIf(0), wrongIf(1));
}
