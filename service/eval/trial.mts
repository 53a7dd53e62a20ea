import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findEdits, type EditWishes } from '../engine/findEdits.mts';
import { reduceNoise } from '../engine/reduceNoise.mts';
import { reduceNoiseLegacy } from '../engine/reduceNoiseLegacy.mts';
import type { EditKind, TimelineEdit } from '../engine/types.mts';
import type { PcmFile } from '../media/pcmFile.mts';
import { damageTo, type Damage } from './damage.mts';
import { loudnessFigures, noiseFigures, wholeOf, type NoiseFigures } from './enhancement.mts';
import type { KnownRecording } from './recording.mts';
import { installedRivals, writeWav } from './rivals.mts';
import { tallyOf, type Tally } from './score.mts';
import type { Scene } from './sets.mts';
import { RATE_HZ } from './signals.mts';

/** What is judged together: hesitations are fillers that are short. */
export const JUDGED: Readonly<Record<string, readonly EditKind[]>> = {
	long_silences: ['long_silence'],
	mouth_sounds: ['mouth_sound'],
	breath: ['breath'],
	stutters: ['stutter'],
	'fillers + hesitations': ['filler', 'hesitation'],
};

const EVERYTHING: EditWishes = {
	fillers: true,
	hesitations: true,
	long_silences: true,
	stutters: true,
	mouth_sounds: true,
	breath: true,
};

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
	const pcm = await pcmOf(recording, join(folder, 'scene.f32'));
	const v2 = await reduceNoise(pcm, join(folder, 'v2.f32'));
	const legacy = await reduceNoiseLegacy(pcm, join(folder, 'legacy.f32'));
	const edits = await findEdits(EVERYTHING, [{ raw: pcm, denoised: v2 }], folder);
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
	const tracks: { raw: PcmFile }[] = [];
	for (const [index, recording] of recordings.entries()) {
		tracks.push({ raw: await pcmOf(recording, join(folder, `track-${index}.f32`)) });
	}
	const edits = await findEdits(EVERYTHING, tracks, folder);
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

/** The others take out silences only. */
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

async function pcmOf({ samples }: KnownRecording, path: string): Promise<PcmFile> {
	await writeFile(path, samples);
	return { path, sampleRateHz: RATE_HZ, channels: 1, frames: samples.length };
}
