import { globSync } from 'node:fs';

import { addAt } from '../../../testkit/media/signals.mts';
import { decodeTakes } from '../recorded/decodeTakes.mts';
import { type Take, takesWithin } from '../recorded/takes.mts';

const DRASCULA = '/usr/share/scummvm/drascula/en';

/** Actors of a game who tuned nothing, and whom no other evaluation uses: where they are recorded. */
const RECORDINGS: Readonly<Record<string, string>> = {
	Hacker: `${DRASCULA}/[1-9]*.ALS`,
	'von Braun': `${DRASCULA}/VB*.ALS`,
	Drascula: `${DRASCULA}/D[1-9]*.ALS`,
	Igor: `${DRASCULA}/I[1-9]*.ALS`,
	'B. J.': `${DRASCULA}/BJ*.ALS`,
	innkeeper: `${DRASCULA}/T*.ALS`,
	Lucas: `${DRASCULA}/L*.ALS`,
};

/** What is said in one breath, in seconds. */
const SENTENCE_SECONDS = [1.2, 9] as const;

/** Somebody who speaks into the microphone of a show. */
export interface Voice {
	readonly name: string;
	/** Speech at RMS 1, 48 kHz. */
	readonly sentences: readonly Take[];
}

/** What somebody says, and when, in frames. */
export interface Placed {
	readonly person: number;
	readonly start: number;
	readonly samples: Float32Array;
	readonly gain: number;
}

/** What each of two people says, without the other. */
export function aloneOf(placed: readonly Placed[], length: number): Float32Array[] {
	return [0, 1].map((person) => {
		const samples = new Float32Array(length);
		for (const one of placed.filter((it) => it.person === person)) {
			addAt(samples, one.samples, one.start, one.gain);
		}
		return samples;
	});
}

/** The voices of the show, each with what it says. */
export async function showVoices(): Promise<Voice[]> {
	const voices: Voice[] = [];
	for (const [name, pattern] of Object.entries(RECORDINGS)) {
		const prompts = globSync(pattern)
			.sort()
			.map((path) => ({ path }));
		if (prompts.length === 0) throw new Error(`Run .ci/packages eval: there is no ${pattern}`);
		const { takes } = await decodeTakes({ name, language: 'und', half: 'figures', prompts });
		voices.push({ name, sentences: takesWithin(takes, ...SENTENCE_SECONDS) });
	}
	return voices;
}
