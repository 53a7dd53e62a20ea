import type { Bar } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { framesOf, scaled, whiteNoise } from '../../../testkit/media/signals.mts';
import type { Transcriber } from '../../text/speech/transcriber.mts';
import { roomTone } from '../conditions.mts';
import { MUSIC, soundFiles, soundOf } from '../recorded/soundFiles.mts';
import { noiseSound } from '../sounds.mts';
import { heardWords } from './heardTalk.mts';
import { ROOM_DB } from './knownTalks.mts';

/** Sounds without words, each kind, seconds. */
const SECONDS = 300;
const MUSIC_SECONDS = 100;

type Sound = () => Promise<Float32Array> | Float32Array;

/** Lets a recognizer hear what holds no words, and counts those that it invents. */
export async function inventedBars(recognizer: Transcriber, folder: string): Promise<Bar[]> {
	const frames = framesOf(SECONDS);
	// The first piece is the bed of another part.
	const music = soundFiles(MUSIC).slice(1, 1 + SECONDS / MUSIC_SECONDS);
	const kinds: Record<string, Sound[]> = {
		'digital silence': [() => new Float32Array(frames)],
		'room noise': [() => roomTone(frames, ROOM_DB, new Chance(5))],
		'white noise': [() => scaled(whiteNoise(frames, new Chance(6)), 0.03)],
		'an office': [() => scaled(noiseSound('office', frames, new Chance(7)), 0.02)],
		music: music.map((path) => () => soundOf(path, { startSeconds: 0, seconds: MUSIC_SECONDS })),
	};
	const bars: Bar[] = [];
	for (const [kind, sounds] of Object.entries(kinds)) {
		const invented: string[] = [];
		for (const make of sounds) {
			const words = await heardWords(await make(), recognizer, folder);
			invented.push(...words.map(({ text }) => text));
		}
		if (invented.length > 0) console.log(`in ${kind}: ${invented.join(' ').slice(0, 100)}`);
		const limit = kind === 'digital silence' ? 0 : 1;
		const figure = (60 * invented.length) / SECONDS;
		bars.push({ name: `words invented in ${kind}`, figure, limit, unit: 'a minute' });
	}
	return bars;
}
