import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { pcmSourceOf, PcmWriter, type PcmSource } from '../../media/pcmFile.mts';
import { readMetadata } from '../../media/tags/metadata.mts';
import { dottedExtensionOf } from '../../shared/fileNames.mts';
import { linkOrCopy } from '../../shared/linkOrCopy.mts';
import { WaveformMeter, type Waveform } from '../export/waveform.mts';
import type { LevelledSource } from '../level/normalizeLoudness.mts';
import type { RecordingTrack } from '../recordingTrack.mts';
import type { Decided, RecordingRequest } from '../types.mts';
import { KEPT_FILE_NAME, type KeptRecording } from './keptSchema.mts';
import { packSound, unpackSound } from './keptSound.mts';

/** Pairs of peaks a second, and for all tracks: together about half a megabyte as text. */
const PEAKS_PER_SECOND = 50;
const MOST_PEAKS = 200_000;

type KeptTrack = KeptRecording['tracks'][number];

/** What the draft says of itself. */
type Draft = Pick<KeptRecording, 'cuts' | 'loudness' | 'sampleRateHz' | 'samples'>;

/**
 * Keeps what a review needs in `reviewFolder`: the uncut sound of each track, the sources, and their
 * description.
 */
export async function keepRecording(
	request: RecordingRequest,
	folder: string,
	tracks: ReadonlyArray<{ track: RecordingTrack; levelled: LevelledSource }>,
	draft: Draft,
	signal?: AbortSignal,
): Promise<KeptRecording> {
	const seconds = tracks.reduce((sum, { track: { sound } }) => sum + lengthOf(sound), 0);
	const peaksPerSecond = Math.min(PEAKS_PER_SECOND, MOST_PEAKS / seconds);
	const kept: KeptTrack[] = [];
	for (const [index, finished] of tracks.entries()) {
		kept.push(await keepTrack(finished, index, { request, folder, peaksPerSecond }, signal));
	}
	const { heard } = request;
	const recording: KeptRecording = {
		mode: request.config.muted ? 'mute' : 'cut',
		...draft,
		heard: heard && { ...heard, words: [...heard.words] },
		tracks: kept,
	};
	return await describe(folder, recording);
}

/** Keeps one track: a copy of its source, its uncut sound, and what a page shows of it. */
async function keepTrack(
	{ track, levelled }: { track: RecordingTrack; levelled: LevelledSource },
	index: number,
	own: { request: RecordingRequest; folder: string; peaksPerSecond: number },
	signal?: AbortSignal,
): Promise<KeptTrack> {
	const { request, folder, peaksPerSecond } = own;
	const { source, info, sourceFrames, picture, sound, notes } = track;
	const { sampleRateHz, channels, frames } = sound;
	const sourceName = `source-${index + 1}${dottedExtensionOf(source.name)}`;
	const meter = new WaveformMeter(sound, Math.ceil(lengthOf(sound) * peaksPerSecond));
	await linkOrCopy(source.path, join(folder, sourceName));
	await packSound(meter.metered, folder, index, signal);
	const { beforeLufs = 0, afterLufs = 0 } = levelled.loudness ?? {};
	// Levelling asks for the music of an only track.
	const mayHaveMusic = request.config.normalize && request.sources.length === 1;
	return {
		...{ name: source.name, sourceName, sampleRateHz, channels, frames },
		...{ info, sourceFrames, picture, notes },
		music: mayHaveMusic ? await track.findMusic() : [],
		outline: await track.outline(),
		gainDb: afterLufs - beforeLufs,
		...bytePeaksOf(meter.waveform()),
	};
}

/** Describes a kept recording whose cuts were changed; its folder already has all other files. */
export async function describeAgain(
	folder: string,
	kept: KeptRecording,
	draft: Draft,
): Promise<KeptRecording> {
	return await describe(folder, { ...kept, ...draft });
}

/** Replaces the file, which may be a link to that of another edit. */
async function describe(folder: string, recording: KeptRecording): Promise<KeptRecording> {
	const path = join(folder, KEPT_FILE_NAME);
	await rm(path, { force: true });
	await writeFile(path, JSON.stringify(recording));
	return recording;
}

/** Opens the tracks that an earlier run kept. Nothing of their sound is decoded or enhanced again. */
export async function keptTracks(
	{ sources, workFolder }: RecordingRequest,
	{ kept, folder }: Decided,
	signal?: AbortSignal,
): Promise<RecordingTrack[]> {
	const tracks: RecordingTrack[] = [];
	for (const [index, track] of kept.tracks.entries()) {
		const trackFolder = join(workFolder, `track-${index + 1}`);
		await mkdir(trackFolder);
		const source = sources[index];
		const { info, sourceFrames, picture, notes, music, outline } = track;
		const { metadata } = await readMetadata(source.path, trackFolder, signal);
		tracks.push({
			...{ source, info, sourceFrames, picture, metadata, notes, workFolder: trackFolder },
			sound: await unpackedTrack(track, index, { folder, workFolder: trackFolder }, signal),
			findMusic: () => Promise.resolve(music),
			outline: () => Promise.resolve(outline),
		});
	}
	return tracks;
}

/** Unpacks a track to a file, for the many readers of a rendering. */
async function unpackedTrack(
	{ sampleRateHz, channels, frames }: KeptTrack,
	track: number,
	{ folder, workFolder }: { folder: string; workFolder: string },
	signal?: AbortSignal,
): Promise<PcmSource> {
	const format = { sampleRateHz, channels, frames };
	const path = join(workFolder, 'kept.f32');
	await using writer = await PcmWriter.create(path);
	const whole = { track, start: 0, end: frames, pathOf: (name: string) => join(folder, name) };
	const file = { set: (bytes: Uint8Array, place: number) => writer.write(bytes, place) };
	await unpackSound(format, whole, file, signal);
	return pcmSourceOf({ ...format, path });
}

function lengthOf({ frames, sampleRateHz }: { frames: number; sampleRateHz: number }): number {
	return frames / sampleRateHz;
}

function bytePeaksOf({ peaks, secondsPerPeak }: Waveform) {
	const bytes = Int8Array.from(peaks, (peak) => Math.round(peak * 127));
	const text = Buffer.from(bytes.buffer).toString('base64');
	return { peaks: text, peaksPerSecond: 1 / secondsPerPeak };
}
