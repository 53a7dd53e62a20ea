import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { findFfmpeg } from '../../../service/media/ffmpeg/ffmpeg.mts';
import type { Chance } from '../chance.mts';
import { LANGUAGES } from './phrases.mts';
import { resampled } from './resample.mts';
import { activeRms, atSpeed, faded, framesOf, fromDb, RATE_HZ, rms, toDb } from '../signals.mts';

/** Someone who speaks. All sounds are trimmed to where they are heard, speech at RMS 1. */
export interface Voice {
	name: string;
	/** Real people cannot be asked for an "um": undefined for them. */
	filler?: (chance: Chance) => Promise<Float32Array>;
	hesitation?: (chance: Chance) => Promise<Float32Array>;
	phrase: (chance: Chance) => Promise<Phrase>;
}

/** A phrase, and the broken-off beginnings a stutterer puts in front of it. */
export interface Phrase {
	samples: Float32Array;
	fragments: () => Promise<Float32Array[]>;
}

/** Folders of real recordings that Debian ships, by package. */
const REAL_VOICES = [
	{ name: 'asterisk-core-sounds-en-g722', folder: 'en_US_f_Allison' },
	{ name: 'asterisk-core-sounds-fr-g722', folder: 'fr_CA_f_June' },
	{ name: 'asterisk-core-sounds-ru-g722', folder: 'ru_RU_f_IvrvoiceRU' },
];
const ASTERISK_SOUNDS = '/usr/share/asterisk/sounds';
const REAL_MUSIC_FOLDER = '/usr/share/asterisk/moh';
/** What espeak-ng writes before its samples; the length in it cannot be known on a pipe. */
const WAV_HEADER_BYTES = 44;
/** Beeps, tones and a monkey. */
const NOT_SPEECH = /beep|tone|monkeys|^tt-|confbridge-(join|leave)/;

/** The real voices that are installed here. */
export function realVoices(): Voice[] {
	return REAL_VOICES.map(({ name, folder }) => ({ name, folder: join(ASTERISK_SOUNDS, folder) }))
		.filter(({ folder }) => existsSync(folder))
		.map(({ name, folder }) => ({
			name,
			phrase: async (chance) => {
				const samples = await realPhrase(folder, chance);
				return { samples, fragments: () => Promise.resolve(fragmentsOf(samples, chance)) };
			},
		}));
}

/** A generated voice: espeak-ng with a random language, variant, pitch and speed. */
export function generatedVoice(chance: Chance): Voice {
	const language = chance.isTrue(0.6) ? chance.pick(LANGUAGES.slice(0, 2)) : chance.pick(LANGUAGES);
	const variant = `${chance.pick(['m', 'f'])}${chance.whole(1, 4)}`;
	const [pitch, speed] = [chance.whole(30, 65), chance.whole(140, 185)];
	const voice = `${language.code}+${variant}`;
	return {
		name: `espeak-ng ${voice}, pitch ${pitch}, speed ${speed}`,
		filler: async (chance) => {
			const phonemes = `[[${chance.pick(language.fillers)}]]`;
			return await speak(phonemes, voice, pitch - chance.whole(0, 8), chance.whole(80, 130));
		},
		hesitation: async (chance) => {
			const phonemes = `[[${chance.pick(language.hesitations)}]]`;
			const sound = await speak(phonemes, voice, pitch - chance.whole(0, 8), 130);
			return faded(sound.slice(0, framesOf(chance.between(0.14, 0.28))), 0.01, 0.05);
		},
		phrase: async (chance) => {
			const text = chance.pick(language.phrases);
			const samples = await speak(text, voice, pitch + chance.whole(-3, 3), speed);
			const fragments = async () => {
				// Nobody says the same twice alike.
				const [otherPitch, otherSpeed] = [chance.whole(-4, 4), chance.whole(-8, 8)];
				return fragmentsOf(
					await speak(text, voice, pitch + otherPitch, speed + otherSpeed),
					chance,
				);
			};
			return { samples, fragments };
		},
	};
}

/** Real music from Debian's asterisk-moh-opsound-g722, if it is installed: some seconds of it. */
export async function realMusic(
	seconds: number,
	chance: Chance,
): Promise<Float32Array | undefined> {
	if (!existsSync(REAL_MUSIC_FOLDER)) return undefined;
	const names = (await readdir(REAL_MUSIC_FOLDER)).filter((name) => name.endsWith('.g722')).sort();
	if (names.length === 0) return undefined;
	return await decodedG722(
		join(REAL_MUSIC_FOLDER, chance.pick(names)),
		chance.whole(0, 40),
		seconds,
	);
}

async function realPhrase(folder: string, chance: Chance): Promise<Float32Array> {
	const place = chance.isTrue(0.8) ? folder : join(folder, chance.pick(['digits', 'letters']));
	const names = (await readdir(place)).filter((name) => name.endsWith('.g722')).sort();
	for (;;) {
		const name = chance.pick(names);
		if (NOT_SPEECH.test(name)) continue;
		const speech = trimmed(await decodedG722(join(place, name), 0, 6));
		if (speech.length > framesOf(0.2)) return speech;
	}
}

/** One to three beginnings of a phrase, cut off within its first syllable or two. */
function fragmentsOf(phrase: Float32Array, chance: Chance): Float32Array[] {
	const seconds = chance.between(0.09, 0.28);
	return Array.from({ length: chance.whole(1, 3) }, () => {
		const part = phrase.slice(0, framesOf(seconds * chance.between(0.85, 1.15)));
		return faded(atSpeed(part, chance.between(0.97, 1.03)), 0.003, 0.03);
	});
}

async function speak(
	text: string,
	voice: string,
	pitch: number,
	speed: number,
): Promise<Float32Array> {
	const options = ['-v', voice, '-p', String(pitch), '-s', String(speed), '--stdout'];
	const { stdout } = await execa('espeak-ng', [...options, text], { encoding: 'buffer' });
	const header = Buffer.from(stdout.slice(0, WAV_HEADER_BYTES));
	const pcm = new Int16Array(stdout.slice(WAV_HEADER_BYTES).buffer);
	return trimmed(
		resampled(
			Float32Array.from(pcm, (value) => value / 32_768),
			header.readUInt32LE(24),
		),
	);
}

/** Decodes G.722 (16 kHz) with ffmpeg. */
async function decodedG722(path: string, startSeconds: number, seconds: number) {
	const place = ['-ss', String(startSeconds), '-t', String(seconds)];
	const output = ['-ac', '1', '-ar', String(RATE_HZ), '-f', 'f32le', 'pipe:1'];
	const options = ['-v', 'error', '-f', 'g722', '-i', path, ...place, ...output];
	const { stdout } = await execa(findFfmpeg().ffmpegPath, options, { encoding: 'buffer' });
	return new Float32Array(stdout.slice().buffer);
}

/** Without the stillness at both ends, with speech at RMS 1. */
function trimmed(samples: Float32Array): Float32Array {
	const level = activeRms(samples);
	const length = framesOf(0.005);
	const isLoud = (frame: number) =>
		toDb(rms(samples.subarray(frame, frame + length))) > toDb(level * fromDb(-38));
	let start = 0;
	while (start < samples.length && !isLoud(start)) start += length;
	let end = samples.length - length;
	while (end > start && !isLoud(end)) end -= length;
	return samples.slice(start, end + length).map((sample) => sample / (level + 1e-9));
}
