import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { readSpeechModel } from '../text/speech/whisper/modelFile.mts';
import type { RecognizedPiece } from '../text/speech/whisper/recognizerPackage.mts';
import { findWhisperProgram, recognizedWith } from '../text/speech/whisper/whisperProgram.mts';
import { type StandIn, writeStandIn } from '../../testkit/service/whisperCli.mts';
import { writeRandomModel } from '../../testkit/service/randomModel.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { eventually } from '../../testkit/time/eventually.mts';

const PIECES = 9;

/** What is said in each: its length. */
const LENGTHS = Array.from({ length: PIECES }, (_, at) => (0.5 + at / 100).toFixed(2));

/** Lets a stand-in hear nine pieces; returns what it said, and with which languages it was started. */
async function heardBy(
	kind: StandIn,
	folder?: string,
	signal = new AbortController().signal,
	language?: string,
) {
	await using temporary = await temporaryFolder();
	const inside = folder ?? temporary.path;
	const modelPath = join(inside, 'model.bin');
	await writeRandomModel(modelPath);
	// As if it were one whose listening shows where a word's sound is.
	const model = { ...(await readSpeechModel(modelPath)), alignment: 'tiny' };
	const program = await writeStandIn(inside, kind);
	const path = join(inside, 'speech.raw');
	await writeFile(path, Buffer.alloc(32_000 * 10));
	const speech = { path, seconds: 10, folder: inside };
	const what = { programPath: program, model, speech };
	// Each of two parts, which are heard as one.
	const pieces = Array.from({ length: PIECES }, (_, at) => [
		{ startSeconds: at, endSeconds: at + 0.3 },
		{ startSeconds: at + 0.5, endSeconds: at + 0.7 + at / 100 },
	]);
	const callsPath = join(inside, 'calls');
	const said: string[] = [];
	const languages: string[] = [];
	const segments: RecognizedPiece['segments'][] = [];
	for await (const piece of recognizedWith(what, pieces, signal, language)) {
		said.push(piece.segments[0].text.trim());
		languages.push(piece.language);
		segments.push(piece.segments);
	}
	const calls = (await readFile(callsPath, 'utf8')).trim().split('\n');
	const all = calls.map((call) => JSON.parse(call) as string[]);
	const args = all.filter((one) => !one.includes('--detect-language'));
	const wanted = args.map((one) => one[one.indexOf('--language') + 1]);
	/** How many pieces are heard in each run, and whether at once and with points. */
	const runs = args.map((one) => {
		const ways = ['--no-timestamps', '--dtw'].filter((way) => one.includes(way));
		return [one.filter((arg) => arg === '--file').length, ...ways].join(' ');
	});
	assert.ok(!(await readdir(inside)).some((name) => name.startsWith('pieces-')));
	return { said, languages, wanted, segments, runs };
}

await test('hears all pieces in order, in the language that the first are surely in', async () => {
	const { said, languages, wanted } = await heardBy('ro');
	assert.deepEqual(said, LENGTHS);
	assert.deepEqual(wanted, ['ro', 'ro']);
	assert.ok(languages.every((language) => language === 'ro'));
});

await test('sets the language once three pieces agree on it, where their beginnings do not show it', async () => {
	const { said, wanted } = await heardBy('unsure');
	assert.deepEqual(said, LENGTHS);
	assert.deepEqual(wanted, ['auto', 'ro']);
});

await test('hears each piece at once where the program gives points, which are then the times', async () => {
	const { said, segments, runs } = await heardBy('points');
	assert.deepEqual(said, LENGTHS);
	assert.deepEqual(runs, ['3 --no-timestamps --dtw', '6 --no-timestamps --dtw']);
	for (const words of segments) {
		const times = words.map(({ t0, t1, point }) => [t0, t1, point]);
		assert.deepEqual(times.slice(0, 3), [
			[0, 80, 80],
			[80, 180, 180],
			[180, 280, 280],
		]);
	}
});

await test('hears a piece without points on which the program crashes, and goes on with the others', async () => {
	const { said, segments, runs } = await heardBy('crashing');
	assert.deepEqual(said, LENGTHS);
	// Only the crash tells that the fourth piece is whole.
	assert.deepEqual(runs, [
		'3 --no-timestamps --dtw',
		'6 --no-timestamps --dtw',
		'1 --dtw',
		'5 --no-timestamps --dtw',
		'1 --dtw',
		'1',
		'4 --no-timestamps --dtw',
	]);
	const lacking = segments.map((words) => words.every(({ point }) => point === undefined));
	assert.deepEqual(lacking, [false, false, false, false, true, false, false, false, false]);
});

await test('hears a piece with too many words for one hearing, and those after it, with times: no word is lost', async () => {
	const { said, segments, runs } = await heardBy('wordy');
	assert.deepEqual(said, LENGTHS);
	assert.deepEqual(runs, ['3 --no-timestamps --dtw', '6 --no-timestamps --dtw', '5 --dtw']);
	assert.equal(segments[4].length, 250);
});

await test('hears a piece again with times where the program skips what is said, and goes on with the others', async () => {
	const { said, segments, runs } = await heardBy('skipping');
	assert.deepEqual(said, LENGTHS);
	assert.deepEqual(runs, [
		'3 --no-timestamps --dtw',
		'6 --no-timestamps --dtw',
		'1 --dtw',
		'4 --no-timestamps --dtw',
	]);
	assert.equal(segments[4][0].point, 80);
});

await test('finds the language of each piece where they do not agree', async () => {
	const { said, wanted } = await heardBy('changing');
	assert.equal(said.length, PIECES);
	assert.deepEqual(wanted, ['auto', 'auto', 'auto']);
});

await test('says in our words that the program failed, or wrote what makes no sense', async () => {
	await assert.rejects(
		heardBy('failing'),
		/^EditFailure: Transcription: the recognizer ended unexpectedly/,
	);
	await assert.rejects(heardBy('senseless'), /^EditFailure: Transcription: the model is damaged/);
});

await test('kills the program with its edit', async () => {
	await using folder = await temporaryFolder();
	const stopping = new AbortController();
	const hearing = heardBy('endless', folder.path, stopping.signal, 'ro');
	const running = () =>
		spawnSync('pgrep', ['-f', join(folder.path, 'whisper-cli')]).stdout.length > 0;
	void hearing.catch(() => undefined);
	await eventually('it hears', () => existsSync(join(folder.path, 'calls')));
	assert.ok(running());
	stopping.abort(new Error('deleted'));
	await assert.rejects(hearing, /deleted/);
	await eventually('it has ended', () => !running());
});

await test('takes the program of --whisper-program, or whisper-cli on the PATH', async () => {
	await using folder = await temporaryFolder();
	const path = await writeStandIn(folder.path, 'ro');
	assert.equal(findWhisperProgram(undefined, folder.path), path);
	assert.equal(findWhisperProgram(undefined, join(folder.path, 'none')), undefined);
	assert.equal(findWhisperProgram(path, ''), path);
	assert.throws(
		() => findWhisperProgram(join(folder.path, 'none')),
		/--whisper-program .*none: there is no program/,
	);
});
