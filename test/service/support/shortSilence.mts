import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { findFfmpeg } from '../../../service/media/ffmpeg/ffmpeg.mts';
import { temporaryFolder } from './temporaryFolder.mts';

const RECORDING = fileURLToPath(new URL('../../support/spoken.mp3', import.meta.url));

/**
 * Ten seconds of a synthetic voice. Its only pause of more than half a second is one of 0.7 s:
 * a pause of 0.4 s with 0.3 s of the room's sound from another pause.
 */
export async function speechWithShortSilence(): Promise<Buffer> {
	await using folder = await temporaryFolder();
	const path = join(folder.path, 'speech.wav');
	const spans = ['14:19.7', '12:12.3', '19.7:24'];
	const parts = spans.map((span, index) => `[0:a]atrim=${span}[${index}]`);
	const graph = `${parts.join(';')};[0][1][2]concat=n=3:v=0:a=1`;
	const args = ['-v', 'error', '-i', RECORDING, '-filter_complex', graph, '-ac', '1', path];
	await promisify(execFile)(findFfmpeg().ffmpegPath, args);
	return await readFile(path);
}
