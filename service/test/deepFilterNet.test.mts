import assert from 'node:assert/strict';
import { test } from 'node:test';

import { writeDecided } from '../engine/networks/deepFilterNet/decidedSpectrum.mts';
import {
	DeepFilterNet,
	FILTER,
	LOOK_AHEAD,
} from '../engine/networks/deepFilterNet/deepFilterNet.mts';
import { BANDS } from '../engine/networks/deepFilterNet/features.mts';
import {
	addFrame,
	HOP_SAMPLES,
	RATE_HZ,
	SPECTRUM,
	spectrumAt,
} from '../engine/networks/deepFilterNet/frames.mts';
import {
	differenceDb,
	level,
	noise,
	raised,
	speech,
	together,
} from '../../testkit/service/signals.mts';

const voice = raised(await speech(8));
const noisy = together(voice, noise(voice.length, 0.03));
const FRAMES = 500;

/** Frames, each of which begins a hop later than the one before. */
function framesOf(sound: Float32Array): Float32Array {
	const spectra = new Float32Array(FRAMES * SPECTRUM);
	for (let frame = 0; frame < FRAMES; frame++) {
		const spectrum = spectra.subarray(frame * SPECTRUM, (frame + 1) * SPECTRUM);
		spectrumAt(sound, frame * HOP_SAMPLES, spectrum);
	}
	return spectra;
}

/** What the network decides when it hears some frames at a time. */
async function decisionsBy(spectra: Float32Array, size: number) {
	const network = await DeepFilterNet.create();
	const [gains, filters]: [number[], number[]] = [[], []];
	for (let frame = 0; frame < FRAMES; frame += size) {
		const end = Math.min(FRAMES, frame + size);
		const part = await network.decide(spectra.subarray(frame * SPECTRUM, end * SPECTRUM));
		for (const gain of part.gains) gains.push(gain);
		for (const factor of part.filters) filters.push(factor);
	}
	return { gains: Float32Array.from(gains), filters: Float32Array.from(filters) };
}

const spectra = framesOf(noisy);
const whole = await decisionsBy(spectra, FRAMES);

await test('a network whose memory was freed goes on where it was when it is needed again', async () => {
	const halves = [0, FRAMES / 2].map((frame) => {
		return spectra.subarray(frame * SPECTRUM, (frame + FRAMES / 2) * SPECTRUM);
	});
	const [kept, freed] = [await DeepFilterNet.create(), await DeepFilterNet.create()];
	await kept.decide(halves[0]);
	await freed.decide(halves[0]);
	const expected = await kept.decide(halves[1]);
	await DeepFilterNet.release();
	assert.deepEqual(await freed.decide(halves[1]), expected);
	// It runs, so it is not freed now.
	const running = freed.decide(halves[0]);
	await DeepFilterNet.release();
	await running;
});

await test('the network remembers what it heard: it decides the same in pieces of any size', async () => {
	for (const size of [96, 7]) {
		const { gains, filters } = await decisionsBy(spectra, size);
		assert.ok(differenceDb(gains, whole.gains) < -80, 'gains');
		assert.ok(differenceDb(filters, whole.filters) < -80, 'filters');
	}
});

await test('frames that nobody changes add up to the sound', () => {
	const sound = new Float32Array(noisy.length);
	for (let frame = 0; frame < FRAMES; frame++) {
		addFrame(spectra.slice(frame * SPECTRUM), sound, frame * HOP_SAMPLES);
	}
	const [from, to] = [HOP_SAMPLES, FRAMES * HOP_SAMPLES];
	assert.ok(differenceDb(sound.subarray(from, to), noisy.subarray(from, to)) < -110);
});

await test('what it decided about a frame removes the noise of that frame, and keeps its voice in step', () => {
	const decided = new Float32Array(SPECTRUM);
	/** What comes of it if decisions are applied so many frames late. */
	const resultOf = (late: number) => {
		const sound = new Float32Array(noisy.length);
		const first = LOOK_AHEAD - late;
		const decisions = {
			gains: whole.gains.subarray(first * BANDS),
			filters: whole.filters.subarray(first * FILTER),
		};
		for (let frame = LOOK_AHEAD; frame < FRAMES - 2 * LOOK_AHEAD; frame++) {
			writeDecided(spectra, decisions, frame, decided);
			addFrame(decided, sound, frame * HOP_SAMPLES);
		}
		return sound;
	};
	const part = (sound: Float32Array) => sound.subarray(RATE_HZ, 4.5 * RATE_HZ);
	const off = (late: number) => differenceDb(part(resultOf(late)), part(voice));
	assert.ok(off(0) < differenceDb(part(noisy), part(voice)) - 5, `${off(0)} dB`);
	for (const late of [-2, 2]) assert.ok(off(late) > off(0) + 1, `${late}: ${off(late)} dB`);
	assert.ok(level(resultOf(0), 1, 4.5) > level(voice, 1, 4.5) - 1);
});
