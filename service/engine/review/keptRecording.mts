import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { dottedExtensionOf } from '../../shared/fileNames.mts';
import { linkOrCopy } from '../../shared/linkOrCopy.mts';
import { WaveformMeter, type Waveform } from '../export/waveform.mts';
import type { LeveledSource } from '../level/normalizeLoudness.mts';
import { probe } from '../../media/probe.mts';
import { besidesSound, type RecordingTrack } from '../recordingTrack.mts';
import { fadeSecondsOf } from '../timeline.mts';
import type { Decided, RecordingRequest } from '../types.mts';
import { KEPT_FILE_NAME, type KeptRecording } from './keptSchema.mts';
import { packSound, unpackSound } from './keptSound.mts';

/** Pairs of peaks a second, and for all tracks: together about half a megabyte as text. */
const PEAKS_PER_SECOND = 50;
const MAX_PEAKS = 200_000;

type KeptTrack = KeptRecording['tracks'][number];

/** What is known of a draft. */
type Draft = Pick<KeptRecording, 'cuts' | 'doubts' | 'loudness' | 'sampleRateHz' | 'samples'>;

/**
 * Keeps what a review needs in the review folder, if there is one: the uncut sound of each track, the sources, and
 * their description. Of a recording that was kept before, it only describes the new draft.
 */
export async function keepRecording(
	request: RecordingRequest,
	finished: ReadonlyArray<{ track: RecordingTrack; leveled: LeveledSource }>,
	draft: Draft,
	signal?: AbortSignal,
): Promise<KeptRecording | undefined> {
	const { config, decided, local, recognized, reviewFolder: folder } = request;
	if (folder === undefined) return undefined;
	const tracks: KeptTrack[] = [...(decided?.kept.tracks ?? [])];
	const allSeconds = (finished.length * draft.samples) / draft.sampleRateHz;
	const peaksPerSecond = Math.min(PEAKS_PER_SECOND, MAX_PEAKS / allSeconds);
	for (const [index, one] of finished.slice(tracks.length).entries()) {
		tracks.push(await keepTrack(one, index, { request, folder, peaksPerSecond }, signal));
	}
	const mode = config.muted ? 'mute' : 'cut';
	const fadeSeconds = fadeSecondsOf(local);
	const kit = decided?.kept.kit ?? (await keepKit(request, folder));
	const recording: KeptRecording = { mode, fadeSeconds, ...draft, heard: recognized, tracks, kit };
	const path = join(folder, KEPT_FILE_NAME);
	// It may be a link to that of another edit.
	await rm(path, { force: true });
	await writeFile(path, JSON.stringify(recording));
	return recording;
}

/** Keeps the files of the show. */
async function keepKit({ kit = [] }: RecordingRequest, folder: string) {
	const kept: KeptRecording['kit'] = [];
	for (const [index, { source }] of kit.entries()) {
		const fileName = `kit-${index + 1}${dottedExtensionOf(source.name)}`;
		await linkOrCopy(source.path, join(folder, fileName));
		kept.push({ name: source.name, fileName });
	}
	return kept;
}

/** Keeps one track: a copy of its source, its uncut sound, and what a page shows of it. */
async function keepTrack(
	{ track, leveled }: { track: RecordingTrack; leveled: LeveledSource },
	index: number,
	own: { request: RecordingRequest; folder: string; peaksPerSecond: number },
	signal?: AbortSignal,
): Promise<KeptTrack> {
	const { request, folder, peaksPerSecond } = own;
	const { source, sourceFrames, sound, notes, noiseLoweredDb } = track;
	const { sampleRateHz, channels, frames } = sound;
	const sourceName = `source-${index + 1}${dottedExtensionOf(source.name)}`;
	const meter = new WaveformMeter(sound, Math.ceil((frames / sampleRateHz) * peaksPerSecond));
	await linkOrCopy(source.path, join(folder, sourceName));
	await packSound(meter.metered, folder, index, signal);
	const { beforeLufs = 0, afterLufs = 0 } = leveled.loudness ?? {};
	// Leveling asks for the music of an only track.
	const mayHaveMusic = request.config.normalize && request.sources.length === 1;
	return {
		name: source.name,
		sourceName,
		soundTrack: track.info.soundTrack,
		sampleRateHz,
		channels,
		frames,
		sourceFrames,
		notes,
		noiseLoweredDb,
		isHeard: track.isHeard,
		music: mayHaveMusic ? await track.findMusic() : [],
		outline: await track.outline(),
		gainDb: afterLufs - beforeLufs,
		...bytePeaksOf(meter.waveform()),
	};
}

/** Opens the tracks that an earlier run kept. Nothing of their sound is decoded or enhanced again. */
export async function keptTracks(
	{ config, sources, workFolder }: RecordingRequest,
	{ kept, folder }: Decided,
	signal?: AbortSignal,
): Promise<RecordingTrack[]> {
	const tracks: RecordingTrack[] = [];
	for (const [index, track] of kept.tracks.entries()) {
		const trackFolder = join(workFolder, `track-${index + 1}`);
		await mkdir(trackFolder);
		const source = sources[index];
		const { sourceFrames, notes, isHeard, music, outline, sampleRateHz, channels, frames } = track;
		const { noiseLoweredDb } = track;
		const format = { sampleRateHz, channels, frames };
		const info = await probe(source.path, signal, track.soundTrack);
		// The run that kept it has compared its length with the limit.
		const limits = { config, limitSeconds: Infinity };
		const read = await besidesSound(source, info, limits, trackFolder, signal);
		tracks.push({
			source,
			info,
			sourceFrames,
			picture: read.picture,
			metadata: read.metadata,
			notes,
			noiseLoweredDb,
			workFolder: trackFolder,
			sound: await unpackSound(format, index, { folder, workFolder: trackFolder }, signal),
			isHeard,
			findMusic: () => Promise.resolve(music),
			outline: () => Promise.resolve(outline),
		});
	}
	return tracks;
}

function bytePeaksOf({ peaks, secondsPerPeak }: Waveform) {
	const bytes = Int8Array.from(peaks, (peak) => Math.round(peak * 127));
	const text = Buffer.from(bytes.buffer).toString('base64');
	return { peaks: text, peaksPerSecond: 1 / secondsPerPeak };
}
