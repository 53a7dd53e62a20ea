import { extname } from 'node:path';

import { type CutTimeline, oneLine } from './cutTimeline.mts';
import type { TimelineFile } from './sections.mts';

/** How REAPER reads files, by their ending; all others as video, which includes the sound of most containers. */
const SOURCES: Readonly<Record<string, string>> = {
	'.aif': 'WAVE',
	'.aiff': 'WAVE',
	'.flac': 'FLAC',
	'.mp3': 'MP3',
	'.ogg': 'VORBIS',
	'.opus': 'OPUS',
	'.w64': 'WAVE',
	'.wav': 'WAVE',
	'.wave': 'WAVE',
};
const OTHER_SOURCE = 'VIDEO';

/** Of seconds: a 768 kHz sample has 0.0000013. */
const DECIMALS = 12;

/** Returns a timeline as a REAPER project: a track for each file, with an item for each stretch that stays. */
export function reaperProject({ files, sections, framesPerSecond }: CutTimeline): string {
	const seconds = (frames: number) => (frames / framesPerSecond).toFixed(DECIMALS);
	const tracks = files.flatMap((file) => {
		const items = sections.flatMap(({ start, frames, position, isMuted, files: here }) => {
			if (!here.includes(file) || (isMuted && file.media.picture === null)) return [];
			const place = [`POSITION ${seconds(position)}`, `LENGTH ${seconds(frames)}`];
			const volume = isMuted ? ['VOLPAN 0 0 1 -1'] : [];
			return [...itemOf(file, [...place, `SOFFS ${seconds(start)}`, ...volume])];
		});
		return ['<TRACK', `NAME ${quoted(file.name)}`, ...items, '>'];
	});
	const [{ media }] = files;
	const lines = [
		'<REAPER_PROJECT 0.1 "7.0" 0',
		`SAMPLERATE ${media.sampleRateHz} 0 0`,
		...tracks,
		'>',
	];
	return `${indented(lines).join('\n')}\n`;
}

/** Without fades: the cuts are in pauses. */
function itemOf({ name }: TimelineFile, place: readonly string[]): string[] {
	const source = SOURCES[extname(name).toLowerCase()] ?? OTHER_SOURCE;
	const fades = ['FADEIN 1 0 0', 'FADEOUT 1 0 0', 'LOOP 0'];
	const media = [`<SOURCE ${source}`, `FILE ${quoted(name)}`, '>'];
	return ['<ITEM', ...place, ...fades, `NAME ${quoted(name)}`, ...media, '>'];
}

/** A text in those quotes that it does not contain; REAPER knows no escapes. */
function quoted(text: string): string {
	const line = oneLine(text);
	const quote = ['"', "'", '`'].find((one) => !line.includes(one));
	return quote ? quote + line + quote : `\`${line.replaceAll('`', "'")}\``;
}

function indented(lines: readonly string[]): string[] {
	let depth = 0;
	return lines.map((line) => {
		if (line === '>') depth -= 1;
		const result = '  '.repeat(depth) + line;
		if (line.startsWith('<')) depth += 1;
		return result;
	});
}
