/** `npm run eval -- <name>`: judges what the service makes of sound, and what the nodes make of its results. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { type Menu, refuse, run } from '../.ci/menu.mts';
import { type Bar, printBars } from './bars.mts';
import type { Half } from './eval/recorded/speakers.mts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		episodes: { type: 'string', default: '30' },
		figures: { type: 'boolean', default: false },
		hits: { type: 'boolean', default: false },
		quick: { type: 'boolean', default: false },
		seed: { type: 'string' },
		'speech-model': { type: 'string' },
		tuning: { type: 'boolean', default: false },
	},
});

interface Evaluation {
	readonly about: string;
	/** The Debian packages that it needs, as .ci/packages names them. */
	readonly packages?: 'eval' | 'slow';
	/** Loads its code late, so that one evaluation does not need what another one imports. */
	readonly run: (folder: string) => Promise<Bar[]>;
}

/** The detectors were tuned on seeds 1 to 4 and looked at with 101 and 202; the figures that count come from here. */
const JUDGED_SEED = 303;

const seedOr = (usual: number) => Number(values.seed ?? usual);

/** Half of the people are for tuning, and the figures come from the other half. */
function halfOr(usual: Half): Half {
	if (values.tuning) return 'tuning';
	return values.figures ? 'figures' : usual;
}

const EVALUATIONS: Menu<Evaluation> = {
	generated: {
		about: 'edits of recordings made from a seed; -- generated --quick, --seed N, --hits',
		run: async (folder) => {
			const { judgeGenerated } = await import('./eval/generated/judgeGenerated.mts');
			return await judgeGenerated({ ...values, seed: seedOr(JUDGED_SEED) }, folder);
		},
	},
	recorded: {
		about: 'edits of recordings of real people; -- recorded --quick, --tuning, --seed N, --hits',
		packages: 'eval',
		run: async (folder) => {
			const { judgeRecorded } = await import('./eval/recorded/judgeRecorded.mts');
			const options = { ...values, seed: seedOr(1), half: halfOr('figures') };
			return await judgeRecorded(options, folder);
		},
	},
	denoising: {
		about: 'the noise removal, with real people; -- denoising --figures, --seed N',
		packages: 'eval',
		run: async (folder) => {
			const { denoisingBars } = await import('./eval/noise/denoising.mts');
			return await denoisingBars(halfOr('tuning'), seedOr(1), folder);
		},
	},
	transcription: {
		about:
			'the words that a recogniser gets wrong; -- transcription --tuning, --speech-model <file>',
		packages: 'eval',
		run: async (folder) => {
			const { transcriptionBars } = await import('./eval/speech/transcription.mts');
			const { chooseTextTools } = await import('../service/text/textTools.mts');
			const speechModel = values['speech-model'];
			const none = { transcription: undefined, chat: undefined, modelFolder: folder };
			const { transcriber } = await chooseTextTools({ ...none, speechModel }, console.log);
			if (transcriber === undefined) throw new Error('Install pocketsphinx-en-us, or give a model');
			return await transcriptionBars(halfOr('figures'), transcriber, folder);
		},
	},
	metadata: {
		about: 'tags, cover and chapters that edits keep',
		run: async (folder) => {
			const { metadataBar } = await import('./eval/metadata/keptMetadata.mts');
			return [await metadataBar(folder)];
		},
	},
	formats: {
		about: "every output of Get Result, read by other people's readers; -- formats --episodes 10",
		packages: 'slow',
		run: async () => {
			const { formatsBar } = await import('./formats/formatsBar.mts');
			return [await formatsBar(Number(values.episodes))];
		},
	},
};

const [name = 'list'] = positionals;
if (Object.hasOwn(EVALUATIONS, name)) {
	const { packages, run: evaluate } = EVALUATIONS[name];
	if (packages !== undefined) run(`.ci/packages ${packages}`, []);
	const folder = await mkdtemp(join(tmpdir(), 'eval-'));
	try {
		printBars(await evaluate(folder));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
} else {
	refuse('npm run eval', EVALUATIONS, name);
}
