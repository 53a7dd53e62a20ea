import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { addAt, framesOf } from '../../../testkit/media/signals.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { SPEECH_RMS } from '../scene.mts';
import { roomTone } from '../conditions.mts';
import { decodeTakes } from '../recorded/decodeTakes.mts';
import { speakersOf, type Half, type Prompt } from '../recorded/speakers.mts';
import type { Take } from '../recorded/takes.mts';

/** Shorter texts are names and numbers, which say little about sentences. */
const MIN_WORDS = 6;

/** The sound of the room between sentences, against speech, dB. */
const ROOM_DB = -45;

const SENTENCES_PER_READING = 6;
const MAX_READINGS = 4;

/** The readings of one half: sentences of one speaker, with pauses between them. */
export async function readingsOf(half: Half): Promise<Reading[]> {
	const readings: Reading[] = [];
	for (const speaker of speakersOf(half).filter(({ language }) => language === 'en')) {
		const prompts = speaker.prompts.map(withText).filter(isSentence);
		const { takes: all } = await decodeTakes({ ...speaker, prompts });
		const takes = all.filter(isSentence);
		const most = Math.min(takes.length, SENTENCES_PER_READING * MAX_READINGS);
		for (let first = 0; first < most; first += SENTENCES_PER_READING) {
			readings.push(readingOf(takes.slice(first, first + SENTENCES_PER_READING)));
		}
	}
	return readings;
}

/** LibriVox's transcripts are in one file: `<s> the words </s> (name of the file)`. */
export function withText(prompt: Prompt): Prompt {
	const listPath = join(dirname(prompt.path), 'transcription');
	if (prompt.text !== undefined || !existsSync(listPath)) return prompt;
	const name = `(${basename(prompt.path, '.wav')})`;
	const line = readFileSync(listPath, 'utf8')
		.split('\n')
		.find((one) => one.endsWith(name));
	return { ...prompt, text: line?.replace(/<\/?s>|\(.*/g, '').trim() };
}

/** Whether a prompt is a sentence with known words: digits and brackets can be read in several ways. */
function isSentence({ text = '' }: Pick<Prompt, 'text'>): boolean {
	return !/[\d[\]*#(]/.test(text) && bareWords(text).length >= MIN_WORDS;
}

/** The words of a text in lower case, without punctuation. */
export function bareWords(text: string): string[] {
	return text.toLowerCase().match(/[a-z]+(?:'[a-z]+)*/g) ?? [];
}

function readingOf(takes: readonly Take[]) {
	const chance = new Chance(1);
	const starts: number[] = [];
	let frames = framesOf(0.5);
	for (const { samples } of takes) {
		starts.push(frames);
		frames += samples.length + framesOf(chance.between(0.5, 0.9));
	}
	const samples = roomTone(frames, ROOM_DB, chance);
	for (const [index, take] of takes.entries())
		addAt(samples, take.samples, starts[index], SPEECH_RMS);
	return { samples, words: takes.flatMap(({ text = '' }) => bareWords(text)) };
}

/** A recording of read English sentences whose words are known, 48 kHz, mono. */
export type Reading = ReturnType<typeof readingOf>;
