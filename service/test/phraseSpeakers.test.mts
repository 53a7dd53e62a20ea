import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Chance } from '../../testkit/measure/chance.mts';
import type { HeardPhrase } from '../engine/level/heardPhrases.mts';
import { phrasesOf } from '../engine/level/phraseLevels.mts';
import { speakersOf } from '../engine/level/speakers.mts';
import { assertNear } from './support/assertNear.mts';
import { directionOf, unit } from './support/randomVoices.mts';

/** Phrases of 2 s, one after the other: whose voice, how loud, and whether it is whispered. */
function phrasesBy(
	said: readonly { person: Float32Array; levelDb: number; isWhispered?: boolean }[],
	chance: Chance,
): HeardPhrase[] {
	return said.map(({ person, levelDb, isWhispered = false }, at) => {
		const start = 300 * at;
		const other = directionOf(chance);
		const voice = unit(person.map((one, i) => one + 0.5 * other[i]));
		const moments = isWhispered ? [] : [{ voice, weight: 1, middle: start + 100 }];
		const isVoiced = !isWhispered;
		return { start, end: start + 200, levelDb, speechSeconds: 2, isVoiced, moments };
	});
}

const levels = new Float32Array(100_000);

await test('gives asides and whispers to who says them, however soft', () => {
	for (let seed = 1; seed <= 20; seed++) {
		const chance = new Chance(seed);
		const [host, guest] = [directionOf(chance), directionOf(chance)];
		const said = Array.from({ length: 40 }, (_, at) => {
			const isHost = at % 8 < 4;
			const aside = at % 8 === 1 ? -14 : 0;
			const isWhispered = at === 9;
			return { person: isHost ? host : guest, levelDb: isHost ? -20 + aside : -34, isWhispered };
		});
		const found = speakersOf(phrasesBy(said, chance), levels);
		const first = found?.of[0];
		assert.deepEqual(
			found?.of.map((speaker) => speaker === first),
			said.map(({ person }) => person === host),
			`seed ${seed}`,
		);
		assertNear(Math.max(...found.levelsDb), -20, 1, 'dB');
		assertNear(Math.min(...found.levelsDb), -34, 1, 'dB');
	}
});

await test('leaves the soft end of a sentence to who says it, though a softer guest goes on after a pause', () => {
	for (let seed = 1; seed <= 20; seed++) {
		const chance = new Chance(seed);
		const [host, guest] = [directionOf(chance), directionOf(chance)];
		const said = Array.from({ length: 40 }, (_, at) => {
			return at % 2 === 0 ? { person: host, levelDb: -20 } : { person: guest, levelDb: -32 };
		});
		const pauseHops = chance.whole(10, 60);
		const speechSeconds = chance.between(0.2, 0.5);
		const phrases = phrasesBy(said, chance).flatMap((phrase, at) => {
			if (at % 2 > 0) return [phrase];
			// Too short to show whose voice it is.
			const end = { ...phrase, start: phrase.end, end: phrase.end + 100 - pauseHops };
			return [phrase, { ...end, levelDb: -36, speechSeconds, moments: [] }];
		});
		const found = speakersOf(phrases, levels);
		const first = found?.of[0];
		assert.deepEqual(
			found?.of.map((speaker) => speaker === first),
			phrases.map((_, at) => at % 3 < 2),
			`seed ${seed}`,
		);
	}
});

await test('tells two people who sound nearly alike apart by their levels, and never divides one', () => {
	for (let seed = 1; seed <= 20; seed++) {
		const chance = new Chance(seed);
		const host = directionOf(chance);
		const other = directionOf(chance);
		const guest = unit(host.map((one, i) => one + 0.65 * other[i]));
		const talk = (people: readonly Float32Array[]) =>
			Array.from({ length: 40 }, (_, at) => {
				return { person: people[at % 2], levelDb: at % 2 === 0 ? -20 : -32 };
			});
		const found = speakersOf(phrasesBy(talk([host, guest]), chance), levels);
		assert.equal(new Set(found?.of).size, 2, `seed ${seed}`);
		assert.equal(speakersOf(phrasesBy(talk([host, host]), chance), levels), null, `seed ${seed}`);
	}
});

await test('finds a quiet guest who sounds like one of the two voices that the host plays', () => {
	for (let seed = 1; seed <= 20; seed++) {
		const chance = new Chance(seed);
		const [host, part, other] = [directionOf(chance), directionOf(chance), directionOf(chance)];
		const guest = unit(part.map((one, i) => one + 0.55 * other[i]));
		const said = Array.from({ length: 60 }, (_, at) => {
			const person = [host, part, guest, part][at % 4];
			return { person, levelDb: person === guest ? -42 : -20 };
		});
		const found = speakersOf(phrasesBy(said, chance), levels);
		const quiet = found?.of.map((speaker) => found.levelsDb[speaker] < -35);
		const expected = said.map(({ person }) => person === guest);
		assert.deepEqual(quiet, expected, `seed ${seed}`);
	}
});

/** Speech of a level for some time: syllables of 0.2 s, with shorter gaps. */
function spokenAt(levelDb: number, seconds: number): number[] {
	return Array.from({ length: 100 * seconds }, (_, hop) => levelDb - (hop % 25 < 20 ? 0 : 12));
}

await test('divides what is said without a pause where a softer guest goes on, and no sentence that sinks', () => {
	const quiet = (hops: number) => Array.from({ length: hops }, () => -90);
	const phrasesIn = (said: readonly number[]) => {
		const heard = Float32Array.from([...quiet(100), ...said, ...quiet(100)]);
		return phrasesOf(
			heard,
			heard.map(() => -90),
			new Uint8Array(heard.length),
			-20,
		);
	};
	const turns = [-20, -38, -20, -36].flatMap((db) => [...spokenAt(db, 2), ...quiet(10)]);
	const found = phrasesIn(turns);
	assert.deepEqual(
		found.map(({ levelDb }) => Math.round(levelDb)),
		[-20, -38, -20, -36],
	);
	for (const [turn, { start }] of found.entries()) assertNear(start, 100 + 210 * turn, 20, 'hops');
	const sinking = spokenAt(-20, 4).map((db, hop) => db - hop / 50);
	assert.equal(phrasesIn(sinking).length, 1);
	// Each step is sought in all of what goes on without a pause, so that must not be without end.
	const endless = phrasesIn(spokenAt(-20, 150));
	assert.ok(endless.every(({ start, end }) => end - start <= 6_100));
});
