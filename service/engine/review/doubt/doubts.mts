import { FAINTEST_SPEECH_DB, sceneOf, type Scene } from '../../detection/scene.mts';
import { featuresOf, USUAL_FEATURES } from '../../recordingFeatures.mts';
import { endThreads } from '../../threads/engineThreads.mts';
import type { PcmFile } from '../../../media/pcmFile.mts';
import type { Cut } from '../../../shared/cuts.mts';
import type { CutScale } from '../cutEdits.mts';
import { evidenceIn, hopsOf, type Suspect } from './evidence.mts';
import { doubtFrom, type Doubt, type Evidence } from './reasons.mts';

/**
 * Returns how doubtful each cut of the engine is. What the detectors were sure of is not enough: each measures something
 * else. So every cut is heard again, for what would speak against its kind: speech in a pause, a filler that changes as
 * a word does or is in another voice, a stutter that is not said again.
 *
 * @param recordings of the tracks as they came, 16 kHz.
 * @throws the signal's reason when aborted.
 */
export async function doubtsOf(
	cuts: readonly Cut[],
	{ sampleRateHz }: Pick<CutScale, 'sampleRateHz'>,
	recordings: readonly PcmFile[],
	signal?: AbortSignal,
): Promise<Doubt[]> {
	const known = cuts.filter(({ sure }) => sure !== null);
	if (known.length === 0) return [];
	const suspects = known.map(({ kind, start, end }): Suspect => {
		return { kind, startSeconds: start / sampleRateHz, endSeconds: end / sampleRateHz };
	});
	const found: TrackEvidence[] = [];
	try {
		for (const recording of recordings) {
			found.push(await heardIn(suspects, recording, signal));
		}
	} finally {
		await endThreads();
	}
	return known.map(({ start, end, sure }, at) => ({
		start,
		end,
		...doubtFrom(sure ?? 0, strongestOf(suspects[at], at, found)),
	}));
}

/** What one track says about all cuts. */
interface TrackEvidence {
	/** Empty for a track without speech. */
	readonly evidence: readonly (readonly Evidence[])[];
	/** How loud each cut is in it against its speech, dB. */
	readonly loudness: readonly number[];
}

async function heardIn(
	suspects: readonly Suspect[],
	recording: PcmFile,
	signal?: AbortSignal,
): Promise<TrackEvidence> {
	const features = await featuresOf(recording, USUAL_FEATURES, signal);
	const scene = sceneOf({ raw: features, denoised: features });
	const loudness = suspects.map((suspect) => loudnessIn(scene, suspect));
	if (scene.rawSpeechDb < FAINTEST_SPEECH_DB) return { evidence: [], loudness };
	return { evidence: await evidenceIn(suspects, scene, recording, signal), loudness };
}

function loudnessIn(scene: Scene, suspect: Suspect): number {
	if (scene.rawSpeechDb < FAINTEST_SPEECH_DB) return -Infinity;
	const { start, end } = hopsOf(suspect, scene);
	const loudest = scene.rawDb.subarray(start, end).reduce((a, b) => Math.max(a, b), -Infinity);
	return loudest - scene.rawSpeechDb;
}

/** Of several tracks, what is said wrongly or again is on the one where it is loudest; speech may be on any. */
function strongestOf({ kind }: Suspect, at: number, tracks: readonly TrackEvidence[]): Evidence[] {
	const isSpoken = kind === 'filler' || kind === 'hesitation' || kind === 'stutter';
	if (!isSpoken) return tracks.flatMap(({ evidence }) => evidence.at(at) ?? []);
	const [own] = tracks.toSorted((a, b) => b.loudness[at] - a.loudness[at]);
	return [...(own.evidence.at(at) ?? [])];
}
