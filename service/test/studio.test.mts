import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { highPass, peaking, RunningBiquad } from '../engine/signal/biquad.mts';
import { enhanceVoice } from '../engine/voice/enhanceVoice.mts';
import { matchingEqualizer, sumDb } from '../engine/voice/matchingEqualizer.mts';
import { VoiceChain } from '../engine/voice/voiceChain.mts';
import { BANDS_HZ, voiceSpectrumOf } from '../engine/voice/voiceSpectrum.mts';
import { pcmSourceOf, readFrames } from '../media/pcmFile.mts';
import type { EditConfig } from '../shared/contract.mts';
import { assertNear } from './support/assertNear.mts';
import { levelDb, samplesOf } from '../../testkit/service/media.mts';
import {
	differenceDb,
	inTurn,
	noise,
	pcmOf,
	rms,
	scaled,
	speech,
	SPEECH_RATE_HZ,
	together,
	wavOf,
} from '../../testkit/service/signals.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using temporary = await temporaryFolder();
await using service = await startService(...QUICK);
const { ann } = service;

const voice = await speech(10);
const pause = new Float32Array(3 * SPEECH_RATE_HZ);

/** Speech, a pause, the same speech 12 dB softer and another pause, all with noise. */
const recording = together(
	inTurn(voice, pause, scaled(voice, 0.25), pause),
	noise(26 * SPEECH_RATE_HZ, 0.004),
);

/** Edits the recording. Returns the levels of the loud and the soft part, and the depth of pauses. */
async function edited(config: EditConfig) {
	const { file } = await ann.finish(wavOf(recording), config);
	const samples = await samplesOf(file);
	assert.equal(samples.length, recording.length);
	const loudDb = levelDb(samples, 0, 10);
	const softDb = levelDb(samples, 13, 23);
	const floorDb = Math.max(levelDb(samples, 11, 13), levelDb(samples, 24, 26));
	return { file, loudDb, softDb, depthDb: loudDb - floorDb };
}

const noiseRemoved = await edited({ remove_noise: true });
const studio = await edited({ studio_sound: true });

await test('studio_sound removes more noise than remove_noise', () => {
	assert.ok(
		studio.depthDb > noiseRemoved.depthDb + 5,
		`pauses ${studio.depthDb} dB below speech, with remove_noise ${noiseRemoved.depthDb} dB`,
	);
});

await test('studio_sound evens out loud and soft speech and keeps the level', () => {
	const before = noiseRemoved.loudDb - noiseRemoved.softDb;
	const after = studio.loudDb - studio.softDb;
	assert.ok(before > 11, `${before} dB`);
	assert.ok(after < before - 4 && after > 2, `${after} dB apart, before ${before} dB`);
	assert.ok(Math.abs(studio.loudDb - noiseRemoved.loudDb) < 4, `${studio.loudDb} dB`);
});

await test('studio_sound is the same for nightly and true, and always removes noise', async () => {
	const nightly = await edited({ studio_sound: 'nightly', remove_noise: false });
	assert.ok(nightly.file.equals(studio.file));
});

const format = { sampleRateHz: SPEECH_RATE_HZ, channels: 1 };

/** Returns the gain in dB that a chain for speech of the given level applies to a tone. */
function leftOf(hz: number, level: number, speechDb: number): number {
	const dynamics = { speechDb, isEvened: true };
	const chain = new VoiceChain({ equalizer: [], dynamics }, format);
	const tone = Float32Array.from({ length: SPEECH_RATE_HZ }, (_, i) => {
		return level * Math.SQRT2 * Math.sin((2 * Math.PI * hz * i) / SPEECH_RATE_HZ);
	});
	const before = levelDb(tone, 0.5, 1);
	chain.process(tone);
	return levelDb(tone, 0.5, 1) - before;
}

await test('softens sharp sibilants only', () => {
	assert.ok(leftOf(6_000, 0.2, -20) < leftOf(1_000, 0.2, -20) - 3);
	// An S of a bright voice is nearly as loud as the vowels.
	assertNear(leftOf(6_000, 0.08, -20), leftOf(1_000, 0.08, -20), 0.5, 'an s');
});

await test('studio sound raises no noise between two words, and delays nothing', () => {
	const said = voice.slice(32_000, 38_000);
	const word = inTurn(scaled(said, 0.1 / rms(said)), pause.slice(0, 4_000));
	const words = inTurn(...Array.from({ length: 8 }, () => word));
	const heard = together(words, noise(words.length, 0.003));
	const after = heard.slice();
	new VoiceChain({ dynamics: { speechDb: -20, isEvened: true } }, format).process(after);
	for (let end = 0.625; end <= 5; end += 0.625) {
		const depths = [heard, after].map((samples) => {
			return levelDb(samples, end - 0.625, end - 0.25) - levelDb(samples, end - 0.1, end - 0.01);
		});
		assert.ok(depths[1] > depths[0] + 3, `${depths[1]} dB below the word, was ${depths[0]} dB`);
	}
	const likeness = (lag: number) =>
		after.reduce((sum, sample, i) => sum + sample * (heard[i - lag] ?? 0), 0);
	for (const lag of [-2, -1, 1, 2]) assert.ok(likeness(lag) < likeness(0), `${lag}`);
});

/** Returns speech as recorded by a dull or a sharp microphone. */
function colored(samples: Float32Array, tiltDb: number): Float32Array {
	const output = samples.slice();
	for (const [hz, share] of [
		[250, -1],
		[4_000, 1],
	]) {
		const filter = peaking(hz, 0.7, share * tiltDb, SPEECH_RATE_HZ);
		new RunningBiquad(filter).process(output, output, 0, 1);
	}
	return output;
}

async function spectrumOf(samples: Float32Array) {
	const spectrum = await voiceSpectrumOf(await pcmOf(samples, join(temporary.path, 'pcm')));
	assert.ok(spectrum);
	return spectrum;
}

const equalizerFor = async (samples: Float32Array) =>
	matchingEqualizer(await spectrumOf(samples), SPEECH_RATE_HZ);

await test('automatic EQ corrects the tone of a microphone by at most 12 dB', async () => {
	const plain = await equalizerFor(voice);
	for (const tiltDb of [-8, 8]) {
		const filters = await equalizerFor(colored(voice, tiltDb));
		const change = (hz: number) =>
			sumDb(filters, hz, SPEECH_RATE_HZ) - sumDb(plain, hz, SPEECH_RATE_HZ);
		if (tiltDb < 0) assert.ok(change(4_000) > 2, `${change(4_000)} dB at 4 kHz`);
		const beside = sumDb(filters, 5_600, SPEECH_RATE_HZ) - sumDb(filters, 1_000, SPEECH_RATE_HZ);
		assert.ok(beside > -1, `highs are lowered by ${beside} dB`);
		assert.ok(Math.sign(change(250)) === Math.sign(tiltDb), `${change(250)} dB at 250 Hz`);
		for (let hz = 60; hz < 7_900; hz *= 1.1) {
			const gainDb = sumDb(filters, hz, SPEECH_RATE_HZ);
			assert.ok(Math.abs(gainDb) <= 13, `${gainDb} dB at ${hz} Hz`);
		}
	}
});

/**
 * What microphones and rooms make of a voice, made otherwise than by the engine's filters, and which share of it may stay:
 * people's lows differ most, so that most of a boomy tone may be a voice's own.
 */
const faults = {
	boxy: { faultDb: (hz: number) => 10 / (1 + (3 * Math.log2(hz / 450)) ** 2), limit: 0.6 },
	dull: { faultDb: (hz: number) => -12 / (1 + (2_500 / hz) ** 2), limit: 0.6 },
	boomy: { faultDb: (hz: number) => 12 / (1 + (hz / 180) ** 2), limit: 0.85 },
};

/** A voice in which no band stands out from those of others, by Byrne et al. 1994, dB. */
const USUAL_DB = [
	54.4, 57.7, 56.8, 60.2, 60.3, 59, 62.1, 62.1, 60.5, 56.8, 53.7, 53, 52, 48.7, 48.1, 46.8, 45.6,
	44.5, 44.3, 43.7, 43.4,
];

for (const [name, { faultDb, limit }] of Object.entries(faults)) {
	await test(`automatic EQ takes away part of what makes a voice ${name}, at every sample rate`, () => {
		for (const rateHz of [16_000, 44_100, 48_000]) {
			const bandsDb = BANDS_HZ.map((hz, band) => USUAL_DB[band] - 60 + faultDb(hz));
			const plain = matchingEqualizer({ speechDb: -20, bandsDb: USUAL_DB }, rateHz);
			const filters = matchingEqualizer({ speechDb: -20, bandsDb }, rateHz);
			const heard = BANDS_HZ.filter((hz) => hz < 6_500);
			const left = heard.map((hz) => {
				return faultDb(hz) + sumDb(filters, hz, rateHz) - sumDb(plain, hz, rateHz);
			});
			const [before, after] = [deviation(heard.map(faultDb)), deviation(left)];
			assert.ok(after < limit * before, `${rateHz} Hz: ${after} dB, was ${before} dB`);
		}
	});
}

function deviation(values: readonly number[]): number {
	const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
	return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

await test('automatic EQ leaves a usual voice nearly as it is', () => {
	const filters = matchingEqualizer({ speechDb: -20, bandsDb: USUAL_DB }, 48_000);
	assert.ok(deviation(BANDS_HZ.map((hz) => sumDb(filters, hz, 48_000))) < 2);
});

await test('autoeq brings a dull recording closer to the original speech', async () => {
	const dull = scaled(colored(voice, -8), 0.5);
	const { file } = await ann.finish(wavOf(dull), { remove_noise: false, autoeq: true });
	const tilt = async (of: Float32Array) => {
		const { bandsDb } = await spectrumOf(of);
		return bandsDb[16] - bandsDb[4];
	};
	const [before, after] = [await tilt(dull), await tilt(await samplesOf(file))];
	assert.ok(after > before + 4, `4 kHz over 250 Hz: ${after} dB, was ${before} dB`);
});

for (const sampleRateHz of [8_000, 16_000, 44_100, 48_000]) {
	await test(`keeps the stereo image and delays nothing at ${sampleRateHz} Hz`, async () => {
		const click = new Float32Array(2_000);
		click[1_000] = 0.5;
		const left = inTurn(click, voice);
		const both = Float32Array.from({ length: 2 * left.length }, (_, i) => {
			return left[i >> 1] * (i % 2 === 0 ? 1 : 0.5);
		});
		const input = await pcmOf(both, join(temporary.path, 'both'), { sampleRateHz, channels: 2 });
		const work = { isMatched: true, deEsses: true, isEvened: true };
		const output = await enhanceVoice(input, work, join(temporary.path, 'enhanced'));
		const samples = await readFrames(pcmSourceOf(output), 0, output.frames);
		const sides = [0, 1].map((side) => samples.filter((_, i) => i % 2 === side));
		assert.ok(differenceDb(scaled(sides[0], 0.5), sides[1]) < -80);
		const sizes = sides[0].slice(0, 2_000).map(Math.abs);
		assert.equal(sizes.indexOf(Math.max(...sizes)), 1_000);
		assert.ok(sizes.subarray(0, 1_000).every((size) => size === 0));
	});
}

await test('automatic EQ does not amplify noise in a band without speech', async () => {
	const telephone = voice.slice();
	for (let pass = 0; pass < 4; pass++) {
		new RunningBiquad(highPass(300, SPEECH_RATE_HZ)).process(telephone, telephone, 0, 1);
	}
	assert.ok(sumDb(await equalizerFor(telephone), 100, SPEECH_RATE_HZ) < 3);
	assert.equal(await voiceSpectrumOf(await pcmOf(pause, join(temporary.path, 'pcm'))), null);
});
