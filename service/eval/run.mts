/**
 * `npm run eval -w service -- <name>`: judges what the service makes of sound.
 * With `--url` and `--key`, two of them judge any service of this API instead of the engine here.
 */
import { parseArgs } from 'node:util';

import { type Menu, refuse, run } from '../../.ci/menu.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { type Bar, printBars } from '../../testkit/measure/bars.mts';
import { QUALITY } from '../../testkit/measure/page/page.mts';
import { writePage } from '../../testkit/measure/page/writePage.mts';
import type { Transcriber } from '../text/speech/transcriber.mts';
import type { Half } from './recorded/speakers.mts';
import type { ServiceEditor } from './editors/serviceEditor.mts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		figures: { type: 'boolean', default: false },
		hits: { type: 'boolean', default: false },
		key: { type: 'string', default: process.env.AUDIO_EDITING_KEY },
		quick: { type: 'boolean', default: false },
		seed: { type: 'string', default: '1' },
		'speech-model': { type: 'string' },
		tuning: { type: 'boolean', default: false },
		url: { type: 'string' },
		'whisper-program': { type: 'string' },
		write: { type: 'boolean', default: false },
		yes: { type: 'boolean', default: false },
	},
});

interface Evaluation {
	readonly about: string;
	/** The Debian packages that it needs, as .ci/packages names them. */
	readonly packages?: 'eval';
	/** What it sends to a service that `--url` names, if it can judge one. */
	readonly charges?: string;
	/** Loads its code late, so that one evaluation does not need what another one imports. */
	readonly run: (folder: string, service?: ServiceEditor) => Promise<Bar[]>;
}

/** Half of the people are for tuning, and the figures come from the other half. */
function halfOr(usual: Half): Half {
	if (values.tuning) return 'tuning';
	return values.figures ? 'figures' : usual;
}

const EVALUATIONS: Menu<Evaluation> = {
	recorded: {
		about: 'edits of recordings of real people; -- recorded --quick, --tuning, --seed N, --hits',
		packages: 'eval',
		charges: 'up to 228 edits, 250 minutes of sound (158 edits, 180 minutes with --quick)',
		run: async (folder, service) => {
			const { engineIn } = await import('./editors/editor.mts');
			const { judgeRecorded } = await import('./recorded/judgeRecorded.mts');
			const options = { ...values, seed: Number(values.seed), half: halfOr('figures') };
			return await judgeRecorded(options, service ?? engineIn(folder), folder);
		},
	},
	denoising: {
		about: 'the noise removal, with real people; -- denoising --figures, --seed N',
		packages: 'eval',
		charges: 'some 220 edits, 65 minutes of sound',
		run: async (folder, service) => {
			const { denoisingBars } = await import('./noise/denoising.mts');
			const { denoisersIn } = await import('./noise/noisyTalk.mts');
			const denoisers = denoisersIn(folder, service);
			return await denoisingBars(halfOr('tuning'), Number(values.seed), denoisers);
		},
	},
	noise: {
		about:
			'the noise removal beside DeepFilterNet 3, the earlier engine and others, by PESQ, ESTOI, SI-SDR and DNSMOS; ' +
			'-- noise --figures, --seed N, --quick',
		packages: 'eval',
		run: async (folder) => {
			const { comparisonBars } = await import('./noise/comparison.mts');
			const { denoisersIn } = await import('./noise/noisyTalk.mts');
			const options = {
				half: halfOr('tuning'),
				seed: Number(values.seed),
				isQuick: values.quick,
			};
			return await comparisonBars(options, denoisersIn(folder), folder);
		},
	},
	transcription: {
		about:
			'the words that a recognizer gets wrong, where they are, and what it invents; -- transcription ' +
			'--tuning, --speech-model <file>, and for one part words, times, seams, edited, tracks, speakers, ' +
			'wordless, fillers, speed or denoised',
		packages: 'eval',
		run: async (folder) => {
			const { knownWordBars } = await import('./speech/knownWords.mts');
			const { transcriptionBars } = await import('./speech/transcription.mts');
			const transcriber = await wantedRecognizer(folder);
			const half = halfOr('figures');
			if (names.includes('denoised')) return await transcriptionBars(half, transcriber, folder);
			return await knownWordBars(half, transcriber, folder, names);
		},
	},
	words: {
		about:
			'what the check of cuts by words puts back: 60 planted lost words, and clean edits; -- words ' +
			'--tuning, --speech-model <file>, and for one part planted or clean',
		packages: 'eval',
		run: async (folder) => {
			const { wordCheckBars } = await import('./wordCheck/wordCheckBars.mts');
			const recognizer = await wantedRecognizer(folder);
			return await wordCheckBars(halfOr('figures'), recognizer, folder, names);
		},
	},
	show: {
		about: 'pauses, muted words and two microphones of a show, with actors who tuned nothing',
		packages: 'eval',
		run: async (folder) => {
			const { showBars } = await import('./show/show.mts');
			return await showBars(folder);
		},
	},
	doubtful: {
		about:
			'which cuts a review shows as doubtful: of three wrong ones among forty, how many are among the five; ' +
			'-- doubtful --tuning, --seed N',
		packages: 'eval',
		run: async (folder) => {
			const { doubtfulBars } = await import('./doubtful/doubtful.mts');
			return await doubtfulBars(halfOr('figures'), Number(values.seed), folder);
		},
	},
	kit: {
		about: 'intro, outro and inserts of three shows: where everything is heard, and how loud',
		packages: 'eval',
		run: async (folder) => {
			const { kitBars } = await import('./kit/kitBars.mts');
			return await kitBars(folder);
		},
	},
	studio: {
		about:
			'studio sound beside remove_noise, by DNSMOS, and what it makes of boxy, dull and boomy voices; ' +
			'-- studio --tuning, --seed N',
		packages: 'eval',
		run: async (folder) => {
			const { studioSoundBars } = await import('./studio/studioSound.mts');
			return await studioSoundBars(halfOr('figures'), Number(values.seed), folder);
		},
	},
	tones: {
		about:
			'how much of a fault of a microphone or a room is left in 40 voices, each unknown to the engine; ' +
			'-- tones --write renews what it knows',
		packages: 'eval',
		run: async (folder) => {
			const { typicalVoiceBars } = await import('./studio/typicalVoices.mts');
			return await typicalVoiceBars(values.write, folder);
		},
	},
	'lip-sync': {
		about: 'how far apart sound and picture of eight videos are after cuts',
		run: async (folder) => {
			const { lipSyncBar, measureLipSync } = await import('./lipSync.mts');
			return [lipSyncBar(await measureLipSync(folder))];
		},
	},
	timelines: {
		about: "what other people's readers find in the timelines; -- timelines --seed N",
		run: async (folder) => {
			const { timelineBars } = await import('./timelines/readBack.mts');
			return await timelineBars(Number(values.seed), folder);
		},
	},
	metadata: {
		about: 'tags, cover and chapters that edits keep',
		run: async (folder) => {
			const { metadataBar } = await import('./metadata/keptMetadata.mts');
			return [await metadataBar(folder)];
		},
	},
};

/** The recognizer that an evaluation is to use. */
async function wantedRecognizer(folder: string): Promise<Transcriber> {
	const { chooseTextTools } = await import('../text/textTools.mts');
	const settings = {
		transcription: undefined,
		chat: undefined,
		modelFolder: folder,
		whisperProgram: values['whisper-program'],
		speechModel: values['speech-model'],
	};
	const { transcriber } = await chooseTextTools(settings, console.log);
	if (transcriber === undefined) throw new Error('Give a model: --speech-model <file>');
	return transcriber;
}

/** What measured/quality.md consists of: two sets of scenes, so that one cannot be lucky. */
const QUALITY_RUNS: Menu = Object.fromEntries(
	[
		'recorded --seed 1',
		'recorded --seed 2',
		'denoising --figures --seed 1',
		'denoising --figures --seed 2',
		'lip-sync',
	].map((run) => {
		const command = `npm run --silent eval -w service -- ${run}`;
		return [run.replaceAll(/[^a-z\d]+/g, '-'), { about: run, command }];
	}),
);

const [name = 'list', ...names] = positionals;
if (name === 'page') await writePage(QUALITY, QUALITY_RUNS, names);
else if (!Object.hasOwn(EVALUATIONS, name)) {
	const page = {
		about: `all into ${QUALITY.path}; -- page ${Object.keys(QUALITY_RUNS)[0]} only this one`,
	};
	refuse('npm run eval -w service', { ...EVALUATIONS, page }, name);
} else if (missingFor(EVALUATIONS[name]) !== undefined) {
	console.error(missingFor(EVALUATIONS[name]));
	process.exitCode = 2;
} else {
	const { packages, run: evaluate } = EVALUATIONS[name];
	if (packages !== undefined) run(`.ci/packages ${packages}`, []);
	await using temporary = await temporaryFolder();
	const folder = temporary.path;
	const { url, key = '' } = values;
	const { serviceAt } = await import('./editors/serviceEditor.mts');
	const service = url === undefined ? undefined : serviceAt(url, key, folder);
	try {
		printBars(await evaluate(folder, service));
	} finally {
		if (service) console.log(`${service.edits} edits were charged`);
	}
}

/** Returns what is missing before a service can be judged: a key, or somebody's consent to its charges. */
function missingFor({ charges }: Evaluation): string | undefined {
	const { url, key, yes } = values;
	if (url === undefined) return undefined;
	if (charges === undefined) return `${name} judges what is here, not a service at a URL.`;
	if (!yes) return `${name} sends ${charges}, which the service charges. Add --yes to run it.`;
	if (URL.canParse(url) && key) return undefined;
	return 'Give the root of the service as --url, and a key as --key or AUDIO_EDITING_KEY.';
}
