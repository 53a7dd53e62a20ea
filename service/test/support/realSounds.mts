import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { decoded } from '../../../testkit/media/decoded.mts';
import { RATE_HZ } from '../../../testkit/media/signals.mts';
import { convertedTo } from '../../../testkit/service/media.mts';
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

/** A talk with pauses of 2.1 and 3.9 s, of which 5.12 s are cut. */
export const paused = await convertedTo(spoken, 'wav', '-ss', '29', '-t', '17', '-ac', '1');
export const PAUSED_SECONDS = 17 - 5.12;

/** Returns a mono recording on several channels, by ffmpeg's `pan`. */
export async function onChannels(sound: Buffer, pan: string): Promise<Buffer> {
	return await convertedTo(sound, 'wav', '-af', `pan=${pan}`);
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
