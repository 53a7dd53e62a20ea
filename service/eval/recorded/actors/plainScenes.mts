import { basename, dirname } from 'node:path';

import { Chance } from '../../../../testkit/measure/chance.mts';
import type { Scene } from '../../scene.mts';
import { soundFiles, soundOf } from '../soundFiles.mts';
import type { Half } from '../speakers.mts';
import { sceneOf } from './actorScenes.mts';

/** The condition of these scenes. */
export const PLAIN_LINES = 'actors, Czech or Dutch';

/** The same lines of a game about two fish, said by Czech actors to tune, and by Dutch ones to judge. */
const LANGUAGES: Readonly<Record<Half, string>> = { tuning: 'cs', figures: 'nl' };

/** Lines that begin with "hmm", or hold an "uh", in the script of either language. */
const WITH_FILLERS = new Set([
	'1st-m-hmmm',
	'bar-m-pobit',
	'dr-4-hmmm',
	'gr-m-vsechny0',
	'gr-v-nic2',
	'jes-v-tojo',
	'ka2-m-diky',
	'ka2-m-tezko',
	'ncp-v-neprojedu',
	'poc-v-kam0',
	'poc-v-vyresil',
	'rd-3-5',
	'poh-m-dobryden1',
	'pra-v-zapeklita',
	'sl-m-tehdy',
	'tet-m-lepe',
	'tru-v-nejspis',
]);

/** How many levels of the game are heard; each has about 20 lines. */
const LEVELS = 20;

/**
 * What actors say in a game without one filler: they draw out vowels, whisper and shout, and all of it stays.
 * The lines of a level are one scene.
 */
export async function* plainScenes(half: Half, seed: number): AsyncGenerator<Scene> {
	const chance = new Chance(seed);
	const paths = soundFiles(`/usr/share/games/fillets-ng/sound/*/${LANGUAGES[half]}/*.ogg`);
	const levels = [...Map.groupBy(paths, dirname)];
	for (let level = 0; level < LEVELS; level++) {
		const [[folder, files]] = levels.splice(chance.whole(0, levels.length - 1), 1);
		const lines = files.filter((path) => !WITH_FILLERS.has(basename(path, '.ogg')));
		const sounds = await Promise.all(lines.map(async (path) => await soundOf(path)));
		const scene = sceneOf(
			folder,
			sounds.map((samples) => ({ samples })),
			chance,
		);
		yield { ...scene, condition: PLAIN_LINES, isEventful: false };
	}
}
