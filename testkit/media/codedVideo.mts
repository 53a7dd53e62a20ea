import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openPcm, pcmInputArguments, type PcmFile } from '../../service/media/pcmFile.mts';
import { fileArgument } from '../../service/media/ffmpeg/guardedInput.mts';
import { runFfmpeg } from '../../service/media/ffmpeg/runFfmpeg.mts';
import { Chance } from '../measure/chance.mts';
import { framesOf, RATE_HZ, scaled, whiteNoise } from './signals.mts';

export interface CodedVideoPlan {
	/** With the extension that says the container. */
	fileName: string;
	/** Phrases, with a pause after each. */
	phrases: number;
	/** As ffmpeg writes it, such as `30000/1001`. */
	frameRate: string;
	/** ffmpeg's options for the two codecs. */
	codecArguments: readonly string[];
	/** Filters for the picture after its coding; `select` here makes the rate variable. */
	pictureFilter?: string;
	/** By how much the sound begins later (above 0) or earlier (below 0) than the picture, in seconds. */
	soundDelaySeconds?: number;
}

/** Blocks that show the number of a picture: one for each bit, lowest first, white is 1. */
export const CODE_BITS = 16;

const BLOCK_PIXELS = 16;

/**
 * Makes a video that a machine can read. Each picture shows its number. The sound is a row of phrases
 * with sudden beginnings and long silences between them, none a multiple of a frame long.
 *
 * @returns its path.
 * @throws MediaToolError when ffmpeg fails.
 */
export async function makeCodedVideo(plan: CodedVideoPlan, folder: string): Promise<string> {
	const { fileName, frameRate, codecArguments, soundDelaySeconds = 0 } = plan;
	const sound = await makePhrases(plan.phrases, join(folder, `${fileName}.f32`));
	const seconds = sound.frames / sound.sampleRateHz;
	const size = `${CODE_BITS * BLOCK_PIXELS}x64`;
	const bit = `mod(floor(N/pow(2,floor(X/${BLOCK_PIXELS}))),2)`;
	const filters = [
		'format=gray',
		`geq=lum='if(${bit},235,16)'`,
		'format=yuv420p',
		...(plan.pictureFilter === undefined ? [] : [plan.pictureFilter]),
	];
	const path = join(folder, fileName);
	await runFfmpeg([
		'-f',
		'lavfi',
		'-i',
		`color=c=black:s=${size}:r=${frameRate}:d=${seconds}`,
		'-itsoffset',
		String(soundDelaySeconds),
		...pcmInputArguments(sound),
		'-map',
		'0:v',
		'-map',
		'1:a',
		'-vf',
		filters.join(','),
		'-vsync',
		'passthrough',
		...codecArguments,
		fileArgument(path),
	]);
	return path;
}

/** Raw PCM of phrases: a vowel-like tone in syllables; between them the faintest noise. */
async function makePhrases(phrases: number, path: string): Promise<PcmFile> {
	const chance = new Chance(1);
	const parts: Float32Array[] = [];
	for (let phrase = 0; phrase < phrases; phrase++) {
		parts.push(vowel(chance.between(0.8, 1.2)));
		parts.push(scaled(whiteNoise(framesOf(chance.between(1.15, 1.65)), chance), 0.0003));
	}
	await writeFile(path, Buffer.concat(parts.map((part) => new Uint8Array(part.buffer))));
	return await openPcm(path, { sampleRateHz: RATE_HZ, channels: 1 });
}

function vowel(seconds: number): Float32Array {
	const samples = new Float32Array(framesOf(seconds));
	return samples.map((_, index) => {
		const time = index / RATE_HZ;
		const syllable = 0.6 + 0.4 * Math.cos(2 * Math.PI * 4 * time);
		const tone = [1, 2, 3, 5, 8].reduce(
			(sum, n) => sum + Math.sin(2 * Math.PI * 130 * n * time) / (n + 1),
			0,
		);
		return 0.2 * syllable * tone;
	});
}
