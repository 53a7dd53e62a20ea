import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Bar } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { mean } from '../../../testkit/measure/median.mts';
import { activeRms, RATE_HZ, scaled } from '../../../testkit/media/signals.mts';
import { pcmOf } from '../../../testkit/service/signals.mts';
import { type DenoisingStrength } from '../../engine/denoise/noiseSurvey.mts';
import { reduceNoise } from '../../engine/denoise/reduceNoise.mts';
import { enhanceVoice, voiceWorkOf } from '../../engine/voice/enhanceVoice.mts';
import { resolveEditConfig } from '../../shared/contract.mts';
import { wholeOf } from '../enhancement.mts';
import { noisyTalk, SECONDS } from '../noise/noisyTalk.mts';
import { peopleOf, type Person, printSpeakers } from '../recorded/people.mts';
import type { Half } from '../recorded/speakers.mts';
import { plainTalk } from '../recorded/talks.mts';
import { SPEECH_RMS } from '../scene.mts';
import { Listener } from '../listener.mts';
import { FAULTS } from './faults.mts';
import { apartDb, highsDb, meanLogSpectrum } from './meanLogSpectrum.mts';

const NOISES = ['pink', 'babble'] as const;
const LEVELS_DB = [20, 10] as const;

/** Voices whose recordings end below 4 kHz have nothing there, dB against their middle. */
const NO_HIGHS_DB = -45;

/** Where one method is heard, and what it is compared with. */
interface Trial {
	person: string;
	levelDb: (typeof LEVELS_DB)[number];
	/** DNSMOS without and with `studio_sound`. */
	dnsmos: [removed: number, studio: number];
	/** How much louder `studio_sound` makes 4 to 8 kHz; undefined where the voice has none. */
	highsDb: number | undefined;
}

/** Judges `studio_sound` beside `remove_noise`, and what it makes of voices that sound bad. */
export async function studioSoundBars(half: Half, seed: number, folder: string): Promise<Bar[]> {
	const people = await peopleOf(half);
	printSpeakers(seed, half, people);
	const faults = await faultBars(people, seed, folder);
	const listener = await Listener.install(join(folder, 'python'));
	return [...noiseBars(await trialsOf(people, seed, listener, folder)), ...faults];
}

async function trialsOf(
	people: readonly Person[],
	seed: number,
	listener: Listener,
	folder: string,
): Promise<Trial[]> {
	const begun: Omit<Trial, 'dnsmos'>[] = [];
	const paths: string[] = [];
	const fileOf = async (samples: Float32Array) => {
		const path = join(folder, `heard-${paths.length}.f32`);
		// How loud speech is counts in DNSMOS, too.
		await writeFile(path, scaled(samples, SPEECH_RMS / activeRms(samples)));
		return path;
	};
	for (const levelDb of LEVELS_DB) {
		for (const kind of NOISES) {
			for (const [index, { name }] of people.entries()) {
				const { clean, marks, noisy } = noisyTalk(people, index, seed, { kind, levelDb });
				const removed = await denoised(noisy, 'measured', folder);
				const studio = await studioSound(noisy, folder);
				for (const samples of [removed, studio]) {
					paths.push(await fileOf(samples));
				}
				const more = highsDb(studio, marks) - highsDb(removed, marks);
				const hasHighs = highsDb(clean, marks) > NO_HIGHS_DB;
				begun.push({ person: name, levelDb, highsDb: hasHighs ? more : undefined });
			}
		}
	}
	const ratings = await listener.ratings(paths);
	return begun.map((one, index) => {
		return { ...one, dnsmos: [ratings[2 * index], ratings[2 * index + 1]] };
	});
}

function noiseBars(trials: readonly Trial[]): Bar[] {
	return LEVELS_DB.flatMap((levelDb) => {
		const here = trials.filter((trial) => trial.levelDb === levelDb);
		const means = [0, 1].map((which) => mean(here.map(({ dnsmos }) => dnsmos[which])).toFixed(2));
		console.log(`DNSMOS at ${levelDb} dB: remove_noise ${means[0]}, studio_sound ${means[1]}`);
		return [...Map.groupBy(here, ({ person }) => person)].flatMap(([person, some]): Bar[] => {
			const more = mean(some.map(({ dnsmos: [removed, studio] }) => studio - removed));
			const highs = some.flatMap((trial) => trial.highsDb ?? []);
			const name = `DNSMOS above remove_noise's at ${levelDb} dB, ${person}`;
			const bar: Bar = { name, figure: more, limit: 0, goal: '>=' };
			if (highs.length === 0) return [bar];
			return [
				bar,
				{
					name: `4-8 kHz above remove_noise's at ${levelDb} dB, ${person}`,
					figure: mean(highs),
					limit: -1,
					goal: '>=',
					unit: 'dB',
				},
			];
		});
	});
}

async function faultBars(people: readonly Person[], seed: number, folder: string): Promise<Bar[]> {
	const bars: Bar[] = [];
	for (const [index, person] of people.entries()) {
		const { clean, marks } = plainTalk(person, SECONDS, new Chance(seed * 1_000 + index));
		const spectrum = meanLogSpectrum(clean, marks);
		const apart = (samples: Float32Array) => apartDb(spectrum, meanLogSpectrum(samples, marks));
		console.log(
			`${person.name}: a clean voice moves by ${apart(await studioSound(clean, folder)).toFixed(2)} dB`,
		);
		for (const [fault, make] of Object.entries(FAULTS)) {
			const voice = make(clean);
			const heard = scaled(voice, SPEECH_RMS / activeRms(voice));
			const [before, after] = [apart(heard), apart(await studioSound(heard, folder))];
			bars.push({
				name: `distance of a ${fault} voice to the clean one, ${person.name} (${before.toFixed(2)} dB before)`,
				figure: after / before,
				limit: 0.5,
			});
		}
	}
	const shares = Object.keys(FAULTS).map((fault) => {
		const some = bars.filter(({ name }) => name.includes(fault));
		return `${fault} ${mean(some.map(({ figure }) => figure)).toFixed(2)}`;
	});
	console.log(`distance to the clean voice, against before: ${shares.join(', ')}`);
	return bars;
}

async function denoised(samples: Float32Array, strength: DenoisingStrength, folder: string) {
	const input = await pcmOf(samples, join(folder, 'noisy.f32'), { sampleRateHz: RATE_HZ });
	const { clean } = await reduceNoise(input, join(folder, 'denoised.f32'), strength);
	return await wholeOf(clean);
}

/** What the engine does with `studio_sound`, without cuts and loudness. */
async function studioSound(samples: Float32Array, folder: string): Promise<Float32Array> {
	const work = voiceWorkOf(resolveEditConfig({ studio_sound: true }));
	if (work === null) throw new Error('studio_sound does nothing');
	const path = join(folder, 'clean.f32');
	const clean = await denoised(samples, 'full', folder);
	const input = await pcmOf(clean, path, { sampleRateHz: RATE_HZ });
	return await wholeOf(await enhanceVoice(input, work, join(folder, 'enhanced.f32')));
}
