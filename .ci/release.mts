/** `npm run release -- <name>`: the steps of a release, see docs/development/releases.md. */
import { type Menu, runChosen } from './menu.mts';

const STEPS: Menu = {
	owner: {
		about: 'names what only the owner can do: repository, author, mailbox, names on npm',
		command: 'node --import tsx .ci/owner.mts',
	},
	check: {
		about: 'lists what is left to do; -- check service-v0.2.0 for one package and its tag',
		command: 'node --import tsx .ci/releaseCheck.mts',
	},
	pack: {
		about: 'packs for npm, into this folder; -- pack service-v0.2.0 for one package',
		command: 'node --import tsx .ci/pack.mts',
	},
};

runChosen('npm run release', STEPS);
