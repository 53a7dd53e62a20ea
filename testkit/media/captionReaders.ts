import { type VTTNode, parseText, tokenizeVTTCue } from 'media-captions';

import { ffmpeg, run } from './mediaFiles';

/** A captions file made by a test. */
interface CaptionsFile {
	type: 'srt' | 'vtt';
	text: string;
}

/** Reads a captions file with the library media-captions, strictly. Times are in seconds. */
export async function readWithLibrary({ type, text }: CaptionsFile) {
	const { cues, errors } = await parseText(text, { type, strict: true });
	return {
		errors: errors.map(({ message }) => message),
		cues: cues.map((cue) => {
			const nodes = tokenizeVTTCue(cue);
			const startTime = wholeMs(cue.startTime);
			const endTime = wholeMs(cue.endTime);
			const shown = type === 'vtt' ? nodes.map(textOf).join('') : cue.text;
			return { startTime, endTime, text: shown, speakers: nodes.flatMap(speakerOf) };
		}),
	};
}

function textOf(node: VTTNode): string {
	return node.type === 'text' ? node.data : node.children.map(textOf).join('');
}

function speakerOf(node: VTTNode): string[] {
	return node.type === 'v' ? [node.voice] : [];
}

/** The library adds seconds and fractions as floating-point numbers. */
function wholeMs(seconds: number): number {
	return Math.round(seconds * 1_000) / 1_000;
}

/** Returns the start and length in seconds of each cue that ffprobe finds in a captions file. */
export function probeCues({ type, text }: CaptionsFile): Array<[number, number]> {
	const format = type === 'vtt' ? 'webvtt' : 'srt';
	const args = ['-v', 'error', '-f', format, '-show_packets', '-of', 'json', '-'];
	const { packets } = JSON.parse(run('ffprobe', args, Buffer.from(text)).toString()) as {
		packets: Array<{ pts_time: string; duration_time: string }>;
	};
	return packets.map((packet) => [Number(packet.pts_time), Number(packet.duration_time)]);
}

/** Returns a captions file that ffmpeg has converted to the other format. */
export function convertWithFfmpeg({ type, text }: CaptionsFile): CaptionsFile {
	const [from, to] = type === 'vtt' ? ['webvtt', 'srt'] : ['srt', 'webvtt'];
	const args = ['-f', from, '-i', 'pipe:0', '-f', to, 'pipe:1'];
	const converted = ffmpeg(args, Buffer.from(text)).toString();
	return { type: type === 'vtt' ? 'srt' : 'vtt', text: converted };
}
