import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { convertedTo } from '../../../testkit/service/media.mts';

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
