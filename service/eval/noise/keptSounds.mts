import type { Chance } from '../../../testkit/measure/chance.mts';
import { inRoom } from '../conditions.mts';
import type { Person } from '../recorded/people.mts';
import { MUSIC, soundFiles, soundOf } from '../recorded/soundFiles.mts';
import type { Half } from '../recorded/speakers.mts';
import { plainTalk } from '../recorded/talks.mts';
import {
	activeRms,
	addAt,
	faded,
	framesOf,
	fromDb,
	RATE_HZ,
} from '../../../testkit/media/signals.mts';
import { resonated, rms, whiteNoise } from '../../../testkit/media/signals.mts';

/** Real laughs of hedgewars-data. */
const LAUGHS = '/usr/share/games/hedgewars/Data/Sounds/voices/*/Laugh.ogg';

/** What people want to keep, besides speech to compare with. Applause is generated. */
export const KEPT = ['laughter', 'applause', 'jingles', 'speech'] as const;
export type Kept = (typeof KEPT)[number];

/** A frame counts when the sound is as loud as the fan at least: below that, it is the fan that falls, dB. */
const AUDIBLE_DB = 18;
const FALLEN_DB = 6;
const FRAME_SECONDS = 0.02;

/** Speech, then a sound as loud as it, in turns. Returns the sound alone beside both. */
export async function turnsWith(kind: Kept, half: Half, person: Person, chance: Chance) {
	const { clean } = plainTalk(person, 40, chance);
	const sound = new Float32Array(clean.length);
	for (let seconds = 4; seconds < 34; seconds += 10) {
		const turn = faded(await turnOf(kind, half, person, chance), 0.02, 0.2);
		addAt(sound, turn, framesOf(seconds), activeRms(clean) / activeRms(turn));
		clean.fill(0, framesOf(seconds), framesOf(seconds) + turn.length);
	}
	addAt(clean, sound, 0);
	return { clean, sound };
}

/** The share of the heard frames of a sound that fall by more than 6 dB, %. */
export function fallenPercent(sound: Float32Array, before: Float32Array, after: Float32Array) {
	const [length, least] = [framesOf(FRAME_SECONDS), activeRms(sound) * fromDb(-AUDIBLE_DB)];
	let [kept, fallen] = [0, 0];
	for (let i = 0; i + length <= sound.length; i += length) {
		const level = (samples: Float32Array) => rms(samples.subarray(i, i + length));
		if (level(sound) < least) continue;
		kept++;
		if (level(after) < level(before) * fromDb(-FALLEN_DB)) fallen++;
	}
	return (100 * fallen) / kept;
}

async function turnOf(kind: Kept, half: Half, person: Person, chance: Chance) {
	if (kind === 'applause') return inRoom(applause(chance.between(3, 6), chance), 0.6, chance);
	if (kind === 'speech') return plainTalk(person, 6, chance).clean;
	const paths = soundFiles(kind === 'laughter' ? LAUGHS : MUSIC);
	const path = chance.pick(paths.filter((_, index) => (index % 2 === 0) === (half === 'tuning')));
	if (kind === 'laughter') return await soundOf(path);
	return await soundOf(path, { startSeconds: chance.whole(5, 60), seconds: 4 });
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
