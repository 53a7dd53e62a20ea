import { type CutTimeline, oneLine } from './cutTimeline.mts';
import type { Section, TimelineFile } from './sections.mts';

/** Without a picture: the most that CMX 3600 knows. */
export const EDL_SOUND_RATE = '30/1';

/** A list knows four sounds, and the picture comes with the first. */
const CHANNELS = ['A', 'A2', 'A3', 'A4'];
const WITH_PICTURE = 'B';
const PICTURE_ALONE = 'V';

/** Reel of what has no time code of its own. */
const REEL = 'AX';

/**
 * Returns a timeline as an edit decision list, CMX 3600: cuts only, of the first four files. A comment says its frame
 * rate, which the format does not; an editor must be told it.
 */
export function editDecisionList({ title, framesPerSecond, files, sections }: CutTimeline): string {
	const base = Math.round(framesPerSecond);
	let number = 0;
	const events = sections.flatMap((section) => {
		const { start, frames: length, position } = section;
		return channelsOf(section, files).flatMap(([file, channel]) => {
			const times = [start, start + length, position, position + length];
			const codes = times.map((frames) => timeCode(frames, base)).join(' ');
			number += 1;
			const name = `${String(number).padStart(3, '0')}  ${REEL.padEnd(8)} ${channel.padEnd(5)} C        `;
			return [name + codes, `* FROM CLIP NAME: ${oneLine(file.name)}`];
		});
	});
	// Readers know comments only after an event.
	events.splice(2, 0, `* FRAME RATE: ${Number(framesPerSecond.toFixed(3))}`);
	return `${[`TITLE: ${oneLine(title)}`, 'FCM: NON-DROP FRAME', '', ...events].join('\n')}\n`;
}

/** The files of a section that are seen or heard, each with its channel. */
function channelsOf({ files: here, isMuted }: Section, files: readonly TimelineFile[]) {
	return here.flatMap((file): [TimelineFile, string][] => {
		const index = files.indexOf(file);
		const hasPicture = file.media.picture !== null && index === 0;
		if (isMuted) return hasPicture ? [[file, PICTURE_ALONE]] : [];
		if (hasPicture) return [[file, WITH_PICTURE]];
		// Nothing else is heard there.
		if (file.isKit) return [[file, CHANNELS[0]]];
		return index < CHANNELS.length ? [[file, CHANNELS[index]]] : [];
	});
}

function timeCode(frames: number, base: number): string {
	const seconds = Math.floor(frames / base);
	const parts = [
		Math.floor(seconds / 3_600),
		Math.floor(seconds / 60) % 60,
		seconds % 60,
		frames % base,
	];
	return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
