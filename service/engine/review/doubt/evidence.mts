import { likenessToFiller } from '../../detection/fillers.mts';
import { countOf, type Scene } from '../../detection/scene.mts';
import { likenessToNext } from '../../detection/stutters.mts';
import { isHum, likenessToSentences } from '../../voice/answers.mts';
import { voiceWithin } from '../../voice/silentPauses.mts';
import type { PcmFile } from '../../../media/pcmFile.mts';
import type { EditKind, IndexRange, TimeRange } from '../../../shared/timeRanges.mts';
import { HOPS_PER_SECOND } from '../../signal/levels.mts';
import type { Evidence, Reason } from './reasons.mts';

/** A cut to be doubted, in seconds of the uncut recording. */
export type Suspect = TimeRange & { readonly kind: EditKind };

/*
 * All figures here were chosen on the people and actors of the evaluation's tuning half (`npm run eval -w service --
 * doubtful --tuning`): there, something speaks against all of 30 wrong cuts, and against 4 of some 300 right ones.
 */

/** So much speech in a cut is a part of a word, hops; in a short cut, this share of it. */
const PART_OF_WORD_HOPS = 12;
const SPEECH_SHARE = 0.75;

/** The same for the network that hears voices: above this it hears one, for so many of its moments of 32 ms. */
const CERTAIN_VOICE = 0.5;
const PART_OF_WORD_MOMENTS = 4;

/** So far beyond its limit a sound surely is no filler, and is not said again, as a share of that limit. */
const CLEAR_EXCESS = 0.5;

/** Below the first, the voice of a filler begins to be another one than that of the sentences; below the second it is. */
const OWN_VOICE = 0.09;
const OTHER_VOICE = -0.03;

/**
 * Returns the evidence against each of some cuts that one track has.
 *
 * @param input the recording as it came, 16 kHz.
 * @throws the signal's reason when aborted.
 */
export async function evidenceIn(
	suspects: readonly Suspect[],
	scene: Scene,
	input: PcmFile,
	signal?: AbortSignal,
): Promise<Evidence[][]> {
	const found = suspects.map((suspect) => evidenceOfKind(scene, suspect));
	const own = suspects.filter((suspect) => isIn(scene, suspect));
	const hums = own.filter(isHum);
	const voices = await likenessToSentences(hums, scene, input, signal);
	const add = (suspect: Suspect, reason: Reason, strength: number) => {
		found[suspects.indexOf(suspect)].push({ reason, strength });
	};
	for (const [at, hum] of hums.entries()) {
		add(hum, 'other_voice', (OWN_VOICE - voices[at]) / (OWN_VOICE - OTHER_VOICE));
	}
	const pauses = own.filter(({ kind }) => kind === 'long_silence');
	for await (const { range, voice } of voiceWithin(pauses, input, signal)) {
		const heard = voice.filter((likely) => likely > CERTAIN_VOICE).length;
		add(range, 'speech', heard / PART_OF_WORD_MOMENTS);
	}
	return found;
}

/** What the levels and spectra of a track say. */
function evidenceOfKind(scene: Scene, suspect: Suspect): Evidence[] {
	if (!isIn(scene, suspect)) return [];
	const hops = hopsOf(suspect, scene);
	const { kind } = suspect;
	if (kind === 'stutter') {
		return [{ reason: 'not_repeated', strength: -likenessToNext(scene, hops) / CLEAR_EXCESS }];
	}
	if (isHum(suspect)) {
		return [{ reason: 'changes', strength: -likenessToFiller(scene, hops) / CLEAR_EXCESS }];
	}
	const part = Math.min(PART_OF_WORD_HOPS, SPEECH_SHARE * (hops.end - hops.start));
	return [{ reason: 'speech', strength: countOf(scene.isSpeech, hops.start, hops.end) / part }];
}

/** Whether a track, which may be shorter than others, has anything of a cut. */
function isIn(scene: Scene, suspect: Suspect): boolean {
	const { start, end } = hopsOf(suspect, scene);
	return end > start;
}

/** The hops of a cut that a track has. */
export function hopsOf({ startSeconds, endSeconds }: TimeRange, { hops }: Scene): IndexRange {
	const [start, end] = [startSeconds, endSeconds].map((seconds) =>
		Math.min(hops, Math.round(seconds * HOPS_PER_SECOND)),
	);
	return { start, end };
}
