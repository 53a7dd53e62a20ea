import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { UnusableInput } from '../../shared/failures.mts';
import { safeFileName } from '../../shared/fileNames.mts';
import type { KitPlace } from '../../shared/showKit.mts';
import { decode } from '../../media/decode.mts';
import { maxLengthSeconds, tooLong } from '../../media/lengthLimit.mts';
import { pcmSourceOf, type PcmSource } from '../../media/pcmFile.mts';
import type { MediaInfo } from '../../media/probe.mts';
import { readMetadata, type Chapter } from '../../media/tags/metadata.mts';
import { integratedLoudness } from '../level/loudness.mts';
import { profileOf } from '../level/levelProfile.mts';
import { probeSound } from '../soundTracks.mts';
import type { EngineSource, KitPart, RecordingRequest } from '../types.mts';

/** Leaves only the gate of the standard, in LUFS. */
export const NO_GATE_LUFS = -120;

/** The loudness of less cannot be measured (ITU-R BS.1770), in seconds. */
const MIN_SECONDS = 0.4;

/** A sound of a show, decoded, and where it goes: inserts at a moment of the recording before its edits. */
export interface ReadPart {
	source: EngineSource;
	place: 'intro' | 'outro' | number;
	info: MediaInfo;
	sound: PcmSource;
	workFolder: string;
}

/**
 * Decodes the intro, outro and inserts of a show, before anything of the recording is worked on. Together they have the
 * limit of one recording.
 *
 * @throws UnusableInput for one that cannot be used, and for a chapter that the recording does not have.
 */
export async function readKit(
	request: RecordingRequest,
	signal?: AbortSignal,
): Promise<ReadPart[]> {
	const { kit = [] } = request;
	const parts: ReadPart[] = [];
	for (const [index, part] of kit.entries()) {
		const workFolder = join(request.workFolder, `kit-${index + 1}`);
		await mkdir(workFolder);
		try {
			const maxSourceSeconds = request.maxSourceSeconds / kit.length;
			const read = await readPart(part, { maxSourceSeconds, workFolder }, signal);
			const place = await momentOf(part.place, request, workFolder, signal);
			parts.push({ ...read, source: part.source, place, workFolder });
		} catch (error) {
			if (!(error instanceof UnusableInput)) throw error;
			throw new UnusableInput(`${nameOf(part)}: ${error.message}`);
		}
	}
	return parts;
}

/** What a part is called where something is wrong with it. */
export function nameOf({ source, place }: Pick<KitPart, 'source'> & { place: unknown }): string {
	const what = place === 'intro' || place === 'outro' ? place : 'insert';
	return `The ${what} '${safeFileName(source.name)}'`;
}

async function readPart(
	{ source: { path, sound: chosen } }: KitPart,
	{ maxSourceSeconds, workFolder }: { maxSourceSeconds: number; workFolder: string },
	signal?: AbortSignal,
) {
	const { info } = await probeSound(path, signal, chosen);
	const limitSeconds = maxLengthSeconds(maxSourceSeconds, info);
	if ((info.durationSeconds ?? 0) > limitSeconds) throw tooLong(limitSeconds, info);
	const pcmPath = join(workFolder, 'decoded.f32');
	const { pcm } = await decode({ ...info, limitSeconds, path }, pcmPath, info.sampleRateHz, signal);
	if (pcm.frames < MIN_SECONDS * pcm.sampleRateHz) {
		throw new UnusableInput(`It is shorter than ${MIN_SECONDS} s.`);
	}
	const sound = pcmSourceOf(pcm);
	const { energies } = await profileOf(sound, signal);
	if (integratedLoudness(energies, NO_GATE_LUFS) === null) {
		throw new UnusableInput('Nothing is heard in it.');
	}
	return { info, sound };
}

/** Returns where a part goes, in seconds of the recording as it came. */
async function momentOf(
	place: KitPlace,
	{ sources }: RecordingRequest,
	workFolder: string,
	signal?: AbortSignal,
): Promise<ReadPart['place']> {
	if (typeof place === 'string') return place;
	if ('atSeconds' in place) return place.atSeconds;
	const { atChapter } = place;
	for (const [index, { path }] of sources.entries()) {
		const folder = join(workFolder, `chapters-${index + 1}`);
		await mkdir(folder);
		const { chapters } = (await readMetadata(path, folder, signal)).metadata;
		if (chapters.length === 0) continue;
		return chapterOf(atChapter, chapters).startSeconds;
	}
	throw new UnusableInput("The recording's file has no chapters: use 'at_seconds'.");
}

function chapterOf(wanted: number | string, chapters: readonly Chapter[]): Chapter {
	const plain = (title: string) => title.trim().toLowerCase();
	const found =
		typeof wanted === 'number'
			? chapters.at(wanted - 1)
			: chapters.find(({ title }) => plain(title) === plain(wanted));
	if (found !== undefined) return found;
	const which = typeof wanted === 'number' ? String(wanted) : `'${safeFileName(wanted)}'`;
	throw new UnusableInput(`The recording has ${chapters.length} chapters, and none is ${which}.`);
}
