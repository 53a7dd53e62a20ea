import assert from 'node:assert/strict';
import { test } from 'node:test';

import { OUTSIDE_TEXT_FUNCTIONS } from '../../bench/attack/outsideTexts.mts';
import { slowerThanLinear } from '../../bench/attack/textTrial.mts';

await test('finds a function that takes quadratic time', () => {
	const functions = {
		trimmed: (text: string) => text.replace(/\s+$/, ''),
		joined: (text: string) => Array.from(text).join(''),
	};
	assert.deepEqual(slowerThanLinear(functions, ['a', ' ']), ['trimmed: " "']);
});

for (const [name, read] of Object.entries(OUTSIDE_TEXT_FUNCTIONS)) {
	await test(`${name} takes linear time`, () => {
		assert.deepEqual(slowerThanLinear({ [name]: read }), []);
	});
}
