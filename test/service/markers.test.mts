import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import {
	audacityLabels,
	auditionMarkers,
	regionCsv,
	resolveMarkers,
	writeMarkers,
} from '../../service/engine/export/markers.mts';
import type { TimelineEdit } from '../../service/shared/timeRanges.mts';

const edit = (startSeconds: number, endSeconds: number): TimelineEdit => ({
	...{ kind: 'long_silence', startSeconds, endSeconds, confidence: 1 },
});

const EDITS = [edit(2.2, 3.3), edit(3_725.5, 3_727.0625)];

await test('writes an Audacity label track with microseconds', () => {
	assert.equal(
		audacityLabels(EDITS),
		'2.200000\t3.300000\tLong silence\n3725.500000\t3727.062500\tLong silence\n',
	);
});

await test('writes REAPER regions with start, end and length', () => {
	assert.equal(
		regionCsv(EDITS.slice(0, 1)),
		'#,Name,Start,End,Length\nR1,Long silence,2.200,3.300,1.100\n',
	);
});

await test('writes Adobe Audition markers tab-separated, in minutes and decimal seconds', () => {
	const [head, ...rows] = auditionMarkers(EDITS).split('\n');
	assert.equal(head, 'Name\tStart\tDuration\tTime Format\tType\tDescription');
	assert.deepEqual(rows, [
		'Long silence 1\t0:02.200\t0:01.100\tdecimal\tCue\t',
		'Long silence 2\t62:05.500\t0:01.563\tdecimal\tCue\t',
		'',
	]);
});

await test('writes DaVinci Resolve timecode from 01:00:00:00 and lengths in frames', () => {
	assert.equal(
		resolveMarkers(EDITS, 'my\r\ntalk', 24),
		[
			'TITLE: my  talk',
			'FCM: NON-DROP FRAME',
			'',
			'001  001      V     C        01:00:02:05 01:00:02:06 01:00:02:05 01:00:02:06',
			' |C:ResolveColorRed |M:Long silence |D:26',
			'',
			'002  001      V     C        02:02:05:12 02:02:05:13 02:02:05:12 02:02:05:13',
			' |C:ResolveColorRed |M:Long silence |D:38',
			'',
			'',
		].join('\n'),
	);
});

await test('counts whole frames in Resolve timecode at 29.97, so that it matches the timeline', () => {
	const [, , , , , , marker] = resolveMarkers(EDITS, 'talk', 30_000 / 1_001).split('\n');
	// 3,725.5 s are frame 111,653: 3,721 × 30 + 23.
	assert.match(marker, /02:02:01:23 02:02:01:24/);
});

await test('keeps every marker inside the recording', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'markers-'));
	const edits = [edit(-0.01, 0.5), edit(9.5, 10.02)];
	const [labels] = await writeMarkers(edits, { folder, baseName: 'talk' }, 10);
	const text = await readFile(join(folder, labels), 'utf8');
	await rm(folder, { recursive: true });
	assert.equal(text, '0.000000\t0.500000\tLong silence\n9.500000\t10.000000\tLong silence\n');
});
