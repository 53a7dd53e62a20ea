import type { TimeRange } from '../../shared/timeRanges.mts';
import { newTime } from '../../media/pictureTimes.mts';
import type { PcmSource } from '../../media/pcmFile.mts';
import { PauseSearch } from './pauses.mts';
import { nameOf, type ReadPart } from './readKit.mts';

/** Nothing is put this near to an end of the recording, but before or after it, in seconds. */
const MIN_REST_SECONDS = 0.05;

/** An insert that is moved further is reported, in seconds. */
const WORTH_SAYING_SECONDS = 2;

/** A stretch of the recording, in frames, and for how long nobody speaks at its beginning and end, in seconds. */
export interface Stretch {
	start: number;
	end: number;
	roomBefore: number;
	roomAfter: number;
}

/** What is heard next: a part of the show before a place of the recording, or a stretch of the recording. */
export type Next = { part: ReadPart; pauseSeconds: number } | { stretch: Stretch };

/** A place where the recording is divided. */
interface Place {
	frame: number;
	/** Where the pause begins in which it is. */
	pauseSeconds: number;
	roomBefore: number;
	roomAfter: number;
	parts: ReadPart[];
}

/** What decides where a recording is divided. */
export interface Division {
	sound: PcmSource;
	/** What was cut out of it. */
	removed: readonly TimeRange[];
	/** More room than this is of no use. */
	fadeSeconds: number;
	workFolder: string;
}

/**
 * Divides a recording in the pauses nearest to where its inserts shall be. Returns it in order, with all parts of the show.
 *
 * @param notes gets what differs from the request.
 */
export async function divided(
	division: Division,
	parts: readonly ReadPart[],
	notes: string[],
	signal?: AbortSignal,
): Promise<Next[]> {
	const places = await placesOf(division, parts, notes, signal);
	const order = places.flatMap((place, index): Next[] => {
		const { pauseSeconds, frame: start, roomAfter: roomBefore } = place;
		const own = place.parts.map((part) => ({ part, pauseSeconds }));
		const next = places.at(index + 1);
		if (next === undefined || next.frame === start) return own;
		const stretch = { start, end: next.frame, roomBefore, roomAfter: next.roomBefore };
		return [...own, { stretch }];
	});
	return order;
}

/** Its beginning, where its inserts go, and its end. */
async function placesOf(
	{ sound, removed, fadeSeconds, workFolder }: Division,
	parts: readonly ReadPart[],
	notes: string[],
	signal?: AbortSignal,
): Promise<Place[]> {
	const { sampleRateHz, frames } = sound;
	const lengthSeconds = frames / sampleRateHz;
	const search = new PauseSearch(sound, workFolder, signal);
	const at = (frame: number, roomBefore: number, roomAfter: number): Place => {
		return { frame, pauseSeconds: frame / sampleRateHz, roomBefore, roomAfter, parts: [] };
	};
	const first = at(0, 0, await search.roomAt('start', fadeSeconds));
	const last = at(frames, await search.roomAt('end', fadeSeconds), 0);
	first.parts.push(...parts.filter(({ place }) => place === 'intro'));
	const within: Place[] = [];
	for (const part of parts) {
		if (typeof part.place === 'string') continue;
		const wanted = newTime(part.place, removed);
		if (wanted > lengthSeconds + MIN_REST_SECONDS) notes.push(afterTheEnd(part, lengthSeconds));
		if (wanted < MIN_REST_SECONDS) first.parts.push(part);
		else if (wanted > lengthSeconds - MIN_REST_SECONDS) last.parts.push(part);
		else {
			const { startSeconds, endSeconds, atSeconds } = await search.nearest(wanted);
			const moved = atSeconds - wanted;
			if (Math.abs(moved) > WORTH_SAYING_SECONDS) notes.push(movedBy(part, moved));
			const [before, after] = [atSeconds - startSeconds, endSeconds - atSeconds];
			const place = at(Math.round(atSeconds * sampleRateHz), before, after);
			within.push({ ...place, pauseSeconds: startSeconds, parts: [part] });
		}
	}
	last.parts.push(...parts.filter(({ place }) => place === 'outro'));
	return [first, ...together(within.toSorted((a, b) => a.frame - b.frame)), last];
}

/** Puts parts for the same place one after the other, in the order of the request. */
function together(places: readonly Place[]): Place[] {
	const result: Place[] = [];
	for (const place of places) {
		const same = result.at(-1);
		if (same?.frame === place.frame) same.parts.push(...place.parts);
		else result.push(place);
	}
	return result;
}

function movedBy(part: ReadPart, seconds: number): string {
	const which = seconds > 0 ? 'later' : 'earlier';
	return `${nameOf(part)} was put ${Math.abs(seconds).toFixed(1)} s ${which}, into the nearest pause`;
}

function afterTheEnd(part: ReadPart, lengthSeconds: number): string {
	const length = `${lengthSeconds.toFixed(1)} s`;
	return `${nameOf(part)} was put at the end of the recording, which is ${length} long`;
}
