import assert from 'node:assert/strict';
import { test } from 'node:test';

import { combineTracks } from '../engine/detection/combineTracks.mts';
import { findEdits } from '../engine/findEdits.mts';
import { resolveEditConfig, type EditConfig } from '../shared/contract.mts';
import { DEFAULT_EDIT_LIMITS } from '../shared/editLimits.mts';
import { helpText, readSettings } from '../shared/settings.mts';
import { lengthSeconds } from '../../testkit/media/recording.ts';
import { assertNear } from './support/assertNear.mts';
import { finishedFile, send } from '../../testkit/service/client.mts';
import { convertedTo, decodedSeconds, levelDb, samplesOf } from '../../testkit/service/media.mts';
import {
	LONG_SILENCES,
	PLAIN,
	SILENCES,
	TALK,
	TALK_REMOVED_SECONDS,
	talk,
} from '../../testkit/service/recordings.mts';
import {
	inTurn,
	speech,
	SPEECH_RATE_HZ,
	speechWithShortSilence,
	wavOf,
} from '../../testkit/service/signals.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

const spoken = new SyntheticTalk().sentence().pause(0.3);
const breathAt = spoken.seconds;
spoken.breath(-16);
const breathEnd = spoken.seconds;
spoken.pause(0.2).sentence().pause(0.3).click().pause(0.3).sentence().pause(0.3).filler(0.5);
spoken.pause(0.4).sentence().pause(0.3).filler(0.2).pause(0.3).sentence().pause(0.3);
spoken.fragment(0.15, 'a', 'u', 'i').pause(0.1).word('a', 'u', 'i', 'e').pause(2).sentence();
const wav = spoken.wav();

const EVERYTHING = {
	fillers: true,
	hesitations: true,
	stutters: true,
	mouth_sounds: true,
	breath: true,
	long_silences: true,
	remove_noise: false,
} as const;
const COUNTS = { BREATH: 1, DEADAIR: 1, STUTTERING: 1, MOUTH_SOUND: 1, FILLER_SOUND: 2 };

await test('cuts and counts each kind and writes matching markers', async () => {
	const config = { ...EVERYTHING, export_timestamps: true };
	const { result, file } = await ann.finish(wav, config);
	assert.deepEqual(result.statistics, COUNTS);
	const labels = await send('GET', result.timestamps_markers_urls[0] ?? '');
	const rows = labels.text
		.trimEnd()
		.split('\n')
		.map((line) => line.split('\t'));
	const names = rows.map(([, , label]) => label).toSorted();
	assert.equal(names.join(), 'Breath,Filler,Hesitation,Long silence,Mouth sound,Stutter');
	const removed = rows.reduce((sum, [start, end]) => sum + Number(end) - Number(start), 0);
	const lost = spoken.seconds - (await decodedSeconds(file));
	assert.ok(Math.abs(lost - removed) < 0.01, `${lost} s are gone, the markers say ${removed} s`);
});

await test('keeps the length to the sample with muted, and leaves the room of each kind', async () => {
	const { result, file } = await ann.finish(wav, { ...EVERYTHING, muted: true });
	const [before, after] = [await samplesOf(wav), await samplesOf(file)];
	assert.equal(after.length, before.length);
	assert.deepEqual(result.statistics, COUNTS);
	const [start, end] = [breathAt + 0.08, breathEnd - 0.08];
	assert.ok(levelDb(before, start, end) > -50);
	// From the first second on, nobody pauses for as long as in the room that is heard instead.
	const roomDb = levelDb(before, breathEnd + 0.05, breathEnd + 0.15);
	assertNear(levelDb(after, start, end), roomDb, 3, 'dB');
	assert.ok(Math.abs(levelDb(after, 0.1, 1.4) - levelDb(before, 0.1, 1.4)) < 0.1);
});

const NO_EDITS = { BREATH: 0, DEADAIR: 0, STUTTERING: 0, MOUTH_SOUND: 0, FILLER_SOUND: 0 };

await test('long silences become shorter, the longer the more, and short ones stay', async () => {
	const { result, file } = await ann.finish(talk, SILENCES);
	const expected = lengthSeconds(TALK) - TALK_REMOVED_SECONDS;
	assertNear(await decodedSeconds(file), expected, 0.15, 'seconds');
	assert.deepEqual(result.statistics, { ...NO_EDITS, DEADAIR: LONG_SILENCES.length });
});

await test('nothing is cut unless it is asked for', async () => {
	const { result, file } = await ann.finish(talk, PLAIN);
	assertNear(await decodedSeconds(file), lengthSeconds(TALK), 0.001, 'seconds');
	assert.deepEqual(result.statistics, NO_EDITS);
	assert.deepEqual(result.timestamps_markers_urls, []);
});

await test('counts only the requested kinds', async () => {
	const { result } = await ann.finish(wav, { hesitations: true, remove_noise: false });
	assert.deepEqual(result.statistics, { ...NO_EDITS, FILLER_SOUND: 1 });
});

const noiseSource = 'anoisesrc=color=white:amplitude=0.012:seed=7:sample_rate=16000';
// Without its option normalize, which is newer than the npm build, amix halves both.
const mix = ['-filter_complex', 'amix=inputs=2:duration=first,volume=2'];
const voice = await speech(8);
const said = (from: number, to: number) => {
	return voice.slice(from * SPEECH_RATE_HZ, to * SPEECH_RATE_HZ);
};
const silence = new Float32Array(2.5 * SPEECH_RATE_HZ);
// From 6 to 8.5 s, nobody speaks.
const quiet = wavOf(inTurn(said(0, 6), silence, said(6, 8), silence));
const noisy = await convertedTo(quiet, 'wav', '-f', 'lavfi', '-i', noiseSource, ...mix);
const fileUrl = await ann.upload(noisy);

async function edited(config: EditConfig | null, path = '/v2/edits'): Promise<Buffer> {
	const id = await ann.create({ files: [fileUrl], config }, path);
	return (await finishedFile(await ann.ended(id))).file;
}

/** The level in the middle of the longest silence, and that of the speech before it, dBFS. */
async function levelsOf(file: Buffer) {
	const samples = await samplesOf(file);
	return { floorDb: levelDb(samples, 6.4, 8.2), speechDb: levelDb(samples, 1, 5) };
}

const before = await levelsOf(noisy);
assert.ok(before.floorDb > -50, `${before.floorDb} dB`);
const byTrue = await edited({ remove_noise: true });

await test('true lowers the noise floor by more than 10 dB', async () => {
	const { floorDb } = await levelsOf(byTrue);
	assert.ok(floorDb < before.floorDb - 10, `${floorDb} dB after ${before.floorDb} dB`);
});

await test('false leaves noise and speech alone', async () => {
	for (const path of ['/v2/edits', '/v2/noise']) {
		const { floorDb, speechDb } = await levelsOf(await edited(PLAIN, path));
		assert.ok(Math.abs(floorDb - before.floorDb) < 0.1, `${floorDb} dB`);
		assert.ok(Math.abs(speechDb - before.speechDb) < 0.1, `${speechDb} dB`);
	}
});

await test('v2 and an omitted key are the same as true', async () => {
	for (const config of [{ remove_noise: 'v2' }, {}, null] satisfies (EditConfig | null)[]) {
		assert.ok((await edited(config)).equals(byTrue), JSON.stringify(config));
	}
});

await test('legacy lowers the noise floor in its own way and keeps the speech', async () => {
	const file = await edited({ remove_noise: 'legacy' });
	const { floorDb, speechDb } = await levelsOf(file);
	assert.ok(floorDb < before.floorDb - 10, `${floorDb} dB after ${before.floorDb} dB`);
	assert.ok(Math.abs(speechDb - before.speechDb) < 3, `${speechDb} dB`);
	assert.ok(!file.equals(byTrue));
});

await test('POST /v2/noise removes noise by default, and does what else is asked for', async () => {
	assert.ok((await edited(null, '/v2/noise')).equals(byTrue));
	assert.ok((await edited({}, '/v2/noise')).equals(byTrue));
	const file = await edited({ long_silences: true }, '/v2/noise');
	assert.ok((await samplesOf(file)).length < (await samplesOf(noisy)).length - 32_000);
});

const shortSilence = await speechWithShortSilence();

/** Edits the speech; returns the silences that were cut, and the seconds that are gone. */
async function cutBy(...flags: string[]) {
	await using service = await startService(...QUICK, ...flags);
	const { result, file } = await service.ann.finish(shortSilence, SILENCES);
	const seconds = (await decodedSeconds(shortSilence)) - (await decodedSeconds(file));
	return { silences: result.statistics?.DEADAIR, seconds };
}

await test('cuts a silence of 0.7 s only when the flag says so', async () => {
	assert.equal((await cutBy()).silences, 0);
	const shorter = await cutBy('--long-silence-seconds', '0.6', '--kept-pause-seconds', '0.4');
	assert.equal(shorter.silences, 1);
	assertNear(shorter.seconds, 0.33, 0.1, 'seconds');
	const kept = await cutBy('--long-silence-seconds', '0.6', '--kept-pause-seconds', '0.2');
	assert.equal(kept.silences, 1);
	assertNear(kept.seconds, shorter.seconds + 0.19, 0.02, 'seconds');
});

await test('leaves fillers and breaths that are longer than the flags say', async () => {
	await using folder = await temporaryFolder();
	const spokenTalk = new SyntheticTalk().sentence().pause(0.4).sentence().pause(0.3).filler(0.5);
	spokenTalk.pause(0.4).breath(-18).pause(0.4).sentence().pause(0.5).sentence();
	const track = await spokenTalk.track(folder.path);
	const config = resolveEditConfig({ remove_noise: false, fillers: true, breath: true });
	const kindsWithin = async (own: Partial<typeof DEFAULT_EDIT_LIMITS>) => {
		const limits = { ...DEFAULT_EDIT_LIMITS, ...own };
		return (await findEdits(config, [track], { limits })).map(({ kind }) => kind);
	};
	assert.deepEqual(await kindsWithin({}), ['filler', 'breath']);
	assert.deepEqual(await kindsWithin({ maxFillerSeconds: 0.3 }), ['breath']);
	assert.deepEqual(await kindsWithin({ maxBreathSeconds: 0.15 }), ['filler']);
});

await test('cuts what is left of a silence between two voices by the same limits', () => {
	const silence = { kind: 'long_silence', startSeconds: 1, endSeconds: 2, sure: 1 } as const;
	const voice = new Uint8Array(400).fill(1, 135, 300);
	const restsOf = (limits = DEFAULT_EDIT_LIMITS) => {
		const rests = combineTracks([[silence], []], [new Uint8Array(400), voice], limits);
		return rests.map(({ endSeconds }) => endSeconds);
	};
	assert.deepEqual(restsOf(), []);
	const short = { ...DEFAULT_EDIT_LIMITS, longSilenceSeconds: 0.6 };
	assert.deepEqual(restsOf(short), [1.3]);
	assert.deepEqual(restsOf({ ...short, keptPauseSeconds: 0.3 }), [1.35]);
});

await test('reads the limits of edits, shows them in --help, and refuses impossible values', () => {
	assert.deepEqual(readSettings([]).editLimits, DEFAULT_EDIT_LIMITS);
	for (const [flag, key, value] of [
		['--long-silence-seconds', 'longSilenceSeconds', 0.9],
		['--kept-pause-seconds', 'keptPauseSeconds', 0.5],
		['--max-filler-seconds', 'maxFillerSeconds', 1],
		['--max-breath-seconds', 'maxBreathSeconds', 0.5],
	] as const) {
		const { editLimits } = readSettings([flag, String(value)]);
		assert.deepEqual(editLimits, { ...DEFAULT_EDIT_LIMITS, [key]: value });
		assert.ok(helpText().includes(`${flag} <seconds>`));
		for (const wrong of ['0', '-1', 'x', '1000']) {
			assert.throws(() => readSettings([flag, wrong]), { message: new RegExp(`^${flag} must be`) });
		}
	}
	const message = /--long-silence-seconds must be more than --kept-pause-seconds/;
	assert.throws(() => readSettings(['--kept-pause-seconds', '0.9']), { message });
	const both = ['--long-silence-seconds', '0.5', '--kept-pause-seconds', '0.5'];
	assert.throws(() => readSettings(both), { message });
	const { keptPauseSeconds } = readSettings(['--long-silence-seconds', '0.45']).editLimits;
	assert.equal(keptPauseSeconds, 0.4, 'no more than a short pause can lose');
});
