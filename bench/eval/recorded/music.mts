import { globSync } from 'node:fs';

import { execa } from 'execa';

import { findFfmpeg } from '../../../service/media/ffmpeg/ffmpeg.mts';
import type { Chance } from '../chance.mts';
import { RATE_HZ } from '../signals.mts';

/** Real music of asterisk-moh-opsound-g722. */
const MUSIC = '/usr/share/asterisk/moh/*.g722';

/** Some seconds of real music. */
export async function realMusic(seconds: number, chance: Chance): Promise<Float32Array> {
	const paths = globSync(MUSIC).sort();
	if (paths.length === 0) throw new Error('Install asterisk-moh-opsound-g722 (.ci/packages eval)');
	const input = ['-f', 'g722', '-i', chance.pick(paths)];
	const place = ['-ss', String(chance.whole(0, 40)), '-t', String(seconds)];
	const output = ['-ac', '1', '-ar', String(RATE_HZ), '-f', 'f32le', 'pipe:1'];
	const options = ['-v', 'error', ...input, ...place, ...output];
	const { stdout } = await execa(findFfmpeg().ffmpegPath, options, { encoding: 'buffer' });
	return new Float32Array(stdout.slice().buffer);
}
