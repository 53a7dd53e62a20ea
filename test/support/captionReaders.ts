/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they run programs */
import { execFileSync } from 'child_process';
import { resolve } from 'path';

/** A captions file made by a test. */
export interface CaptionsFile {
	type: 'srt' | 'vtt';
	text: string;
}

/** A cue as another reader understood it; times in seconds. */
export interface ReadCue {
	startTime: number;
	endTime: number;
	text: string;
	speakers: string[];
}

const PARSER = resolve('test/support/parseCaptions.mts');
const OUTPUT_BYTES_MAXIMUM = 64 * 1024 * 1024;

/** Reads captions files with the library media-captions, strictly. */
export function readWithLibrary(
	files: CaptionsFile[],
): Array<{ errors: string[]; cues: ReadCue[] }> {
	const input = JSON.stringify(files);
	const maxBuffer = OUTPUT_BYTES_MAXIMUM;
	const output = execFileSync(process.execPath, [PARSER], { input, maxBuffer, encoding: 'utf8' });
	return JSON.parse(output) as Array<{ errors: string[]; cues: ReadCue[] }>;
}

/** Returns the start and length in seconds of each cue that ffprobe finds in a captions file. */
export function probeCues({ type, text }: CaptionsFile): Array<[number, number]> {
	const format = type === 'vtt' ? 'webvtt' : 'srt';
	const args = ['-v', 'error', '-f', format, '-show_packets', '-of', 'json', '-'];
	const output = run('ffprobe', args, text);
	const { packets } = JSON.parse(output) as {
		packets: Array<{ pts_time: string; duration_time: string }>;
	};
	return packets.map((packet) => [Number(packet.pts_time), Number(packet.duration_time)]);
}

/** Returns a captions file that ffmpeg has converted to the other format. */
export function convertWithFfmpeg({ type, text }: CaptionsFile): CaptionsFile {
	const [from, to] = type === 'vtt' ? ['webvtt', 'srt'] : ['srt', 'webvtt'];
	const args = ['-nostdin', '-v', 'error', '-f', from, '-i', 'pipe:0', '-f', to, 'pipe:1'];
	return { type: type === 'vtt' ? 'srt' : 'vtt', text: run('ffmpeg', args, text) };
}

const paths: Partial<Record<'ffmpeg' | 'ffprobe', string>> = {};

function run(program: 'ffmpeg' | 'ffprobe', args: string[], input: string): string {
	paths[program] ??= pathOf(program);
	return execFileSync(paths[program], args, {
		input,
		maxBuffer: OUTPUT_BYTES_MAXIMUM,
		encoding: 'utf8',
	});
}

/** Returns the program on PATH, or the one in the npm package, as the local service does. */
function pathOf(program: 'ffmpeg' | 'ffprobe'): string {
	try {
		execFileSync(program, ['-version'], { stdio: 'ignore' });
		return program;
	} catch {
		return jest.requireActual<{ path: string }>(`@${program}-installer/${program}`).path;
	}
}
