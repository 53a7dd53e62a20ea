import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { Bar } from '../../../testkit/measure/bars.mts';
import { mean } from '../../../testkit/measure/median.mts';
import { framesOf, RATE_HZ } from '../../../testkit/media/signals.mts';
import { pcmOf } from '../../../testkit/service/signals.mts';
import { knownFrom, toneFaults } from '../../engine/voice/toneFaults.mts';
import { voiceSpectrumOf } from '../../engine/voice/voiceSpectrum.mts';
import { joinedSamples } from '../../media/joinedSamples.mts';
import { decodeTakes } from '../recorded/decodeTakes.mts';
import { type Prompt, speakersOf } from '../recorded/speakers.mts';
import { takesWithin } from '../recorded/takes.mts';
import { FAULTS } from './faults.mts';

const FILE = join(import.meta.dirname, '../../engine/voice/typicalTones.json');

/** KTuberling's speakers whom no evaluation uses. */
const MORE_OF_KTUBERLING = 'es fi fr ga it nds nl pt ro sr sv'.split(' ');

/** Fewer files of a language of Tux Paint are not worth it. */
const MIN_STAMPS = 15;

/** Voices with less speech, or in more noise than this against it, do not count. */
const MIN_SECONDS = 12;
const MAX_SECONDS = 60;
const MAX_NOISE_DB = -30;

/** The bands that engine/voice/toneFaults.mts knows, and from which one on all recordings must have something. */
const BANDS = 20;
const FIRST_FULL_BAND = 2;

/** A band this far below the loudest is empty: the recording was narrow, dB. */
const EMPTY_DB = 42;

/** What somebody says, and how loud it is in each band, dB against the mean. */
interface Known {
	readonly name: string;
	readonly said: Float32Array;
	readonly bandsDb: readonly number[];
}

/**
 * Measures typical voices, and with `isWritten` writes them where the engine reads them. Tells how much of a fault is left
 * in each voice when the engine knows only the others, which is what a new voice would find.
 */
export async function typicalVoiceBars(isWritten: boolean, folder: string): Promise<Bar[]> {
	const voices: Known[] = [];
	for (const [name, prompts] of voicesHere()) {
		const voice = await knownVoice(name, prompts, folder);
		if (voice !== undefined) voices.push(voice);
	}
	console.log(`${voices.length} voices: ${voices.map(({ name }) => name).join(' ')}`);
	if (isWritten) {
		const rows = voices.map(({ bandsDb }) => `[${bandsDb.map((db) => db.toFixed(1)).join(', ')}]`);
		await writeFile(FILE, `[${rows.join(',\n')}]\n`);
	}
	const moved: number[] = [];
	const left = Object.keys(FAULTS).map((fault) => ({ fault, shares: [] as number[] }));
	for (const voice of voices) {
		const others = knownFrom(voices.filter((one) => one !== voice).map((one) => one.bandsDb));
		moved.push(deviation(toneFaults(voice.bandsDb, others).slice(0, BANDS)));
		for (const { fault, shares } of left) {
			const heard = (await bandsOf(FAULTS[fault](voice.said), folder)) ?? [];
			const faults = heard.map((db, band) => db - voice.bandsDb[band]);
			const found = toneFaults(heard, others);
			shares.push(deviation(faults.map((db, band) => db - found[band])) / deviation(faults));
		}
	}
	console.log(`a clean voice moves by ${mean(moved).toFixed(2)} dB`);
	return left.map(({ fault, shares }) => ({
		name: `left of what makes a voice ${fault}, by those of other people`,
		figure: mean(shares),
		limit: 0.5,
	}));
}

/** The recordings of people who tune, and of those whom no evaluation uses. */
function voicesHere(): Map<string, Prompt[]> {
	const files = (pattern: string) => globSync(pattern).sort();
	const voices = new Map<string, string[]>();
	for (const { name, prompts } of speakersOf('tuning')) {
		voices.set(
			name,
			prompts.map(({ path }) => path),
		);
	}
	for (const language of MORE_OF_KTUBERLING) {
		const pattern = `/usr/share/ktuberling/sounds/${language}/*.{mp3,ogg,opus,wav}`;
		voices.set(`KTuberling (${language})`, files(pattern));
	}
	for (const folder of files('/usr/share/klettres/*/')) {
		voices.set(`KLettres (${basename(folder)})`, files(`${folder}/{alpha,syllab}/*.ogg`));
	}
	const stamps = files('/usr/share/tuxpaint/stamps/**/*_desc*.ogg');
	for (const [language, some] of Map.groupBy(stamps, (path) => languageOf(path))) {
		if (some.length >= MIN_STAMPS) voices.set(`Tux Paint (${language})`, some);
	}
	for (const actor of ['m', 'v']) {
		voices.set(`fish ${actor}`, files(`/usr/share/games/fillets-ng/sound/*/cs/*-${actor}-*.ogg`));
	}
	return new Map([...voices].map(([name, paths]) => [name, paths.map((path) => ({ path }))]));
}

/** `coins/010dime_desc_ru.ogg` is Russian; without a language it is English. */
function languageOf(path: string): string {
	return /_desc_([\w@-]+)\.\w+$/.exec(path)?.[1] ?? 'en';
}

/** Undefined for somebody who says too little, in noise, or over a telephone. */
async function knownVoice(name: string, prompts: readonly Prompt[], folder: string) {
	const speaker = { name: `typical ${name}`, language: 'und', half: 'tuning', prompts } as const;
	const { takes, noiseDb } = await decodeTakes({ ...speaker, prompts: [...prompts] });
	if (noiseDb > MAX_NOISE_DB) return undefined;
	const heard = takesWithin(takes, 0.3, MAX_SECONDS).map(({ samples }) => samples);
	const said = joinedSamples(heard).slice(0, framesOf(MAX_SECONDS));
	if (said.length < framesOf(MIN_SECONDS)) return undefined;
	const bandsDb = await bandsOf(said, folder);
	const limitDb = Math.max(...(bandsDb ?? [])) - EMPTY_DB;
	if (bandsDb?.slice(FIRST_FULL_BAND).every((db) => db > limitDb) !== true) return undefined;
	return { name, said, bandsDb };
}

async function bandsOf(said: Float32Array, folder: string): Promise<number[] | undefined> {
	const pcm = await pcmOf(said, join(folder, 'typical.f32'), { sampleRateHz: RATE_HZ });
	const spectrum = await voiceSpectrumOf(pcm);
	const bandsDb = spectrum?.bandsDb.slice(0, BANDS);
	const level = mean(bandsDb ?? []);
	return bandsDb?.map((db) => db - level);
}

function deviation(values: readonly number[]): number {
	const middle = mean(values);
	return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}
