import type { Bar } from '../../../testkit/measure/bars.mts';
import { breathBars } from './breaths.mts';
import { mergedTrackBars } from './mergedTracks.mts';
import { mutingBars } from './muting.mts';
import { pauseBars } from './pauses.mts';
import { speakerLevelBars } from './speakerLevels.mts';
import { twoMicrophoneBars } from './twoMicrophones.mts';
import { showVoices } from './voices.mts';

/** Judges what a show needs, on voices that tuned nothing. */
export async function showBars(folder: string): Promise<Bar[]> {
	const voices = await showVoices();
	return [
		...(await pauseBars(voices, folder)),
		...(await mutingBars(voices, folder)),
		...(await twoMicrophoneBars(voices, folder)),
		...(await breathBars(voices, folder)),
		...(await speakerLevelBars(voices, folder)),
		...(await mergedTrackBars(voices, folder)),
	];
}
