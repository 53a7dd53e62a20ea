import { join } from 'node:path';

import { safeFileName } from '../../shared/fileNames.mts';
import type { Insertion } from '../../shared/showKit.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { convertedTo } from '../../media/convertPcm.mts';
import type { PcmSource } from '../../media/pcmFile.mts';
import { integratedLoudness } from '../level/loudness.mts';
import { profileOf } from '../level/levelProfile.mts';
import { heldBelow, loudnessNotes, normalizeLoudness } from '../level/normalizeLoudness.mts';
import type { KitOnTimeline } from '../export/waveform.mts';
import type { RecordingRequest } from '../types.mts';
import { divided, type Stretch } from './divided.mts';
import { joinedSound, sharedFrames, type SoundPart } from './joinedSound.mts';
import { PauseSearch } from './pauses.mts';
import { NO_GATE_LUFS, nameOf, type ReadPart } from './readKit.mts';

/** The length of cross-fades, unless the edit says otherwise. */
const FADE_SECONDS = 0.5;

/** Beside a word, a fade is this short: no click, in seconds. */
const MIN_FADE_SECONDS = 0.01;

/** The finished recording, and how loud it may be. */
export interface Episode {
	sound: PcmSource;
	/** Its integrated loudness, if it is known, in LUFS. */
	lufs: number | undefined;
	ceilingDbtp: number;
	/** What was cut out of it. */
	removed: readonly TimeRange[];
}

/** A recording with its show's intro, outro and inserts. */
export interface WithKit {
	sound: PcmSource;
	insertions: Insertion[];
	/** The parts on the timeline of the result. */
	onTimeline: KitOnTimeline[];
	notes: string[];
}

/** What is heard in a row: of the recording, or a part of the show. */
interface Link extends SoundPart {
	part?: ReadPart;
	pauseSeconds: number;
}

/** What all parts are fitted to. */
interface Fit {
	format: PcmSource;
	/** Null beside a silent recording. */
	targetLufs: number | null;
	ceilingDbtp: number;
	fadeSeconds: number;
}

/** Whether something is the first and the last that is heard: nothing fades there. */
interface Ends {
	isFirst: boolean;
	isLast: boolean;
}

/**
 * Adds intro, outro and inserts to a finished recording, as loud as it is, in its format, with cross-fades. An insert goes
 * into the nearest pause, so that no word is divided, and no fade lies on a word.
 *
 * @throws MediaToolError when ffmpeg fails, the signal's reason when aborted.
 */
export async function addKit(
	{ config, local, workFolder }: RecordingRequest,
	{ sound, lufs, ceilingDbtp, removed }: Episode,
	parts: readonly ReadPart[],
	signal?: AbortSignal,
): Promise<WithKit> {
	const notes: string[] = [];
	const fadeSeconds = local?.kit_fade_seconds ?? FADE_SECONDS;
	const targetLufs = lufs ?? (await lufsOf(sound, config.mute_lufs, signal));
	const fit: Fit = { format: sound, targetLufs, ceilingDbtp, fadeSeconds };
	const order = await divided({ sound, removed, fadeSeconds, workFolder }, parts, notes, signal);
	const links: Link[] = [];
	for (const [index, next] of order.entries()) {
		const ends = { isFirst: index === 0, isLast: index === order.length - 1 };
		if ('stretch' in next) links.push(linkOf(sound, next.stretch, fadeSeconds, ends));
		else {
			const { part, pauseSeconds } = next;
			links.push({ ...(await fitted(part, fit, ends, notes, signal)), part, pauseSeconds });
		}
	}
	const joined = joinedSound(links, sound);
	const isLimited = config.normalize && config.target_lufs !== null;
	return {
		sound: isLimited ? heldBelow(joined, ceilingDbtp) : joined,
		...onTimelines(links, sound),
		notes,
	};
}

async function lufsOf(
	sound: PcmSource,
	gateLufs: number,
	signal?: AbortSignal,
): Promise<number | null> {
	const { energies } = await profileOf(sound, signal);
	return integratedLoudness(energies, gateLufs);
}

/** Brings a part to the format of the recording, fades it, and makes it as loud. */
async function fitted(
	part: ReadPart,
	{ format, targetLufs, ceilingDbtp, fadeSeconds }: Fit,
	ends: Ends,
	notes: string[],
	signal?: AbortSignal,
): Promise<Link> {
	const { workFolder } = part;
	const path = join(workFolder, 'converted.f32');
	const sound = await convertedTo(format, part.sound, path, signal);
	const search = new PauseSearch(sound, workFolder, signal);
	const stretch = {
		start: 0,
		end: sound.frames,
		roomBefore: await search.roomAt('start', fadeSeconds),
		roomAfter: await search.roomAt('end', fadeSeconds),
	};
	const link = linkOf(sound, stretch, fadeSeconds, ends);
	const faded = joinedSound([link], sound);
	if (targetLufs === null) return { ...link, sound: heldBelow(faded, ceilingDbtp), isFaded: true };
	const goal = { targetLufs, gateLufs: NO_GATE_LUFS, ceilingDbtp };
	const leveled = await normalizeLoudness(faded, goal, signal);
	notes.push(...loudnessNotes([leveled], targetLufs).map((note) => `${nameOf(part)}: ${note}`));
	return { ...link, sound: leveled, isFaded: true };
}

/** A stretch of a sound with fades as long as there is room for. */
function linkOf(
	sound: PcmSource,
	{ start, end, roomBefore, roomAfter }: Stretch,
	fadeSeconds: number,
	{ isFirst, isLast }: Ends,
): Link {
	const frames = end - start;
	const fade = (room: number) => {
		const seconds = Math.max(MIN_FADE_SECONDS, Math.min(fadeSeconds, room));
		return Math.min(Math.floor(frames / 4), Math.round(seconds * sound.sampleRateHz));
	};
	return {
		sound,
		start,
		frames,
		fadeIn: isFirst ? 0 : fade(roomBefore),
		fadeOut: isLast ? 0 : fade(roomAfter),
		pauseSeconds: 0,
	};
}

/** What the parts do to times, and where they are themselves. */
function onTimelines(links: readonly Link[], { sampleRateHz }: PcmSource) {
	const insertions: Insertion[] = [];
	const onTimeline: KitOnTimeline[] = [];
	let [position, recorded] = [0, 0];
	for (const [index, link] of links.entries()) {
		const { part, frames, pauseSeconds } = link;
		const next = links.at(index + 1);
		const before = index === 0 ? 0 : sharedFrames(links[index - 1], link);
		const after = next === undefined ? 0 : sharedFrames(link, next);
		if (part === undefined) recorded += frames;
		else {
			const atSeconds = recorded / sampleRateHz;
			// What two parts of the show share counts once.
			const added = frames - before - (next?.part === undefined ? after : 0);
			const addedSeconds = added / sampleRateHz;
			insertions.push({ atSeconds, pauseSeconds, addedSeconds });
			onTimeline.push({
				name: safeFileName(part.source.name),
				media: {
					sampleRateHz: part.info.sampleRateHz,
					channels: part.info.channels,
					picture: null,
				},
				seconds: frames / sampleRateHz,
				atSeconds,
				addedSeconds,
				startSeconds: position / sampleRateHz,
				sharedBefore: before / sampleRateHz,
				sharedAfter: after / sampleRateHz,
			});
		}
		position += frames - after;
	}
	return { insertions, onTimeline };
}
