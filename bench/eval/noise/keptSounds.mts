import { globSync } from 'node:fs';

import { execa } from 'execa';

import { findFfmpeg } from '../../../service/media/ffmpeg/ffmpeg.mts';
import type { Chance } from '../chance.mts';
import { inRoom } from '../conditions.mts';
import type { Person } from '../recorded/people.mts';
import type { Half } from '../recorded/speakers.mts';
import { plainTalk } from '../recorded/talks.mts';
import { activeRms, addAt, faded, framesOf, fromDb, RATE_HZ } from '../signals.mts';
import { resonated, rms, whiteNoise } from '../signals.mts';

/** Real laughs of hedgewars-data, and real music of asterisk-moh-opsound-g722. */
const LAUGHS = '/usr/share/games/hedgewars/Data/Sounds/voices/*/Laugh.ogg';
const MUSIC = '/usr/share/asterisk/moh/*.g722';

/** What people want to keep, besides speech to compare with. Applause is generated. */
export const KEPT = ['laughter', 'applause', 'jingles', 'speech'] as const;
export type Kept = (typeof KEPT)[number];

/** A frame counts when the sound is as loud as the fan at least: below that, it is the fan that falls, dB. */
const HEARD_DB = 18;
const FALLEN_DB = 6;
const FRAME_SECONDS = 0.02;

/** Speech, then a sound as loud as it, in turns. Returns the sound alone beside both. */
export async function turnsWith(kind: Kept, half: Half, person: Person, chance: Chance) {
	const { clean } = plainTalk(person, 40, chance);
	const sound = new Float32Array(clean.length);
	for (let seconds = 4; seconds < 34; seconds += 10) {
		const turn = faded(await soundOf(kind, half, person, chance), 0.02, 0.2);
		addAt(sound, turn, framesOf(seconds), activeRms(clean) / activeRms(turn));
		clean.fill(0, framesOf(seconds), framesOf(seconds) + turn.length);
	}
	addAt(clean, sound, 0);
	return { clean, sound };
}

/** The share of the heard frames of a sound that fall by more than 6 dB, %. */
export function fallenPercent(sound: Float32Array, before: Float32Array, after: Float32Array) {
	const [length, least] = [framesOf(FRAME_SECONDS), activeRms(sound) * fromDb(-HEARD_DB)];
	let [heard, fallen] = [0, 0];
	for (let i = 0; i + length <= sound.length; i += length) {
		const level = (samples: Float32Array) => rms(samples.subarray(i, i + length));
		if (level(sound) < least) continue;
		heard++;
		if (level(after) < level(before) * fromDb(-FALLEN_DB)) fallen++;
	}
	return (100 * fallen) / heard;
}

async function soundOf(kind: Kept, half: Half, person: Person, chance: Chance) {
	if (kind === 'applause') return inRoom(applause(chance.between(3, 6), chance), 0.6, chance);
	if (kind === 'speech') return plainTalk(person, 6, chance).clean;
	const paths = globSync(kind === 'laughter' ? LAUGHS : MUSIC).sort();
	const path = chance.pick(paths.filter((_, index) => (index % 2 === 0) === (half === 'tuning')));
	const part = kind === 'laughter' ? [] : ['-ss', String(chance.whole(5, 60)), '-t', '4'];
	const format = kind === 'laughter' ? [] : ['-f', 'g722'];
	const output = ['-ac', '1', '-ar', String(RATE_HZ), '-f', 'f32le', 'pipe:1'];
	const options = ['-v', 'error', ...format, '-i', path, ...part, ...output];
	const { stdout } = await execa(findFfmpeg().ffmpegPath, options, { encoding: 'buffer' });
	return new Float32Array(stdout.slice().buffer);
}

/** Many people clap, each in their own rhythm; it swells, and dies away. */
function applause(seconds: number, chance: Chance): Float32Array {
	const sound = new Float32Array(framesOf(seconds));
	for (let clapper = chance.whole(12, 40); clapper > 0; clapper--) {
		const [beat, end] = [chance.between(0.16, 0.32), seconds - chance.between(0, 1.5)];
		const [hz, loudness] = [chance.between(700, 2_800), chance.between(0.2, 1)];
		for (let at = chance.between(0, 0.8); at < end; at += beat * chance.between(0.92, 1.08)) {
			const clap = resonated(whiteNoise(framesOf(0.03), chance), hz, 1.2 * hz);
			const decay = RATE_HZ * chance.between(0.003, 0.008);
			for (let i = 0; i < clap.length; i++) clap[i] *= Math.exp(-i / decay);
			addAt(sound, clap, framesOf(at), loudness);
		}
	}
	return sound;
}
