import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { endThreads } from '../engine/threads/engineThreads.mts';
import { decodeSpeech } from '../media/decode.mts';
import { probe } from '../media/probe.mts';
import type { TimeRange } from '../shared/timeRanges.mts';
import { type Piece, piecesOf, timeIn } from '../text/speech/pieces.mts';
import { SPEECH_RATE_HZ } from '../text/speech/speech.mts';
import type { Recognize } from '../text/speech/whisper/findRecognizer.mts';
import { withoutLoops } from '../text/speech/whisper/loops.mts';
import { placedWords } from '../text/speech/whisper/placeWords.mts';
import { transcriberOf } from '../text/speech/whisper/whisper.mts';
import { Chance } from '../../testkit/measure/chance.mts';
import { whiteNoise } from '../../testkit/media/signals.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { TEXT_HELP } from '../../testkit/service/textHelp.mts';

const RECORDING = join(import.meta.dirname, '../../testkit/media/spoken.mp3');

await using temporary = await temporaryFolder();
const folder = temporary.path;

/** The speech of a recording, 16 kHz. */
async function recordedSpeech(): Promise<Int16Array> {
	const path = join(folder, 'recorded.raw');
	const source = { ...(await probe(RECORDING)), path: RECORDING, limitSeconds: 600 };
	await decodeSpeech(source, path);
	const bytes = await readFile(path);
	return new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2));
}

async function speechOf(samples: Int16Array, name: string) {
	const path = join(folder, `${name}.raw`);
	await writeFile(path, samples);
	return { path, folder, seconds: samples.length / SPEECH_RATE_HZ };
}

/** Says one word in the middle of each piece, and remembers the pieces. */
function rememberingRecognizer() {
	const calls: { pieces: readonly Piece[]; language: string | undefined }[] = [];
	const recognize: Recognize = async function* (_speech, pieces, _signal, language) {
		await Promise.resolve();
		calls.push({ pieces, language });
		for (const piece of pieces) {
			const middle = 500 * secondsOf(piece);
			const segments = [{ text: ' word', t0: middle, t1: middle + 200, point: middle + 150 }];
			yield { language: 'en', result: ' word', segments };
		}
	};
	return { calls, recognize };
}

const secondsOf = (piece: Piece) =>
	piece.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);

await test('hears a voice only: not silence, nor noise, nor tones around it', async () => {
	const recorded = await recordedSpeech();
	const minute = 60 * SPEECH_RATE_HZ;
	const samples = new Int16Array(2 * minute + recorded.length);
	const noise = whiteNoise(minute, new Chance(1));
	const tone = (at: number) => 6_000 * Math.sin((2 * Math.PI * 440 * at) / SPEECH_RATE_HZ);
	for (let at = 0; at < minute; at++) {
		samples[at] = 2_000 * noise[at];
		samples[minute + recorded.length + at] = at < minute / 2 ? 0 : tone(at);
	}
	samples.set(recorded, minute);
	const { calls, recognize } = rememberingRecognizer();
	const transcriber = transcriberOf('remembering', recognize);
	const { words } = await transcriber.transcribe(await speechOf(samples, 'long'), TEXT_HELP);
	const heard = calls.flatMap(({ pieces }) => pieces.flat());
	const end = 60 + recorded.length / SPEECH_RATE_HZ;
	assert.ok(heard.length > 0);
	for (const { startSeconds, endSeconds } of heard) {
		assert.ok(startSeconds >= 59.3 && endSeconds <= end + 0.7, `${startSeconds} to ${endSeconds}`);
	}
	assert.ok(secondsOf(heard) > (0.6 * recorded.length) / SPEECH_RATE_HZ);
	for (const { startSeconds } of words) assert.ok(startSeconds > 60 && startSeconds < end);
	await endThreads();
});

await test('does not start the recognizer for noise', async () => {
	const noise = whiteNoise(20 * SPEECH_RATE_HZ, new Chance(2));
	const speech = await speechOf(
		Int16Array.from(noise, (sample) => 3_000 * sample),
		'noise',
	);
	const { calls, recognize } = rememberingRecognizer();
	const heard = await transcriberOf('remembering', recognize).transcribe(speech, TEXT_HELP);
	assert.deepEqual([heard.words, calls], [[], []]);
});

/** Speech of a level at these times, and a voice there; -60 dBFS elsewhere. */
function soundOf(seconds: number, ...said: TimeRange[]) {
	const levels = new Float32Array(100 * seconds).fill(-60);
	const voice = new Float32Array(Math.ceil(seconds / 0.032));
	for (const { startSeconds, endSeconds } of said) {
		levels.fill(-20, Math.round(100 * startSeconds), Math.round(100 * endSeconds));
		voice.fill(1, Math.round(startSeconds / 0.032), Math.round(endSeconds / 0.032));
	}
	return { levels, voice, seconds };
}

const range = (startSeconds: number, endSeconds: number): TimeRange => ({
	startSeconds,
	endSeconds,
});

await test('joins what is said to pieces of at most 28 s, divided at pauses', () => {
	const sentences = Array.from({ length: 12 }, (_, at) => range(10 * at + 2, 10 * at + 7));
	const joined = piecesOf(soundOf(130, ...sentences));
	assert.deepEqual(
		joined.map((piece) => piece.length),
		[4, 4, 4],
	);
	for (const piece of joined) assert.ok(secondsOf(piece) <= 28);
	const monologue = piecesOf(soundOf(70, range(1, 20.3), range(20.5, 44), range(44.2, 69)));
	const borders = monologue.map((piece) => [piece[0].startSeconds, piece[0].endSeconds]);
	assert.equal(borders.length, 3);
	assert.ok(Math.abs(borders[0][1] - 20.4) < 0.1 && borders[1][0] === borders[0][1]);
	assert.ok(Math.abs(borders[1][1] - 44.1) < 0.1);
	assert.deepEqual(piecesOf(soundOf(30)), []);
});

await test('moves times of a piece back to the recording', () => {
	const piece = [range(10, 12), range(20, 25)];
	assert.deepEqual(
		[0, 1.5, 2, 3, 9].map((time) => timeIn(piece, time)),
		[10, 11.5, 20, 21, 25],
	);
	assert.equal(timeIn(piece, 2, true), 12);
});

await test('puts each word on its sound, by where the model heard it', () => {
	// "one", a filler that nobody wrote, "two", and "three" right after it, with a dip between them.
	const sound = soundOf(8, range(1, 1.4), range(2, 2.5), range(3, 4));
	sound.levels.fill(-35, 348, 350);
	const sounds = Uint8Array.from(sound.levels, (level) => Number(level > -50));
	const word = (text: string, startSeconds: number, ...points: number[]) => {
		return { text, startSeconds, endSeconds: startSeconds + 0.2, points };
	};
	const words = [word('one', 0.4, 1.35), word('two', 1.4, 3.42), word('three', 3.4, 3.7, 4.03)];
	const placed = placedWords(words, { levels: sound.levels, sounds });
	assert.deepEqual(
		placed.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]),
		[
			[1, 1.4],
			[3, 3.48],
			[3.48, 4],
		],
	);
	// A held sound goes on after its point, and a word whose point is in the wrong place shares its neighbor's time.
	const held = placedWords([word('Hmm,', 2.9, 3.2), word('two', 3.5, 3.9)], {
		levels: sound.levels,
		sounds,
	});
	assert.deepEqual([held[0].endSeconds, held[1].startSeconds], [3.48, 3.48]);
	const squeezed = placedWords(
		[word('one', 2.9, 3.42), word('two', 3.5, 6.5), word('six', 6.5, 6.5)],
		{ levels: sound.levels, sounds },
	);
	assert.ok(squeezed[1].startSeconds < 4 && squeezed[1].endSeconds > squeezed[1].startSeconds);
	const [lost] = placedWords([word('lost', 6, 6.5)], { levels: sound.levels, sounds });
	assert.equal(lost.isGuessed, true);
});

await test('keeps what is said many times, and takes out a loop of the recognizer', () => {
	const times = (text: string, count: number, each: number) =>
		Array.from({ length: count }, (_, at) => ({ text, ...range(at * each, (at + 1) * each) }));
	assert.equal(withoutLoops(times('no,', 9, 0.2)).length, 9);
	assert.equal(withoutLoops(times('nga', 100, 0.03)).length, 1);
	const silent = times('Bye.', 6, 0.3).map((word) => ({ ...word, isGuessed: true }));
	assert.equal(withoutLoops(silent).length, 1);
	assert.equal(withoutLoops([...times('a', 3, 0.1), ...times('b', 3, 0.1)]).length, 6);
});

await test('hears a piece in another language again in that of most words', async () => {
	const sound = soundOf(100, range(1, 25), range(31, 55), range(61, 90));
	const asked: (string | undefined)[] = [];
	const recognize: Recognize = async function* (_speech, pieces, _signal, language) {
		await Promise.resolve();
		asked.push(language);
		for (const [at] of pieces.entries()) {
			const other = language === undefined && at === 1;
			const text = other ? ' ja' : ' yes';
			const segment = { text, t0: 1_000, t1: 1_200, point: 1_200, chance: other ? 0.3 : 0.9 };
			const segments = Array.from({ length: other ? 1 : 3 }, () => segment);
			yield { language: other ? 'de' : 'en', result: text, segments };
		}
	};
	const transcriber = transcriberOf('scripted', recognize, () => Promise.resolve(sound.voice));
	const speech = await speechOf(new Int16Array(100 * SPEECH_RATE_HZ), 'languages');
	const shares: (number | undefined)[] = [];
	const { words, language } = await transcriber.transcribe(speech, {
		...TEXT_HELP,
		tellRecognized: async (share) => {
			await Promise.resolve(shares.push(share));
		},
	});
	assert.equal(language, 'en');
	assert.deepEqual(shares, [0.25, 0.5, 0.75, 1]);
	assert.deepEqual(asked, [undefined, 'en']);
	assert.ok(words.every(({ text }) => text === 'yes'));
});
