import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { MOMENT_SECONDS, searchVoice } from '../engine/voice/searchVoice.mts';
import { decodeSpeech, SPEECH_FORMAT } from '../media/decode.mts';
import { openPcm } from '../media/pcmFile.mts';
import { probe } from '../media/probe.mts';
import { paragraphsOf } from '../text/paragraphs.mts';
import { wordsOfSpeakers } from '../text/speech/speakers.mts';
import { SPEECH_RATE_HZ, type SpeechAudio } from '../text/speech/speech.mts';
import { alike, voicesAmong } from '../engine/voice/voices.mts';
import { transcriptionOf } from '../text/transcript.mts';
import { Chance } from '../../testkit/measure/chance.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { directionOf, unit } from './support/randomVoices.mts';

const RECORDING = join(import.meta.dirname, '../../testkit/media/spoken.mp3');

/** What describes one person at some moments: mostly the same, as the encoder hears it. */
function momentsOf(person: Float32Array, count: number, chance: Chance): Float32Array[] {
	return Array.from({ length: count }, () => {
		const other = directionOf(chance);
		return unit(person.map((one, i) => one + 0.5 * other[i]));
	});
}

/** Fewer moments are no speaker. */
const MIN_MOMENTS = 8;

await test('never divides one voice, and tells two or three apart', () => {
	for (let seed = 1; seed <= 20; seed++) {
		const chance = new Chance(seed);
		const people = [1, 2, 3].map(() => directionOf(chance));
		for (const count of [1, 2, 3]) {
			const groups = people.slice(0, count).map((person) => momentsOf(person, 40, chance));
			const voices = voicesAmong(groups.flat(), MIN_MOMENTS);
			assert.equal(voices.length, count, `seed ${seed}`);
			for (const group of groups) {
				const own = new Set(
					group.map((moment) => {
						const likeness = voices.map((voice) => alike(moment, voice));
						return likeness.indexOf(Math.max(...likeness));
					}),
				);
				assert.equal(own.size, 1, `seed ${seed}`);
			}
		}
	}
});

await test('takes a few other sounds, or nothing at all, for no speaker', () => {
	const chance = new Chance(1);
	const [one, other] = [directionOf(chance), directionOf(chance)];
	const laughing = [...momentsOf(one, 60, chance), ...momentsOf(other, 6, chance)];
	assert.equal(voicesAmong(laughing, MIN_MOMENTS).length, 1);
	assert.equal(voicesAmong(momentsOf(one, 1, chance), MIN_MOMENTS).length, 1);
	assert.equal(voicesAmong([], MIN_MOMENTS).length, 1);
});

await test('gives what two voices say in one recording to two speakers, and what one says to one', async () => {
	await using folder = await temporaryFolder();
	const source = { ...(await probe(RECORDING)), path: RECORDING, limitSeconds: 600 };
	const path = join(folder.path, 'one.raw');
	await decodeSpeech(source, path);
	const bytes = await readFile(path);
	const one = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2));
	// Faster, and so higher: the voice of somebody with a shorter throat.
	const other = Int16Array.from({ length: Math.floor(one.length / 1.4) }, (_, at) => {
		return one[Math.floor(1.4 * at)];
	});
	/** Words wherever somebody speaks for their whole time. */
	const wordsIn = async (speech: SpeechAudio) => {
		const voice = await searchVoice(await openPcm(speech.path, SPEECH_FORMAT));
		return Array.from({ length: Math.floor(2 * speech.seconds) }, (_, at) => {
			const startSeconds = at / 2;
			return { text: at % 6 === 5 ? 'end.' : 'word', startSeconds, endSeconds: startSeconds + 0.4 };
		}).filter(({ startSeconds, endSeconds }) => {
			const [start, end] = [startSeconds, endSeconds].map((time) => time / MOMENT_SECONDS);
			return voice.subarray(Math.floor(start), Math.ceil(end)).every((chance) => chance > 0.5);
		});
	};
	const speechIn = async (samples: Int16Array) => {
		await writeFile(path, samples);
		return { path, folder: folder.path, seconds: samples.length / SPEECH_RATE_HZ };
	};
	const { signal } = new AbortController();
	const speech = await speechIn(one);
	assert.equal((await wordsOfSpeakers(speech, await wordsIn(speech), signal)).length, 1);
	const both = new Int16Array(one.length + other.length);
	both.set(one);
	both.set(other, one.length);
	const together = await speechIn(both);
	const words = await wordsIn(together);
	const border = one.length / SPEECH_RATE_HZ;
	const [first, second] = [0, 1].map((speaker) =>
		words.filter(({ startSeconds }) => Number(startSeconds > border) === speaker),
	);
	assert.ok(first.length > 30 && second.length > 20);
	assert.deepEqual(await wordsOfSpeakers(together, words, signal), [first, second]);
});

await test('says of the speakers of one track that they are a guess', () => {
	const word = (text: string, startSeconds: number) => {
		return { text, startSeconds, endSeconds: startSeconds + 0.5 };
	};
	const speakers = [[word('Hello.', 0), word('Fine.', 4)], [word('How are you?', 2)]];
	const paragraphs = paragraphsOf(speakers, true);
	assert.deepEqual(
		paragraphs.map(({ speaker, track, text }) => [speaker, track, text]),
		[
			['SPEAKER_00', 0, 'Hello.'],
			['SPEAKER_01', 0, 'How are you?'],
			['SPEAKER_00', 0, 'Fine.'],
		],
	);
	assert.equal(transcriptionOf(paragraphs, true).speakers_guessed, true);
	assert.ok(!('speakers_guessed' in transcriptionOf(paragraphs)));
});
