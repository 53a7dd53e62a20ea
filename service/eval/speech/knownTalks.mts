import { Chance } from '../../../testkit/measure/chance.mts';
import { addAt, framesOf, RATE_HZ } from '../../../testkit/media/signals.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { roomTone } from '../conditions.mts';
import { decodeTakes } from '../recorded/decodeTakes.mts';
import { speakersOf, type Half } from '../recorded/speakers.mts';
import type { Take } from '../recorded/takes.mts';
import { HOP_SECONDS, SPEECH_RMS, WORD } from '../scene.mts';
import { withText } from './readings.mts';

/** A word that was said; where, if it is a recording of its own. */
export interface SaidWord {
	text: string;
	place: TimeRange | undefined;
}

/** Somebody's words, 48 kHz, mono. */
export interface KnownTalk {
	name: string;
	language: string;
	samples: Float32Array;
	said: SaidWord[];
}

/** The sound of the room, against speech, dB. */
export const ROOM_DB = -45;

/** Digits, brackets and the like can be read in several ways. */
const UNSURE = /[\d[\]*#()&%$€<>/]/;

/** The words of a text in lower case, without punctuation and accents. */
export function plainWords(text: string): string[] {
	const plain = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
	return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Sentences of people whose words are known, with pauses between them: a talk a voice. */
export async function sentenceTalks(half: Half, seconds: number): Promise<KnownTalk[]> {
	return await talksOf(half, seconds, [0.4, 1.4]);
}

/** The same with pauses as of somebody who reads. */
export async function fluentTalks(half: Half, seconds: number): Promise<KnownTalk[]> {
	return await talksOf(half, seconds, [0.1, 0.5]);
}

/** The same with pauses that are cut. */
export async function haltingTalks(half: Half, seconds: number): Promise<KnownTalk[]> {
	return await talksOf(half, seconds, [0.3, 2.5]);
}

/** Sentences of one voice, with the pauses of `sentenceTalks`. */
export function talkOfSentences(takes: readonly Take[], seconds: number) {
	const joining: Joining = { inPhrase: 1, gapSeconds: [0, 0], pauseSeconds: [0.4, 1.4] };
	return talkOf(takes, seconds, joining, new Chance(1));
}

async function talksOf(half: Half, seconds: number, pauseSeconds: Range): Promise<KnownTalk[]> {
	const speakers = await sentenceTakes(half);
	return speakers.map(({ name, language, takes }) => {
		const joining: Joining = { inPhrase: 1, gapSeconds: [0, 0], pauseSeconds };
		return { name, language, ...talkOf(takes, seconds, joining, new Chance(1)) };
	});
}

/** Sentences of people whose words are known. */
export async function sentenceTakes(half: Half) {
	return await takesOf(half, (words) => words.length >= 4);
}

/**
 * Phrases that are joined from recordings of single words, whose places are known.
 *
 * @param seed of the order of the words.
 */
export async function wordTalks(half: Half, seconds: number, seed: number): Promise<KnownTalk[]> {
	const isWord = (words: readonly string[]) => words.length === 1 && words[0].length > 2;
	const joining: Joining = { inPhrase: 5, gapSeconds: [0, 0.05], pauseSeconds: [0.4, 1.4] };
	return (await takesOf(half, isWord)).map(({ name, language, takes }) => {
		const chance = new Chance(seed);
		const places = new Map(takes.map((take) => [take, chance.next()]));
		const order = takes.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
		return { name, language, ...talkOf(order, seconds, joining, chance) };
	});
}

/** The shortest and the longest. */
type Range = readonly [number, number];

interface Joining {
	/** How many recordings make a phrase, how long the gaps within it are, and the pauses between phrases. */
	inPhrase: number;
	gapSeconds: Range;
	pauseSeconds: Range;
}

/** What the people of a half say, as far as the words are known and wanted. */
async function takesOf(half: Half, isWanted: (words: readonly string[]) => boolean) {
	const speakers: { name: string; language: string; takes: Take[] }[] = [];
	for (const speaker of speakersOf(half)) {
		const prompts = speaker.prompts.map(withText).filter(({ text = '' }) => {
			return !UNSURE.test(text) && isWanted(plainWords(text));
		});
		if (prompts.length < 5) continue;
		const { takes } = await decodeTakes({ ...speaker, prompts });
		speakers.push({ name: speaker.name, language: speaker.language, takes });
	}
	return speakers;
}

function talkOf(takes: readonly Take[], seconds: number, joining: Joining, chance: Chance) {
	const said: SaidWord[] = [];
	const placed: { samples: Float32Array; frame: number }[] = [];
	let frame = framesOf(0.5);
	for (const [index, { samples, text = '', marks }] of takes.entries()) {
		if (frame > framesOf(seconds)) break;
		placed.push({ samples, frame });
		const words = plainWords(text);
		const at = frame / RATE_HZ;
		const place = {
			startSeconds: at + marks.indexOf(WORD) * HOP_SECONDS,
			endSeconds: at + (marks.lastIndexOf(WORD) + 1) * HOP_SECONDS,
		};
		for (const word of words) {
			said.push({ text: word, place: words.length === 1 ? place : undefined });
		}
		const isInside = (index + 1) % joining.inPhrase > 0;
		const [shortest, longest] = isInside ? joining.gapSeconds : joining.pauseSeconds;
		frame += samples.length + framesOf(chance.between(shortest, longest));
	}
	const samples = roomTone(frame + framesOf(0.5), ROOM_DB, chance);
	for (const one of placed) addAt(samples, one.samples, one.frame, SPEECH_RMS);
	return { samples, said };
}
