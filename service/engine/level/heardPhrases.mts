import { PcmReader, type PcmFile } from '../../media/pcmFile.mts';
import { MonoMix } from '../../media/monoMix.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import { voicingOf } from '../detection/voicing.mts';
import { energyDb, energyOf, HOP_FRAMES, HOPS_PER_SECOND } from '../signal/levels.mts';
import { VOICE_SECONDS, voicesOfSounds } from '../voice/searchVoices.mts';
import type { Phrase } from './phraseLevels.mts';

/** A shorter phrase does not show whose voice it is, seconds. */
const MIN_HEARD_SECONDS = 0.5;

/** Most moments that are heard, evenly over all that is said. */
const MAX_MOMENTS = 4_000;

/** Voicing is looked at in pieces of 40 ms no softer than this below the phrase, dB. */
const PIECE_HOPS = 4;
const PIECE_DEPTH_DB = 10;

/** A piece has a voice from this on; a whisper has one in fewer than this share of its pieces. */
const MIN_VOICING = 0.6;
const MIN_VOICED_SHARE = 0.12;

/** How much a whisper shows whose voice it is, of what a voice shows. */
const UNVOICED_WEIGHT = 0.3;

/** A moment of a phrase: what describes its voice, and how much it counts. */
export interface Moment {
	readonly voice: Float32Array;
	/** 1 for as much as the encoder hears at a time, less in whispers. */
	readonly weight: number;
	/** In hops. */
	readonly middle: number;
}

/** A phrase in which somebody has listened to the voice. */
export interface HeardPhrase extends Phrase {
	/** None in what is too short. */
	readonly moments: readonly Moment[];
	/** Whether vocal folds sound in it: not in whispers and breaths. */
	readonly isVoiced: boolean;
}

/**
 * Listens to whose voice is in each phrase.
 *
 * @param input 16 kHz; several channels are mixed.
 * @throws the signal's reason when aborted.
 */
export async function heardPhrases(
	input: PcmFile,
	phrases: readonly Phrase[],
	signal?: AbortSignal,
): Promise<HeardPhrase[]> {
	const voiced: boolean[] = [];
	{
		await using reader = await PcmReader.open(input);
		for (const phrase of phrases) {
			signal?.throwIfAborted();
			const { start, end } = samplesIn(phrase, input);
			const mono = new MonoMix(input).mixed(await reader.read(start, end - start));
			voiced.push(isVoiced(mono));
		}
	}
	const seconds = phrases.reduce((sum, { start, end }) => sum + (end - start), 0) / HOPS_PER_SECOND;
	const stepSeconds = Math.max(VOICE_SECONDS, seconds / MAX_MOMENTS);
	const sounds = phrases.map((phrase) => soundsIn(phrase, stepSeconds));
	const all = sounds.flat();
	const voices = await voicesOfSounds(
		input,
		all.map((sound) => samplesIn(sound, input)),
		signal,
	);
	let next = 0;
	return phrases.map((phrase, at) => ({
		...phrase,
		isVoiced: voiced[at],
		moments: sounds[at].map(({ start, end }) => ({
			voice: voices[next++],
			weight:
				(voiced[at] ? 1 : UNVOICED_WEIGHT) *
				Math.min(1, (end - start) / HOPS_PER_SECOND / VOICE_SECONDS),
			middle: Math.round((start + end) / 2),
		})),
	}));
}

/** What to listen to in a phrase, evenly, in hops. */
function soundsIn({ start, end }: Phrase, stepSeconds: number): IndexRange[] {
	const hops = end - start;
	const window = Math.floor(VOICE_SECONDS * HOPS_PER_SECOND);
	if (hops < MIN_HEARD_SECONDS * HOPS_PER_SECOND) return [];
	if (hops <= window) return [{ start, end }];
	const count = Math.max(1, Math.round(hops / HOPS_PER_SECOND / stepSeconds));
	return Array.from({ length: count }, (_, at) => {
		const first = start + Math.round(((at + 0.5) * (hops - window)) / count);
		return { start: first, end: first + window };
	});
}

function samplesIn({ start, end }: IndexRange, { frames }: PcmFile): IndexRange {
	return {
		start: Math.min(frames, start * HOP_FRAMES),
		end: Math.min(frames, end * HOP_FRAMES),
	};
}

/** Whether enough of the loud parts of a sound are periodic. */
function isVoiced(samples: Float32Array): boolean {
	const length = PIECE_HOPS * HOP_FRAMES;
	const pieces: { db: number; at: number }[] = [];
	for (let at = 0; at + length <= samples.length; at += length) {
		pieces.push({ db: energyDb(energyOf(samples, at, at + length) / length), at });
	}
	const loudestDb = pieces.reduce((most, { db }) => Math.max(most, db), -Infinity);
	const loud = pieces.filter(({ db }) => db > loudestDb - PIECE_DEPTH_DB);
	const voiced = loud.filter(({ at }) => {
		return voicingOf(samples.slice(at, at + length)).strength >= MIN_VOICING;
	});
	return voiced.length >= MIN_VOICED_SHARE * loud.length;
}
