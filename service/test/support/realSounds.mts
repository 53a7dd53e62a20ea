import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { EditConfig } from '../../shared/contract.mts';
import { decoded } from '../../../testkit/media/decoded.mts';
import { RATE_HZ } from '../../../testkit/media/signals.mts';
import { convertedTo, samplesOf } from '../../../testkit/service/media.mts';
import { wavOf } from '../../../testkit/service/signals.mts';

const spoken = await readFile(join(import.meta.dirname, '../../../testkit/media/spoken.mp3'));

/** Length of `talk`, in seconds. */
export const TALK_SECONDS = 13;

/** A person who talks without a filler, from 0.3 s on; pauses of 0.4 s end at 4.7, 6.4 and 8.2 s. */
export const talk = await convertedTo(
	spoken,
	'wav',
	'-ss',
	'13.5',
	'-t',
	String(TALK_SECONDS),
	'-ac',
	'1',
	'-ar',
	'48000',
);

/** A talk with pauses of 2.1 and 3.9 s, of which 3.99 s are cut. */
export const paused = await convertedTo(spoken, 'wav', '-ss', '29', '-t', '17', '-ac', '1');
export const PAUSED_SECONDS = 17 - 3.99;

/** Returns a mono recording on several channels, by ffmpeg's `pan`. */
export async function onChannels(sound: Buffer, pan: string): Promise<Buffer> {
	return await convertedTo(sound, 'wav', '-af', `pan=${pan}`);
}

/** Returns a recording with an offset, as a share of full scale. */
export async function withOffset(sound: Buffer, offset: number): Promise<Buffer> {
	return await convertedTo(sound, 'wav', '-af', `aeval=0.5*val(0)+${offset}`);
}

/** The same with thumps below what is heard, one every two seconds. */
export const thumping = await convertedTo(
	paused,
	'wav',
	'-af',
	`aeval='0.5*val(0)+0.3*sin(2*PI*4*t)*lt(mod(t,2),0.5)'`,
);

/** The largest mean of a quarter of a second, and the largest step from one to the next. */
export async function offsetsOf(sound: Buffer) {
	const samples = await samplesOf(sound);
	const length = 4_000;
	const means = Array.from({ length: Math.floor(samples.length / length) }, (_, part) => {
		const some = samples.subarray(part * length, (part + 1) * length);
		return some.reduce((sum, sample) => sum + sample, 0) / length;
	});
	const steps = means.slice(1).map((mean, part) => Math.abs(mean - means[part]));
	return { largest: Math.max(...means.map(Math.abs)), step: Math.max(...steps) };
}

/** Returns half a minute of what a filter of ffmpeg makes. */
async function made(filter: string): Promise<Buffer> {
	return wavOf(await decoded(['-f', 'lavfi', '-t', '30', '-i', filter]), RATE_HZ);
}

const hiss = (level: number) => `${level}*(random(0)-0.5)`;

/** Recordings in which almost nothing is heard. */
export const UNHEARD: Readonly<Record<string, Buffer>> = {
	'digital silence': await made('aevalsrc=0:s=48000'),
	'the noise of a room': await made('anoisesrc=c=pink:r=48000:a=0.02'),
	'louder hiss': await made('anoisesrc=c=white:r=48000:a=0.05'),
	rumble: await made('anoisesrc=c=brown:r=48000:a=0.05'),
	'a fan': await made('anoisesrc=c=pink:r=48000:a=0.05,highpass=f=100,tremolo=f=8:d=0.3'),
	'dull noise': await made('anoisesrc=c=white:r=48000:a=0.1,lowpass=f=300,lowpass=f=300'),
	'noise in a narrow band': await made('anoisesrc=c=white:r=48000:a=0.1,bandpass=f=150:w=60'),
	'mains hum': await made(
		`aevalsrc='0.01*sin(2*PI*100*t)+0.005*sin(2*PI*150*t)+${hiss(0.002)}':s=48000`,
	),
	'noise with an offset': await made(`aevalsrc='0.1+${hiss(0.01)}':s=48000`),
	'noise after a muted beginning': await made(
		`anoisesrc=c=pink:r=48000:a=0.02,volume=0:enable='lt(t,5)'`,
	),
	'noise with a click': await made(`aevalsrc='${hiss(0.01)}+0.5*between(t,10,10.003)':s=48000`),
};

/** Recordings without a voice that are meant to be heard. */
export const HEARD: Readonly<Record<string, Buffer>> = {
	birds: await made(
		`aevalsrc='${hiss(0.004)}+0.01*sin(2*PI*(4000+1500*sin(2*PI*9*t))*t)*lt(mod(t,3.1),0.35)':s=48000`,
	),
	rain: await made(
		`aevalsrc='${hiss(0.01)}+0.4*(random(1)-0.5)*lt(random(2),0.002)':s=48000,lowpass=f=9000`,
	),
	music: await made(
		`aevalsrc='0.02*(sin(2*PI*(220+55*floor(mod(t,4)))*t)+sin(2*PI*(330+82*floor(mod(t,4)))*t))':s=48000`,
	),
	'a held tone': await made(`aevalsrc='0.02*sin(2*PI*440*t)':s=48000`),
	'one word': await made(
		`aevalsrc='${hiss(0.004)}+0.05*sin(2*PI*(150+20*t)*t)*between(t,10,10.6)':s=48000`,
	),
};

/** Edits that change the samples anyway. */
export const CHANGING: Readonly<Record<string, EditConfig>> = {
	normalize: { normalize: true },
	remove_noise: { remove_noise: true },
	'the older noise reduction': { remove_noise: 'legacy' },
	studio_sound: { studio_sound: true },
};

/** The RMS level of 16-bit samples, dBFS. */
export function levelOf(pcm: Buffer): number {
	let energy = 0;
	for (let at = 0; at < pcm.length; at += 2) energy += (pcm.readInt16LE(at) / 32_768) ** 2;
	return 10 * Math.log10(energy / (pcm.length / 2));
}

/** Ways in which a voice may lie on the channels, by ffmpeg's `pan`. */
export const CHANNELS: Readonly<Record<string, string>> = {
	'one channel': 'mono|c0=c0',
	'a second channel with reversed poles': 'stereo|c0=c0|c1=-1*c0',
	'a softer second channel with reversed poles': 'stereo|c0=-0.8*c0|c1=c0',
	'one of two channels': 'stereo|c0=0*c0|c1=c0',
	'four channels, two of them with reversed poles': '4.0|c0=c0|c1=-1*c0|c2=c0|c3=-1*c0',
	'the center of six channels': '5.1|FL=0*c0|FR=0*c0|FC=c0|LFE=0*c0|BL=0*c0|BR=0*c0',
};
