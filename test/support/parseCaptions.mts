import { type CaptionsFileFormat, type VTTNode, parseText, tokenizeVTTCue } from 'media-captions';

/** A captions file to read: its format and its text. */
interface CaptionsFile {
	readonly type: CaptionsFileFormat;
	readonly text: string;
}

/*
 * Reads captions files with media-captions, strictly, and writes the result: cues with their visible
 * text and speaker, and the library's objections. The library is an ES module, which jest cannot load,
 * so this runs as a program: JSON in, JSON out.
 */

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const files = JSON.parse(Buffer.concat(chunks).toString('utf8')) as CaptionsFile[];

const read = await Promise.all(
	files.map(async ({ type, text }) => {
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
	}),
);
process.stdout.write(JSON.stringify(read));

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
