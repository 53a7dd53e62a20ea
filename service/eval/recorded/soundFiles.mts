import { globSync } from 'node:fs';
import { extname } from 'node:path';

import { decoded } from '../../../testkit/media/decoded.mts';

/** Real music of asterisk-moh-opsound-g722. */
export const MUSIC = '/usr/share/asterisk/moh/*.g722';

/** Returns the files that a pattern finds, in order. */
export function soundFiles(pattern: string): string[] {
	const paths = globSync(pattern).sort();
	if (paths.length === 0) throw new Error(`Run .ci/packages eval: there is no ${pattern}`);
	return paths;
}

/** What ffmpeg has to be told of files without a header. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
	'.g722': ['-f', 'g722'],
	'.ALS': ['-f', 'u8', '-ar', '11025', '-ac', '1'],
};

/** ffmpeg's arguments for a file. */
export function inputOf(path: string): string[] {
	return [...(FORMATS[extname(path)] ?? []), '-i', path];
}

/** Decodes a file, or some seconds of it, to 48 kHz, mono. */
export async function soundOf(
	path: string,
	part?: { readonly startSeconds: number; readonly seconds: number },
): Promise<Float32Array> {
	const place = part ? ['-ss', String(part.startSeconds), '-t', String(part.seconds)] : [];
	return await decoded([...inputOf(path), ...place]);
}
