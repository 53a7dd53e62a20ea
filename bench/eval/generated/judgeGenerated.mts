import { join } from 'node:path';

import which from 'which';

import { reduceNoiseLegacy } from '../../../service/engine/denoise/reduceNoiseLegacy.mts';
import { findEdits } from '../../../service/engine/findEdits.mts';
import type { PcmFile } from '../../../service/media/pcmFile.mts';
import type { Bar } from '../../bars.mts';
import { Chance } from '../chance.mts';
import { loudnessFigures, type NoiseFigures, noiseFigures, wholeOf } from '../enhancement.mts';
import { CONFIG, type Judgement, judgementOf, trackOf } from '../judge.mts';
import { LIP_SYNC_PLANS, lipSyncBar, measureLipSync } from '../lipSync.mts';
import {
	lineOf,
	lostPercent,
	printConditions,
	printHits,
	printJudgements,
	talliedOf,
} from '../report.mts';
import { installedRivals, writeWav } from '../rivals.mts';
import type { Scene } from '../scene.mts';
import { conversation } from './conversation.mts';
import { scenesOf } from './scenes.mts';
import { realVoices } from './voices.mts';

interface GeneratedOptions {
	readonly seed: number;
	/** A few short recordings: too few events for the bars to mean much. */
	readonly quick: boolean;
	/** Whether each cut that touches a word is printed. */
	readonly hits: boolean;
}

/** What is measured of a scene besides its edits. */
interface Trial {
	readonly judgement: Judgement;
	/** What people use today, by name. */
	readonly rivals: Readonly<Record<string, Judgement>>;
	readonly noise: Readonly<Record<'untouched' | 'remove_noise' | 'legacy', NoiseFigures>>;
	readonly loudness: { readonly errorLu: number; readonly truePeakDbtp: number };
}

const CONVERSATION = { seed: 777, turns: 4 };

/** Makes recordings from a seed, whose edits are known, lets the engine edit them, and compares. */
export async function judgeGenerated(
	{ seed, quick, hits }: GeneratedOptions,
	folder: string,
): Promise<Bar[]> {
	if (which.sync('espeak-ng', { nothrow: true }) === null) {
		throw new Error('The evaluation lets espeak-ng speak: install it (apt-get install espeak-ng)');
	}
	const size = quick ? { scenes: 5, seconds: 40 } : { scenes: 20, seconds: 75 };
	console.log(`Seed ${seed}, ${size.scenes} recordings of ${size.seconds} s`);
	const real = realVoices().map(({ name }) => name);
	console.log(
		`Real voices: ${real.length > 0 ? real.join(', ') : 'none installed, generated ones'}`,
	);
	const trials: Trial[] = [];
	for await (const scene of scenesOf(seed, size.scenes, size.seconds)) {
		trials.push(await trialOf(scene, folder));
		console.log(`${trials.length} of ${size.scenes}: ${scene.condition}, ${scene.name}`);
	}
	const judgements = trials.map(({ judgement }) => judgement);
	printConditions(judgements);
	if (hits) printHits(judgements);
	printRivals(trials);
	printNoise(trials);
	const chance = new Chance(seed * 1_000 + CONVERSATION.seed);
	const talk = await conversation(size.seconds / 2, CONVERSATION.turns, chance);
	const talkJudgements = await judgeTracks(talk, folder);
	printJudgements('two speakers on two tracks', talkJudgements.slice(0, 1));
	console.log();
	const videos = quick ? LIP_SYNC_PLANS.slice(0, 2) : LIP_SYNC_PLANS;
	const lipSync = await measureLipSync(folder, videos);
	console.log();
	return [...barsOf(trials, talkJudgements), lipSyncBar(lipSync)];
}

/** Puts a scene through the engine and through what people use today. */
async function trialOf(scene: Scene, folder: string): Promise<Trial> {
	const track = await trackOf(scene, join(folder, 'scene'));
	const { pcm, clean } = track;
	const legacy = await reduceNoiseLegacy(pcm, join(folder, 'legacy.f32'));
	return {
		judgement: judgementOf(scene, await findEdits(CONFIG, [track])),
		rivals: await rivalsOn(scene, pcm, folder),
		noise: {
			untouched: noiseFigures(scene, scene.samples),
			remove_noise: noiseFigures(scene, await wholeOf(clean)),
			legacy: noiseFigures(scene, await wholeOf(legacy)),
		},
		loudness: await loudnessFigures(pcm, folder),
	};
}

/** Puts a conversation on several tracks through the engine: one list of edits for all. */
async function judgeTracks(scenes: readonly Scene[], folder: string): Promise<Judgement[]> {
	const paths = scenes.map((_, index) => join(folder, `track-${index}`));
	const tracks = await Promise.all(scenes.map((scene, index) => trackOf(scene, paths[index])));
	const edits = await findEdits(CONFIG, tracks);
	return scenes.map((scene) => judgementOf(scene, edits));
}

/** The rivals take out silences only. */
async function rivalsOn(scene: Scene, pcm: PcmFile, folder: string): Promise<Trial['rivals']> {
	const wavPath = join(folder, 'scene.wav');
	await writeWav(pcm, wavPath);
	const judgements: Record<string, Judgement> = {};
	for (const { name, cutsIn } of installedRivals()) {
		const cuts = (await cutsIn(wavPath)).map((span) => ({
			...span,
			kind: 'long_silence' as const,
		}));
		judgements[name] = judgementOf(scene, cuts);
	}
	return judgements;
}

function barsOf(trials: readonly Trial[], talk: readonly Judgement[]): Bar[] {
	const judgements = trials.map(({ judgement }) => judgement);
	const calm = judgements.filter((judgement) => !hasBusyBackground(judgement));
	const f1 = (name: string, limit: number, some: readonly Judgement[], where = ''): Bar => ({
		name: `${name} F1${where}`,
		figure: talliedOf(some, name).f1,
		limit,
		goal: '>=',
	});
	const calmF1 = (name: string, limit: number) =>
		f1(name, limit, calm, ', no music or talk behind');
	const most = (figure: keyof Trial['loudness']) =>
		Math.max(...trials.map(({ loudness }) => loudness[figure]));
	return [
		f1('long_silences', 0.97, judgements),
		calmF1('mouth_sounds', 0.8),
		calmF1('breath', 0.8),
		calmF1('stutters', 0.7),
		calmF1('fillers + hesitations', 0.7),
		{
			name: 'damage, percent of speech',
			figure: lostPercent([...judgements, ...talk]),
			limit: 0.5,
		},
		{ name: 'loudness off, LU', figure: most('errorLu'), limit: 0.5 },
		{ name: 'true peak, dBTP', figure: most('truePeakDbtp'), limit: -1 },
	];
}

/** There the service leaves the speaker's own sounds alone, by design. */
function hasBusyBackground({ scene }: Judgement): boolean {
	return scene.condition === 'music' || scene.name.startsWith('babble');
}

function printRivals(trials: readonly Trial[]): void {
	console.log('\nlong silences, beside what people use today (border: against the pause we leave)');
	const print = (name: string, some: readonly Judgement[]) => {
		const damage = `  words cut ${lostPercent(some).toFixed(2)} %`;
		console.log(lineOf(name, talliedOf(some, 'long_silences')) + damage);
	};
	print(
		'this service',
		trials.map(({ judgement }) => judgement),
	);
	for (const name of Object.keys(trials[0].rivals)) {
		print(
			name,
			trials.map(({ rivals }) => rivals[name]),
		);
	}
}

function printNoise(trials: readonly Trial[]): void {
	const conditions = new Set(trials.map(({ judgement }) => judgement.scene.condition));
	for (const condition of conditions) {
		const some = trials.filter(({ judgement }) => judgement.scene.condition === condition);
		const cells = (['untouched', 'remove_noise', 'legacy'] as const).map((which) => {
			const mean = (figure: keyof NoiseFigures) =>
				some.reduce((sum, { noise }) => sum + noise[which][figure], 0) / some.length;
			return `${which} ${mean('siSdrDb').toFixed(1)} / ${mean('floorDb').toFixed(1)}`;
		});
		console.log(`${condition}, SI-SDR dB / floor dBFS: ${cells.join(', ')}`);
	}
}
