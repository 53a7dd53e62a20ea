import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EditConfig, LocalSettings } from '../shared/contract.mts';
import { assertNear } from './support/assertNear.mts';
import { atSpeed } from '../../testkit/media/signals.mts';
import { finishedFile } from '../../testkit/service/client.mts';
import { decodedSeconds, levelDb, samplesOf, truePeakDb } from '../../testkit/service/media.mts';
import {
	inTurn,
	noise,
	rms,
	scaled,
	speech,
	speechWithShortSilence,
	SPEECH_RATE_HZ,
	together,
	wavOf,
} from '../../testkit/service/signals.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

async function edited(bytes: Buffer, config: EditConfig, local: LocalSettings) {
	const edit = await ann.run(bytes, { remove_noise: false, ...config }, undefined, local);
	const { file, result } = await finishedFile(edit);
	return { file, result, samples: await samplesOf(file), local: edit.local };
}

const voice = await speech(12);
const pause = new Float32Array(SPEECH_RATE_HZ);

function tone(hz: number, seconds: number): Float32Array {
	return Float32Array.from({ length: seconds * SPEECH_RATE_HZ }, (_, i) => {
		return 0.1 * Math.sin((2 * Math.PI * hz * i) / SPEECH_RATE_HZ);
	});
}

await test('shortens pauses as the edit says, and refuses what would shorten none', async () => {
	const talk = await speechWithShortSilence();
	const seconds = await decodedSeconds(talk);
	const gone = async (local: LocalSettings) => {
		const { samples, result } = await edited(talk, { long_silences: true }, local);
		return { silences: result.statistics?.DEADAIR, seconds: seconds - samples.length / 16_000 };
	};
	assert.equal((await gone({})).silences, 0);
	const shorter = await gone({ silence_min_seconds: 0.6, silence_kept_seconds: 0.4 });
	assert.equal(shorter.silences, 1);
	const kept = await gone({ silence_min_seconds: 0.6, silence_kept_seconds: 0.2 });
	assertNear(kept.seconds, shorter.seconds + 0.19, 0.02, 'seconds');
	const alone = await gone({ silence_min_seconds: 0.6 });
	assert.ok(alone.seconds > 0 && alone.seconds < shorter.seconds, 'keeps as much as it can');
	const files = [await ann.upload(talk)];
	const both = { silence_min_seconds: 0.8, silence_kept_seconds: 0.8 };
	for (const local of [both, { silence_kept_seconds: 0.9 }]) {
		const { status, text } = await ann.call('POST', '/v2/edits', {
			body: { input: { files, local } },
		});
		assert.equal(status, 422);
		assert.match(text, /silence_kept_seconds/);
	}
});

await test('holds peaks below the maximum of the edit, also in a lossy file', async () => {
	const loud = wavOf(inTurn(scaled(voice, 0.3), tone(440, 0.5)));
	for (const [format, maxDbtp] of [
		['wav', -6],
		['mp3', -6],
		['wav', -1],
	] as const) {
		const config = { normalize: true, target_lufs: -9, export_format: format } as const;
		const { file } = await edited(loud, config, { true_peak_dbtp: maxDbtp });
		const peakDb = await truePeakDb(file);
		assert.ok(peakDb <= maxDbtp && peakDb > maxDbtp - 2, `${format}: ${peakDb} dBTP`);
	}
});

await test('raises softer speakers as far as the edit says', async () => {
	const room = noise(38 * SPEECH_RATE_HZ, 0.0002);
	// Faster, and so higher: the voice of somebody else.
	const guest = atSpeed((await speech(30)).slice(voice.length), 1.4).slice(0, voice.length);
	const softer = scaled(guest, (0.2 * rms(voice)) / rms(guest));
	const two = wavOf(together(inTurn(voice, pause, softer, pause, voice), room));
	const apartDb = async (local: LocalSettings) => {
		const { samples } = await edited(two, { normalize: true, target_lufs: -20 }, local);
		return levelDb(samples, 0, 12) - levelDb(samples, 13, 25);
	};
	const [all, half, none] = [
		await apartDb({}),
		await apartDb({ speaker_leveling: 0.5 }),
		await apartDb({ speaker_leveling: 0 }),
	];
	assertNear(none, 14, 0.5, 'dB');
	assert.ok(all < none - 6, `${all} dB`);
	assertNear(half, (all + none) / 2, 1, 'dB');
});

await test('fades at a cut for as long as the edit says', async () => {
	const parts = inTurn(voice, new Float32Array(3 * SPEECH_RATE_HZ), voice);
	const talk = wavOf(together(parts, noise(parts.length, 0.001)));
	const [short, long] = [
		await edited(talk, { long_silences: true }, {}),
		await edited(talk, { long_silences: true }, { crossfade_ms: 40 }),
	];
	assert.equal(short.samples.length, long.samples.length);
	const differing = [...short.samples.keys()].filter((i) => short.samples[i] !== long.samples[i]);
	const milliseconds = ((differing.at(-1) ?? 0) - differing[0]) / 16;
	assert.ok(milliseconds > 30 && milliseconds <= 40, `${milliseconds} ms`);
});

await test('lowers noise and hum as the edit says, and cuts the same', async () => {
	const hum = tone(50, 30).map((sample, i) => {
		const angle = (2 * Math.PI * i) / SPEECH_RATE_HZ;
		return 0.1 * (sample + 0.05 * Math.sin(150 * angle) + 0.05 * Math.sin(250 * angle));
	});
	const parts = inTurn(voice, new Float32Array(3 * SPEECH_RATE_HZ), voice);
	const noisy = wavOf(together(parts, noise(parts.length, 0.02)));
	const config = { remove_noise: true, long_silences: true, muted: false } as const;
	/** The softest tenth of a second. */
	const pauseDb = ({ samples }: { samples: Float32Array }) => {
		const count = Math.floor(samples.length / 1_600);
		const levels = Array.from({ length: count }, (_, i) => levelDb(samples, i / 10, (i + 1) / 10));
		return Math.min(...levels);
	};
	const [usual, less, none] = [
		await edited(noisy, config, {}),
		await edited(noisy, config, { noise_reduction_db: 8 }),
		await edited(noisy, config, { noise_reduction_db: 0 }),
	];
	assertNear(pauseDb(none) - pauseDb(less), 8, 1.5, 'dB');
	assert.ok(pauseDb(less) - pauseDb(usual) > 8, `${pauseDb(less) - pauseDb(usual)} dB`);
	const stated = [usual, less, none].map(({ result }) => result.noise_reduction_db);
	assert.deepEqual(stated, [20, 8, undefined]);
	const quiet = await edited(wavOf(parts), config, {});
	assert.equal(quiet.result.noise_reduction_db, undefined, 'there was none');
	for (const { result } of [less, none])
		assert.deepEqual(result.statistics, usual.result.statistics);
	const humming = wavOf(together(parts, hum.subarray(0, parts.length)));
	const [without, withHum] = [
		await edited(humming, config, {}),
		await edited(humming, config, { hum_removal: false, noise_reduction_db: 0 }),
	];
	assert.ok(pauseDb(withHum) - pauseDb(without) > 15);
});

await test('takes out low and sharp sounds where the edit says so, and nothing else', async () => {
	const sounds = wavOf(inTurn(tone(60, 2), tone(1_000, 2), voice));
	const plain = await edited(sounds, {}, {});
	const high = await edited(sounds, {}, { high_pass_hz: 150 });
	assert.ok(levelDb(high.samples, 0.5, 1.5) < levelDb(plain.samples, 0.5, 1.5) - 20);
	assertNear(levelDb(high.samples, 2.5, 3.5), levelDb(plain.samples, 2.5, 3.5), 0.2, 'dB');
	const sharp = wavOf(inTurn(voice, scaled(tone(6_000, 2), 2), scaled(tone(800, 2), 2)));
	const before = await edited(sharp, {}, {});
	const soft = await edited(sharp, {}, { de_ess: true });
	const changeDb = (from: number) =>
		levelDb(soft.samples, from, from + 1) - levelDb(before.samples, from, from + 1);
	assert.ok(changeDb(12.5) < -3, `${changeDb(12.5)} dB`);
	assertNear(changeDb(14.5), 0, 0.2, 'dB');
	assert.deepEqual(soft.local, { de_ess: true });
});

await test('reviews the edit that asks for it, for as long as it says, whatever the flag says', async () => {
	const talk = wavOf(inTurn(voice, new Float32Array(3 * SPEECH_RATE_HZ), voice));
	const config = { long_silences: true, remove_noise: false };
	const createdIn = async (client: typeof ann, local: LocalSettings) => {
		const files = [await client.upload(talk)];
		const { json } = await client.call('POST', '/v2/edits', {
			body: { input: { files, config, local } },
		});
		return json as { id: string; review_url?: string; review_until?: string };
	};
	const asked = await createdIn(ann, { review: true, review_hours: 5 });
	assert.ok(asked.review_url);
	const usual = await createdIn(ann, { review: true });
	const untilMs = ({ review_until: until = '' }: typeof asked) => Date.parse(until);
	const lessHours = (untilMs(usual) - untilMs(asked)) / 3_600_000;
	assertNear(lessHours, 19, 0.1, 'hours less');
	assert.deepEqual((await ann.edit(asked.id)).local, { review: true, review_hours: 5 });
	await using strict = await startService(...QUICK, '--review');
	assert.ok((await createdIn(strict.ann, {})).review_url);
	const free = await createdIn(strict.ann, { review: false });
	assert.equal(free.review_url, undefined);
	assert.equal((await strict.ann.ended(free.id)).status, 'SUCCESS');
});

await test('refuses values out of range, with their names', async () => {
	const files = [await ann.upload(wavOf(voice))];
	for (const [key, value] of [
		['silence_min_seconds', 0],
		['true_peak_dbtp', 1],
		['speaker_leveling', 1.1],
		['crossfade_ms', 200],
		['high_pass_hz', -1],
		['review_hours', 1e9],
		['de_ess', 'yes'],
		['deess', true],
	] as const) {
		const { status, text } = await ann.call('POST', '/v2/edits', {
			body: { input: { files, local: { [key]: value } } },
		});
		assert.equal(status, 422, key);
		assert.ok(text.includes(key), text);
	}
});
