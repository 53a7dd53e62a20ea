import assert from 'node:assert/strict';
import { test } from 'node:test';

import { combineTracks } from '../../service/engine/detection/combineTracks.mts';
import { findEdits } from '../../service/engine/findEdits.mts';
import { resolveEditConfig } from '../../service/shared/contract.mts';
import { DEFAULT_EDIT_LIMITS } from '../../service/shared/editLimits.mts';
import { helpText, readSettings } from '../../service/shared/settings.mts';
import type { EditKind } from '../../service/shared/timeRanges.mts';
import { assertNear } from './support/assertNear.mts';
import { decodedSeconds } from './support/media.mts';
import { speechWithShortSilence } from './support/shortSilence.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import { QUICK, startService } from './support/testService.mts';

const speech = await speechWithShortSilence();
const SILENCES = { long_silences: true, remove_noise: false } as const;

/** Edits the speech; returns the silences that were cut, and the seconds that are gone. */
async function cutBy(...flags: string[]) {
	await using service = await startService(...QUICK, ...flags);
	const { result, file } = await service.ann.finish(speech, SILENCES);
	const seconds = (await decodedSeconds(speech)) - (await decodedSeconds(file));
	return { silences: result.statistics?.DEADAIR, seconds };
}

await test('cuts a silence of 0.7 s only when the flag says so', async () => {
	assert.equal((await cutBy()).silences, 0);
	const shorter = await cutBy('--long-silence-seconds', '0.6');
	assert.equal(shorter.silences, 1);
	assertNear(shorter.seconds, 0.3, 0.1, 'seconds');
	const kept = await cutBy('--long-silence-seconds', '0.6', '--kept-pause-seconds', '0.1');
	assert.equal(kept.silences, 1);
	assertNear(kept.seconds, shorter.seconds + 0.2, 0.02, 'seconds');
});

await test('leaves fillers and breaths that are longer than the flags say', async () => {
	await using folder = await temporaryFolder();
	const talk = new SyntheticTalk().sentence().pause(0.4).sentence().pause(0.3).filler(0.5);
	talk.pause(0.4).breath(-18).pause(0.4).sentence().pause(0.5).sentence();
	const track = await talk.track(folder.path);
	const config = resolveEditConfig({ remove_noise: false, fillers: true, breath: true });
	const kindsWithin = async (limits: Partial<typeof DEFAULT_EDIT_LIMITS>): Promise<EditKind[]> => {
		const all = { ...DEFAULT_EDIT_LIMITS, ...limits };
		return (await findEdits(config, [track], { limits: all })).map(({ kind }) => kind);
	};
	assert.deepEqual(await kindsWithin({}), ['filler', 'breath']);
	assert.deepEqual(await kindsWithin({ longestFillerSeconds: 0.3 }), ['breath']);
	assert.deepEqual(await kindsWithin({ longestBreathSeconds: 0.15 }), ['filler']);
});

await test('cuts what is left of a silence between two voices by the same limits', () => {
	const silence = { kind: 'long_silence', startSeconds: 1, endSeconds: 2, sure: 1 } as const;
	const voice = new Uint8Array(400).fill(1, 135, 300);
	const restsOf = (limits = DEFAULT_EDIT_LIMITS) =>
		combineTracks([[silence], []], [new Uint8Array(400), voice], limits).map(
			(rest) => rest.endSeconds,
		);
	assert.deepEqual(restsOf(), []);
	const short = { ...DEFAULT_EDIT_LIMITS, longSilenceSeconds: 0.6 };
	assert.deepEqual(restsOf(short), [1.3]);
	assert.deepEqual(restsOf({ ...short, keptPauseSeconds: 0.25 }), [1.25]);
});

await test('reads the limits of edits, shows them in --help, and refuses impossible values', () => {
	assert.deepEqual(readSettings([]).editLimits, DEFAULT_EDIT_LIMITS);
	const given = ['--long-silence-seconds', '0.6', '--kept-pause-seconds', '0.25'];
	const others = ['--longest-filler-seconds', '1', '--longest-breath-seconds', '0.5'];
	assert.deepEqual(readSettings([...given, ...others]).editLimits, {
		longSilenceSeconds: 0.6,
		keptPauseSeconds: 0.25,
		longestFillerSeconds: 1,
		longestBreathSeconds: 0.5,
	});
	for (const flag of ['long-silence', 'kept-pause', 'longest-filler', 'longest-breath']) {
		const name = `--${flag}-seconds`;
		assert.ok(helpText().includes(`${name} <seconds>`));
		for (const value of ['0', '-1', 'x', '1000']) {
			assert.throws(() => readSettings([name, value]), { message: new RegExp(`^${name} must be`) });
		}
	}
	const message = /--long-silence-seconds must be at least twice --kept-pause-seconds/;
	assert.throws(() => readSettings(['--kept-pause-seconds', '0.41']), { message });
	assert.throws(() => readSettings(['--long-silence-seconds', '0.4']), { message });
});
