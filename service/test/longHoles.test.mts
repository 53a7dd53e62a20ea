import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PLAIN } from '../../testkit/service/recordings.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { assertNear } from './support/assertNear.mts';
import { BEEPED, BEEPED_SECONDS, BEEPS, beepsIn, made } from './support/beepFiles.mts';
import { casesOf } from './support/casesOf.mts';

await using service = await startService(...QUICK);

/** A recording of somebody who was silent for a long time. */
interface LongHoled {
	what: string;
	name: string;
	codec: readonly string[];
	/** When each hole begins, in the sound without holes, and how long it is, in seconds. */
	holes: ReadonlyArray<readonly [atSeconds: number, seconds: number]>;
	/** Seconds before the first sound. */
	lateBySeconds?: number;
}

const OPUS = ['-c:a', 'libopus', '-b:a', '24k'];
const STEREO = ['-ac', '2'];

const FILES = casesOf<LongHoled>(
	[{ what: 'half an hour', name: 'muted.webm', codec: OPUS, holes: [[10, 1_800]] }],
	[
		{
			what: 'ten minutes twice',
			name: 'muted.ogg',
			codec: [...OPUS, ...STEREO],
			holes: [
				[10, 600],
				[22, 601.5],
			],
		},
		{
			what: 'ten minutes',
			name: 'muted.m4a',
			codec: ['-c:a', 'aac', ...STEREO],
			holes: [[10, 600]],
		},
		{
			what: 'ten minutes',
			name: 'phone.mka',
			codec: ['-c:a', 'flac', '-ar', '22050', '-ac', '6'],
			holes: [[10, 600]],
		},
		{ what: 'ten minutes', name: 'late.mka', codec: OPUS, holes: [], lateBySeconds: 600 },
	],
);

for (const { what, name, codec, holes, lateBySeconds = 0 } of FILES) {
	await test(`keeps the times of ${name}, with silence of ${what}`, async () => {
		const times = holes.map(([at, seconds]) => `if(gt(T,${at}),${seconds}/TB,0)`).join('+') || '0';
		const late = ['-itsoffset', String(lateBySeconds)];
		const source = await made(name, ...late, ...BEEPED, '-af', `asetpts='PTS+${times}'`, ...codec);
		const { file, result } = await service.ann.finish(source, PLAIN, name);
		const { beeps, seconds } = await beepsIn(file);
		const before = (at: number) =>
			holes.reduce((sum, [holeAt, hole]) => (holeAt < at ? sum + hole : sum), lateBySeconds);
		assert.equal(beeps.length, BEEPS.length, beeps.join());
		for (const [index, at] of BEEPS.entries()) {
			assertNear(beeps[index], at + before(at), 0.05, 'seconds where a beep begins');
		}
		assertNear(seconds, BEEPED_SECONDS + before(BEEPED_SECONDS), 0.1, 'seconds');
		assert.deepEqual(result.notes ?? [], []);
	});
}
