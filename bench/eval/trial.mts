import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { resolveEditConfig } from '../../service/shared/contract.mts';
import { findEdits } from '../../service/engine/findEdits.mts';
import { reduceNoiseLegacy } from '../../service/engine/denoise/reduceNoiseLegacy.mts';
import { readTrack, type Track } from '../../service/engine/track.mts';
import type { PcmFile } from '../../service/media/pcmFile.mts';
import { damageTo, type Damage } from './damage.mts';
import { loudnessFigures, noiseFigures, wholeOf, type NoiseFigures } from './enhancement.mts';
import type { KnownRecording } from './recording.mts';
import { installedRivals, writeWav } from './rivals.mts';
import { tallyOf, type Tally } from './score.mts';
import type { Scene } from './sets.mts';
import { RATE_HZ } from './signals.mts';
import type { EditKind, TimelineEdit } from '../../service/shared/timeRanges.mts';

/** What is judged together: hesitations are fillers that are short. */
export const JUDGED: Readonly<Record<string, readonly EditKind[]>> = {
	long_silences: ['long_silence'],
	mouth_sounds: ['mouth_sound'],
	breath: ['breath'],
	stutters: ['stutter'],
	'fillers + hesitations': ['filler', 'hesitation'],
};

/** Finds every kind of event. */
export const CONFIG = resolveEditConfig({
	fillers: true,
	hesitations: true,
	long_silences: true,
	stutters: true,
	mouth_sounds: true,
	breath: true,
});

/** How well everything was found in a recording. */
export interface Judgement {
	tallies: Record<string, Tally>;
	damage: Damage;
}

/** What a scene showed. */
export interface SceneResult extends Judgement {
	rivals: { name: string; tally: Tally; damage: Damage }[];
	noise: { none: NoiseFigures; v2: NoiseFigures; legacy: NoiseFigures };
	loudness: { errorLu: number; truePeakDbtp: number };
}

/** Puts a scene through the engine and through what people use today. */
export async function trial({ recording }: Scene, folder: string): Promise<SceneResult> {
	const track = await trackOf(recording, join(folder, 'scene'));
	const { pcm, clean: v2 } = track;
	const legacy = await reduceNoiseLegacy(pcm, join(folder, 'legacy.f32'));
	const edits = await findEdits(CONFIG, [track]);
	return {
		...judgementOf(recording, edits),
		rivals: await rivalsOn(recording, pcm, folder),
		noise: {
			none: noiseFigures(recording, recording.samples),
			v2: noiseFigures(recording, await wholeOf(v2)),
			legacy: noiseFigures(recording, await wholeOf(legacy)),
		},
		loudness: await loudnessFigures(pcm, folder),
	};
}

/** Puts a conversation on two tracks through the engine: one list of edits for both. */
export async function trialOfTracks(
	recordings: readonly KnownRecording[],
	folder: string,
): Promise<Judgement[]> {
	const tracks: Track[] = [];
	for (const [index, recording] of recordings.entries()) {
		tracks.push(await trackOf(recording, join(folder, `track-${index}`)));
	}
	const edits = await findEdits(CONFIG, tracks);
	const together = { events: recordings.flatMap(({ events }) => events) };
	return recordings.map(({ speech }) => judgementOf({ ...together, speech }, edits));
}

function judgementOf(
	{ events, speech }: Pick<KnownRecording, 'events' | 'speech'>,
	edits: readonly TimelineEdit[],
): Judgement {
	const tallies = Object.fromEntries(
		Object.entries(JUDGED).map(([name, kinds]) => [name, tallyOf(kinds, events, edits)]),
	);
	return { tallies, damage: damageTo(speech, edits) };
}

/** The rivals take out silences only. */
async function rivalsOn({ events, speech }: KnownRecording, pcm: PcmFile, folder: string) {
	const wavPath = join(folder, 'scene.wav');
	await writeWav(pcm, wavPath);
	const results: SceneResult['rivals'] = [];
	for (const rival of installedRivals()) {
		const spans = await rival.cutsIn(wavPath);
		const cuts = spans.map((span) => ({ ...span, kind: 'long_silence' as const }));
		const tally = tallyOf(JUDGED.long_silences, events, cuts);
		results.push({ name: rival.name, tally, damage: damageTo(speech, cuts) });
	}
	return results;
}

/** A recording as the engine reads it: from a file, its noise reduced. */
export async function trackOf(
	{ samples }: Pick<KnownRecording, 'samples'>,
	workFolder: string,
): Promise<Track> {
	await rm(workFolder, { recursive: true, force: true });
	await mkdir(workFolder);
	const path = join(workFolder, 'samples.f32');
	await writeFile(path, samples);
	const sourcePath = join(workFolder, 'source.wav');
	await writeWav({ path, sampleRateHz: RATE_HZ, channels: 1, frames: samples.length }, sourcePath);
	return await readTrack({ sourcePath, config: CONFIG, longestSourceSeconds: 3_600, workFolder });
}
