/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they run programs */
import { spawnSync } from 'child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';

const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

/** Two voices and noise: something of which no two frames are alike. */
const SOUND =
	'aevalsrc=0.3*sin(2*PI*t*(200+80*sin(3*t)))+0.1*sin(2*PI*t*1900)*(0.5+0.5*sin(9*t))+0.05*random(0)|0.2*sin(2*PI*t*330)+0.05*random(1)';

/** Runs ffmpeg, which must not complain. Returns what it writes to its standard output. */
export function ffmpeg(args: readonly string[], input?: Buffer): Buffer {
	return run('ffmpeg', ['-nostdin', '-v', 'error', ...args], input);
}

/**
 * Encodes a sound with ffmpeg.
 *
 * @param args the encoder's, with its format
 * @param sound another sound than two voices and noise, as a source of ffmpeg without its length
 */
export function encodedSound(
	seconds: number,
	args: readonly string[],
	format: string,
	sound = `${SOUND}:s=44100`,
): Buffer {
	return withFile(Buffer.alloc(0), `sound.${format}`, (path) => {
		const source = ['-f', 'lavfi', '-i', `${sound}:d=${seconds}`];
		ffmpeg([...source, ...args, '-y', path]);
		return readFileSync(path);
	});
}

/** The decoded sound as 32-bit floats; fails if ffmpeg finds fault with the file. */
export function decoded(file: Buffer, name: string): Buffer {
	return withFile(file, name, (path) =>
		ffmpeg(['-xerror', '-i', path, '-map', '0:a', '-f', 'f32le', '-']),
	);
}

/** The checksum of the decoded sound. */
export function soundHash(file: Buffer, name: string): string {
	return withFile(file, name, (path) =>
		ffmpeg(['-xerror', '-i', path, '-map', '0:a', '-f', 'md5', '-']).toString(),
	);
}

/** What ffprobe says of a file. */
interface Probed {
	format: { duration: string; tags?: Record<string, string> };
	chapters: Array<{ start_time: string; end_time: string; tags?: Record<string, string> }>;
	streams: Array<{ codec_type: string; codec_name: string; tags?: Record<string, string> }>;
}

/** Reads a file's tags, chapters and streams with ffprobe. */
export function probed(file: Buffer, name: string): Probed {
	const shown = ['-show_format', '-show_chapters', '-show_streams', '-of', 'json'];
	return withFile(file, name, (path) => {
		const output = run('ffprobe', ['-v', 'error', ...shown, path]);
		return JSON.parse(output.toString()) as Probed;
	});
}

/** The start in seconds and the title of each chapter that ffprobe finds. */
export const probedChapters = (file: Buffer, name: string) =>
	probed(file, name).chapters.map(({ start_time, tags }) => [Number(start_time), tags?.title]);

/** Writes content to a file with this name in a temporary folder, for the length of `use`. */
export function withFile<T>(content: Buffer, name: string, use: (path: string) => T): T {
	const folder = mkdtempSync(join(tmpdir(), 'audio-editing-media-'));
	try {
		const path = join(folder, name);
		writeFileSync(path, content);
		return use(path);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** Runs a program, which must not complain. @returns its output */
export function run(program: string, args: readonly string[], input?: Buffer): Buffer {
	const options = { input, maxBuffer: MAX_OUTPUT_BYTES };
	const { status, stdout, stderr, error } = spawnSync(program, args, options);
	if (error) throw error;
	const said = stderr.toString();
	if (status !== 0 || said !== '') throw new Error(`${program} ended with ${status}: ${said}`);
	return stdout;
}
