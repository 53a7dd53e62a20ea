import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Bar } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { framesOf, fromDb, scaled } from '../../../testkit/media/signals.mts';
import { findEdits } from '../../engine/findEdits.mts';
import { resolveEditConfig } from '../../shared/contract.mts';
import { inRoom, roomTone } from '../conditions.mts';
import { trackOf } from '../editors/editor.mts';
import { type KnownEvent, SPEECH_RMS } from '../scene.mts';
import { Tally, tallyOf } from '../score.mts';
import { breathSound, noiseSound } from '../sounds.mts';
import { aloneOf, type Placed, type Voice } from './voices.mts';

/** How loud somebody comes over into the other microphone, dB against their own. */
const BLEED_DB = -22;

/** The room that lies between the microphones, seconds until it has decayed by 60 dB. */
const RT60_SECONDS = 0.35;

/** The noise of each microphone, dB against speech. */
const ROOM_DB = -52;
const FAN_DB = -30;

/** How many turns each has; each has two sentences, with a breath before either. */
const TURNS = 8;

/** How loud a breath is, dB against speech. */
const BREATH_DB = [-26, -14] as const;

const CONFIG = resolveEditConfig({ breath: true });

/** Finds the breaths of two people who talk in turn, each with a microphone. */
export async function breathBars(voices: readonly Voice[], folder: string): Promise<Bar[]> {
	const bars: Bar[] = [];
	const all: Tally[] = [];
	for (const [index, hasFan] of [false, false, false, true].entries()) {
		const pair = [voices[(2 * index) % 6], voices[((2 * index) % 6) + 1]];
		const { tracks, events } = talkOf(pair, hasFan, new Chance(index + 1));
		const read = [];
		for (const [track, samples] of tracks.entries()) {
			const place = join(folder, `breaths-${track}`);
			await rm(place, { recursive: true, force: true });
			await mkdir(place);
			read.push(await trackOf(samples, join(place, 'track')));
		}
		const tally = tallyOf(['breath'], events, await findEdits(CONFIG, read));
		if (!hasFan) all.push(tally);
		const who = pair.map(({ name }) => name).join(' and ');
		bars.push({
			name: `breaths found on two tracks${hasFan ? ', a fan' : ''}, ${who}`,
			figure: tally.recall,
			limit: hasFan ? 0.5 : 0.8,
			goal: '>=',
		});
	}
	const { precision } = Tally.of(all);
	return [
		...bars,
		{ name: 'breaths on two tracks, precision', figure: precision, limit: 0.98, goal: '>=' },
	];
}

function talkOf(pair: readonly Voice[], hasFan: boolean, chance: Chance) {
	const placed: Placed[] = [];
	const events: KnownEvent[] = [];
	let frame = framesOf(1);
	const place = (person: number, samples: Float32Array, gain: number) => {
		placed.push({ person, start: frame, samples, gain });
		frame += samples.length;
	};
	for (let turn = 0; turn < 2 * TURNS; turn++) {
		const person = turn % 2;
		for (let sentence = 0; sentence < 2; sentence++) {
			frame += framesOf(chance.between(0.12, 0.4));
			const breath = breathSound(chance);
			const startSeconds = frame / framesOf(1);
			place(person, breath, SPEECH_RMS * fromDb(chance.between(...BREATH_DB)));
			events.push({
				kind: 'breath',
				startSeconds,
				endSeconds: frame / framesOf(1),
				isMasked: false,
			});
			frame += framesOf(chance.between(0.05, 0.35));
			place(person, chance.pick(pair[person].sentences).samples, SPEECH_RMS);
		}
	}
	const length = frame + framesOf(1);
	const alone = aloneOf(placed, length);
	const tracks = alone.map((own, track) => {
		const over = scaled(inRoom(alone[1 - track], RT60_SECONDS, chance), fromDb(BLEED_DB));
		const noise = hasFan
			? scaled(noiseSound('fan', length, chance), SPEECH_RMS * fromDb(FAN_DB))
			: roomTone(length, ROOM_DB, chance);
		return own.map((sample, i) => sample + over[i] + noise[i]);
	});
	return { tracks, events };
}
