import assert from 'node:assert/strict';
import { mkdir, mkdtemp, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { exportSound } from '../../service/engine/export/exportTracks.mts';
import { readRecordingTrack } from '../../service/engine/recordingTrack.mts';
import { pcmSourceOf } from '../../service/media/pcmFile.mts';
import { resolveEditConfig } from '../../service/shared/contract.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

await using folder = await temporaryFolder();

for (const format of ['flac', 'mp3'] as const) {
	await test(`writes ${format} without tags when they cannot be written, and says so`, async () => {
		const workFolder = await mkdtemp(join(folder.path, format));
		const resultFolder = join(workFolder, 'result');
		await mkdir(resultFolder);
		const path = join(workFolder, 'talk.wav');
		await writeFile(path, new SyntheticTalk().sentence().wav());
		const config = resolveEditConfig({ export_format: format });
		const sources = [{ path, name: 'talk.wav' }];
		const request = { sources, config, longestSourceSeconds: 60, workFolder, resultFolder };
		const read = await readRecordingTrack(request, 0);
		const sound = pcmSourceOf(read.pcm);
		// No command line can hold this title, and no ID3 tag this cover.
		const cover = {
			codec: 'png',
			path: join(workFolder, 'missing.png'),
			width: 9,
			height: 9,
		} as const;
		const metadata = { ...read.metadata, tags: new Map([['title', 'a\0b']]), cover };
		const track = { ...read, sound };
		const name = await exportSound(
			request,
			{ track, picture: null, info: read.info, sound, metadata, sourceRateFrames: sound.frames },
			{ folder: resultFolder, baseName: 'talk', removed: [] },
		);
		assert.ok((await stat(join(resultFolder, name))).size > 1_000);
		assert.deepEqual(track.notes, [
			'talk.wav: left out tags, chapters and cover, which cannot be written',
		]);
	});
}
