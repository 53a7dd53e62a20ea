import assert from 'node:assert/strict';
import { test } from 'node:test';

import { besideMusic, busyBackground } from '../engine/detection/background.mts';
import { combineTracks } from '../engine/detection/combineTracks.mts';
import { findBreaths } from '../engine/detection/breaths.mts';
import { newFeatures } from '../engine/detection/features.mts';
import { findLongSilences } from '../engine/detection/longSilences.mts';
import { ownVoiceOf, type Scene, sceneOf } from '../engine/detection/scene.mts';
import { findStutters } from '../engine/detection/stutters.mts';
import { DEFAULT_EDIT_LIMITS } from '../shared/editLimits.mts';
import { assertNear } from './support/assertNear.mts';

const HOPS = 4_000;

/** What is heard of a sound: its level with the noise and after its reduction, its voicing, and its pitch. */
type Sound = readonly [
	rawDb: number,
	denoisedDb: number,
	voicing: number,
	pitchHz?: (hop: number) => number,
];

/** A voice rises and falls. */
const gliding = (hop: number) => 120 * 2 ** (Math.abs((hop % 40) - 20) / 40);
const held = (hop: number) => (hop % 60 < 30 ? 220 : 294);

const WORD: Sound = [-20, -20, 220, gliding];

function sceneWhere(at: (hop: number) => Sound): Scene {
	const [raw, denoised] = [newFeatures(HOPS), newFeatures(HOPS)];
	for (let hop = 0; hop < HOPS; hop++) {
		const [rawDb, denoisedDb, voicing, pitchHz = held] = at(hop);
		// Levels of noise are never the same.
		raw.levels[hop] = rawDb + (hop % 3);
		denoised.levels[hop] = denoisedDb;
		raw.voicing[hop] = denoised.voicing[hop] = voicing;
		denoised.pitchHz[hop] = pitchHz(hop);
	}
	raw.isVoice.fill(1);
	return sceneOf({ raw, denoised });
}

/** Somebody speaks from second to second and stops from 16 to 18 s, where there may be a soft word. */
function sceneIn(noise: Sound, soft = noise, rest = noise): Scene {
	return sceneWhere((hop) => {
		if (hop >= 1_640 && hop < 1_720) return soft;
		if (hop >= 1_600 && hop < 1_800) return rest;
		return hop % 100 < 60 ? WORD : noise;
	});
}

const silencesIn = (...sounds: Parameters<typeof sceneIn>) => silencesOf(sceneIn(...sounds), 0);

function silencesOf(scene: Scene, isBusy: 0 | 1): number[][] {
	const silences = findLongSilences(scene, new Uint8Array(HOPS).fill(isBusy), DEFAULT_EDIT_LIMITS);
	return silences.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds].map(Math.round));
}

const FOUND = [[16, 18]];

await test('what is left of hum is no voice, however much it repeats itself', () => {
	const hum: Sound = [-35, -70, 90];
	assert.deepEqual(silencesIn(hum, [-35, -65, 220], [-35, -65, 220]), FOUND);
	assert.deepEqual(silencesIn(hum, [-35, -45, 220]), [], 'a soft word over hum');
});

await test('a pause is found in a fan that is hardly softer than the voice', () => {
	const fan: Sound = [-26, -46, 75];
	assert.deepEqual(silencesIn(fan), FOUND);
	assert.deepEqual(silencesIn(fan, [-24, -46, 75]), [], 'a word that the noise reduction removed');
	assert.deepEqual(silencesIn(fan, [-26, -36, 75]), [], 'a word that does not raise the level');
});

const NEAR_FAN: Sound = [-36, -56, 75];

await test('keeps a second speaker who is hardly louder than a fan, by the voice', () => {
	assert.deepEqual(silencesIn(NEAR_FAN, [-34, -46, 75]), FOUND, 'without a voice it is noise');
	assert.deepEqual(silencesIn(NEAR_FAN, [-34, -46, 190]), []);
});

await test('keeps an unvoiced sound that stands out from a fan in some bands only', () => {
	const rawExcessDb = new Float32Array(HOPS).fill(1).fill(5, 1_640, 1_720);
	const scene = { ...sceneIn(NEAR_FAN, [-34, -46, 75]), rawExcessDb };
	assert.deepEqual(silencesOf(scene, 0), []);
	assert.deepEqual(silencesOf(scene, 1), FOUND, 'over music that says nothing');
});

await test('the soft end of a word stays where somebody hardly pauses', () => {
	const silencesAfter = (end: Sound) => {
		const scene = sceneWhere((hop) => {
			if (hop >= 1_600 && hop < 1_640) return end;
			return hop >= 1_600 && hop < 1_800 ? [-75, -75, 75] : WORD;
		});
		const silences = findLongSilences(scene, new Uint8Array(HOPS), DEFAULT_EDIT_LIMITS);
		return silences.map(({ startSeconds }) => Math.round(10 * startSeconds));
	};
	const [pause, afterEnd] = [162, 166];
	assert.deepEqual(silencesAfter([-75, -75, 75]), [pause]);
	assert.deepEqual(silencesAfter([-50, -50, 75]), [afterEnd], 'soft, and 25 dB above the pause');
	assert.deepEqual(silencesAfter([-62, -62, 75]), [pause], 'an echo');
	assert.deepEqual(silencesAfter([-70, -42, 75]), [afterEnd], 'heard when the noise is reduced');
});

await test('more of a pause stays where noise may hide the soft end of a word', () => {
	const startIn = (db: number) => {
		const isPause = (hop: number) => hop < 200 || (hop >= 1_600 && hop < 1_800);
		const scene = sceneWhere((hop) => (isPause(hop) ? [db, -75, 75] : WORD));
		const [beginning, silence] = findLongSilences(scene, new Uint8Array(HOPS), DEFAULT_EDIT_LIMITS);
		assert.equal(beginning.startSeconds, 0, 'no word comes before');
		// A track on which nobody speaks does not take more.
		const whole = { ...silence, startSeconds: silence.startSeconds - 0.15 };
		const [cut] = combineTracks([[silence], [whole]], [ownVoiceOf(scene), new Uint8Array(HOPS)]);
		assertNear(cut.startSeconds, silence.startSeconds, 0.03, 'seconds on two tracks');
		return silence.startSeconds;
	};
	assertNear(startIn(-39), 16.35, 0.02, 'seconds');
	assertNear(startIn(-45), 16.2, 0.02, 'seconds');
});

await test('a pause over music is found by what does not glide, and a soft second speaker stays', () => {
	const music: Sound = [-45, -45, 230];
	const loudNotes: Sound = [-36, -36, 230];
	assert.deepEqual(silencesOf(sceneIn(music, loudNotes), 1), FOUND);
	assert.deepEqual(silencesOf(sceneIn(music, loudNotes), 0), [], 'in steady noise it is a sound');
	const clean: Sound = [-80, -80, 75];
	assert.deepEqual(silencesOf(sceneIn(clean, music), 1), [], 'in a clean recording it is a voice');
	assert.deepEqual(silencesOf(sceneIn(music, [-40, -40, 230, gliding]), 1), []);
});

await test('music as loud as a soft voice makes the background busy', () => {
	const isBusyIn = (background: Sound, excessDb: number) => {
		const scene = sceneIn(background);
		return busyBackground({ ...scene, rawExcessDb: new Float32Array(HOPS).fill(excessDb) })[2_000];
	};
	assert.equal(isBusyIn([-40, -40, 230], 3), 1);
	assert.equal(isBusyIn([-40, -40, 230], 0), 0, 'a note that is held like hum');
	assert.equal(isBusyIn([-40, -40, 75], 3), 0, 'noise');
});

await test('syllables in loud noise are no stutter', () => {
	const stuttersIn = (noise: Sound) => {
		const isWord = (hop: number) => (hop >= 1_778 && hop < 1_790) || hop % 200 < 160;
		return findStutters(sceneWhere((hop) => (isWord(hop) ? WORD : noise)));
	};
	assert.equal(stuttersIn([-60, -70, 75]).length, 1);
	assert.equal(stuttersIn([-32, -52, 75]).length, 0);
});

await test('a note of a jingle between two sentences is no filler', () => {
	const jingle: Sound = [-24, -24, 230];
	const pause: Sound = [-80, -80, 75];
	const isNoteIn = (word: Sound) => {
		const scene = sceneWhere((hop) => {
			if (hop >= 1_600 && hop < 2_100) return jingle;
			return hop % 100 < 60 ? word : pause;
		});
		const isBesideMusic = besideMusic(scene);
		return [7.7, 15.7, 18, 20.5].map((it) =>
			isBesideMusic({ startSeconds: it, endSeconds: it + 0.5 }),
		);
	};
	assert.deepEqual(isNoteIn(WORD), [false, true, true, true]);
	const monotone: Sound = [-20, -20, 220];
	assert.deepEqual(isNoteIn(monotone), [false, false, false, false], 'a voice that never glides');
});

await test('a speaker who breathes in every pause hides no breath', () => {
	const isBreath = (hop: number) => hop % 100 >= 68 && hop % 100 < 92;
	const scene = sceneWhere((hop) => {
		if (hop % 100 < 50) return WORD;
		const swellDb = 8 * Math.sin((Math.PI * ((hop % 100) - 68)) / 24);
		return isBreath(hop) ? [-62 + swellDb, -70, 60] : [-80, -80, 60];
	});
	const rawExcessDb = Float32Array.from({ length: HOPS }, (_, hop) => (isBreath(hop) ? 7 : 0));
	assert.equal(findBreaths({ ...scene, rawExcessDb }, 'all').length, HOPS / 100);
});
