/** `npm run release -- <name>`: the steps of a release, see CONTRIBUTING.md#how-to-release. */
import { type Menu, runChosen } from './menu.mts';

const STEPS: Menu = {
	version: {
		about: 'raises the versions as the change files ask for, and dates the changelogs',
		command: 'node --import tsx .ci/releaseVersion.mts',
	},
	pack: {
		about: 'packs for npm, into this folder; -- pack service-v0.2.0 for one package',
		command: 'node --import tsx .ci/pack.mts',
	},
	sbom: {
		about: "prints the service's packages, binaries and weights (CycloneDX)",
		command: 'node --import tsx .ci/sbom.mts',
	},
	check: {
		about: 'lists what is left to do; -- check service-v0.2.0 for one package and its tag',
		command: 'node --import tsx .ci/releaseCheck.mts',
	},
};

runChosen('npm run release', STEPS);
