/** What becomes of others who come over into a microphone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertNear } from './support/assertNear.mts';
import { finishedFile } from '../../testkit/service/client.mts';
import { levelDb, samplesOf } from '../../testkit/service/media.mts';
import {
	areSame,
	inTurn,
	noise,
	scaled,
	speech,
	SPEECH_RATE_HZ,
	together,
	wavOf,
} from '../../testkit/service/signals.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { fileNamed, unzipped } from '../../testkit/service/zip.mts';
import type { EditConfig, LocalSettings } from '../shared/contract.mts';

await using service = await startService(...QUICK);
const { ann } = service;

const all = await speech(22);
const part = (from: number, to: number) => all.slice(from * SPEECH_RATE_HZ, to * SPEECH_RATE_HZ);
const pause = (seconds: number) => new Float32Array(seconds * SPEECH_RATE_HZ);

/** Speaks from 0 to 6 s and from 13 to 17 s, and answers at 9 s while the guest speaks. */
const hostAlone = inTurn(
	part(0, 6),
	pause(3),
	scaled(part(12, 12.5), 0.4),
	pause(3.5),
	part(6, 10),
);
/** Speaks from 7 to 12 s. */
const guestAlone = inTurn(pause(7), part(15, 20), pause(5));
const LENGTH = hostAlone.length;

function microphone(own: Float32Array, other: Float32Array, seed: number): Buffer {
	const room = noise(LENGTH + seed, 0.0005).slice(seed);
	return wavOf(together(own, scaled(other, 0.1), room));
}

async function tracks(config: EditConfig, local?: LocalSettings) {
	const sources = {
		'host.wav': microphone(hostAlone, guestAlone, 7),
		'guest.wav': microphone(guestAlone, hostAlone, 99),
	};
	const edit = await ann.runTracks(sources, { remove_noise: false, ...config }, local);
	const files = await unzipped((await finishedFile(edit)).file);
	const [host, guest] = await Promise.all(
		['host', 'guest'].map((name) => samplesOf(fileNamed(files, `${name}-edited.wav`))),
	);
	return { host, guest };
}

const asItIs = await tracks({});

await test('leaves tracks as they are where nothing else changes them', async () => {
	assert.ok(areSame(asItIs.host, await samplesOf(microphone(hostAlone, guestAlone, 7))));
});

await test('lowers who comes over, not who answers meanwhile, and not the room', async () => {
	const lower = await tracks({}, { bleed_reduction_db: 10 });
	const change = (name: 'host' | 'guest', from: number, to: number) =>
		levelDb(lower[name], from, to) - levelDb(asItIs[name], from, to);
	assertNear(change('host', 7.5, 8.5), -10, 1, 'dB of the guest');
	assertNear(change('host', 10, 11.5), -10, 1, 'dB of the guest after the answer');
	assertNear(change('host', 9, 9.5), 0, 0.3, 'dB of the answer');
	assertNear(change('guest', 0.5, 5.5), -10, 1, 'dB of the host');
	for (const [from, to] of [
		[0.2, 5.8],
		[13.2, 16.8],
	]) {
		assertNear(change('host', from, to), 0, 0.05, 'dB of the own voice');
	}
	assertNear(change('guest', 7.2, 11.8), 0, 0.05, 'dB of the own voice');
	// Nobody speaks.
	assertNear(change('guest', 12.2, 12.9), 0, 1.5, 'dB of the room');
});

await test('lowers by default where an edit changes the sound anyway, and as far as it says', async () => {
	const apart = async (local?: LocalSettings) => {
		const { host } = await tracks({ normalize: true, target_lufs: -20 }, local);
		return levelDb(host, 13.2, 16.8) - levelDb(host, 7.5, 8.5);
	};
	const [usual, none, more] = [
		await apart(),
		await apart({ bleed_reduction_db: 0 }),
		await apart({ bleed_reduction_db: 15 }),
	];
	assertNear(usual - none, 10, 1, 'dB');
	assertNear(more - none, 15, 1.5, 'dB');
});
