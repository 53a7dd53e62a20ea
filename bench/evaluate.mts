/** `npm run eval -- <name>`: judges what the service makes of sound, and what the nodes make of its results. */
import { type Menu, runChosen } from '../.ci/menu.mts';

const NODE = 'node --import tsx';
const PACKAGES = '.ci/packages eval';

const EVALUATIONS: Menu = {
	generated: {
		about: 'edits of recordings made from a seed; -- generated --quick, --seed N',
		command: `${NODE} bench/eval/evalGenerated.mts`,
	},
	recorded: {
		about: 'edits of recordings of real people; -- recorded --quick, --tuning, --seed N, --hits',
		command: `${PACKAGES} && ${NODE} bench/evalReal.mts`,
	},
	denoising: {
		about: 'the noise removal, with real people; -- denoising --figures, --seed N',
		command: `${PACKAGES} && ${NODE} bench/eval/evalDenoising.mts`,
	},
	transcription: {
		about: 'the words that the offline recogniser gets wrong; -- transcription --tuning',
		command: `${PACKAGES} && ${NODE} bench/eval/evalTranscription.mts`,
	},
	metadata: {
		about: 'tags, cover and chapters that edits keep',
		command: `${NODE} bench/evalReal/evalMetadata.mts`,
	},
	formats: {
		about: "every output of Get Result, read by other people's readers; -- formats --episodes 10",
		command: `.ci/packages slow && ${NODE} bench/formats.mts`,
	},
};

runChosen('npm run eval', EVALUATIONS);
