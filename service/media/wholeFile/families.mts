import { aiffFamily, CAF } from './appleFamilies.mts';
import { AU } from './auFamily.mts';
import type { Family } from './family.mts';
import type { FileBytes } from './fileBytes.mts';
import { WAVE, WAVE64, waveFamily } from './waveFamilies.mts';

const FAMILIES: readonly Family[] = [
	WAVE,
	waveFamily('RF64', false),
	waveFamily('BW64', false),
	waveFamily('RIFX', true),
	WAVE64,
	aiffFamily('AIFF'),
	aiffFamily('AIFC'),
	CAF,
	AU,
];

/** Returns the family of the file that begins at a position; undefined if none does. */
export async function familyAt(bytes: FileBytes, at: number): Promise<Family | undefined> {
	const head = await bytes.at(at, 40);
	return FAMILIES.find(({ beginning, name, headBytes }) => {
		const rest = head.subarray(name.at, name.at + name.text.length);
		const begins = head.subarray(0, beginning.length).equals(beginning);
		return head.length >= headBytes && begins && rest.equals(name.text);
	});
}
