/** That the rules for all of the code find what they forbid, in code that ships and in tests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ESLint } from 'eslint';

const eslint = new ESLint({ overrideConfigFile: 'eslint.all.config.mjs' });

/** Returns the rules that a text breaks as the file with this path. */
async function brokenRules(filePath: string, text: string): Promise<(string | null)[]> {
	const [{ messages }] = await eslint.lintText(text, { filePath });
	return messages.map(({ ruleId }) => ruleId);
}

const lines = (count: number) => 'call();\n'.repeat(count);

for (const path of ['nodes/one.ts', 'service/one.mts', 'test/one.test.ts', 'test/one.cjs']) {
	await test(`${path} may have 250 lines of code, and a function 60`, async () => {
		assert.deepEqual(await brokenRules(path, `// A comment.\n\n${lines(250)}`), []);
		assert.deepEqual(await brokenRules(path, lines(251)), ['max-lines']);
		assert.deepEqual(await brokenRules(path, `function one() {\n${lines(58)}}\n`), []);
		assert.deepEqual(await brokenRules(path, `function one() {\n${lines(59)}}\n`), [
			'max-lines-per-function',
		]);
	});

	await test(`${path} may spread a name, but no literal`, async () => {
		assert.deepEqual(await brokenRules(path, 'call([...names], { ...named });'), []);
		for (const literal of ['call([...[1], 2]);', 'call({ ...{ a: 1 }, b: 2 });']) {
			assert.deepEqual(await brokenRules(path, literal), ['no-restricted-syntax']);
		}
	});
}

await test('a literal with a type is not spread either', async () => {
	for (const text of ['call([...([1] as const), 2]);', 'call({ ...({ a: 1 } satisfies A) });']) {
		assert.deepEqual(await brokenRules('service/one.mts', text), ['no-restricted-syntax']);
	}
});

for (const name of [
	'MOST_EDITS',
	'SHORTEST_CUE_MS',
	'EDITS_MAXIMUM',
	'EDITS_AT_MOST',
	'WAIT_MINIMUM_MS',
	'MAXIMUM_EDITS',
	'LARGEST_COVER_BYTES',
]) {
	await test(`a limit is not called ${name}`, async () => {
		const text = `export const ${name} = 1;`;
		assert.deepEqual(await brokenRules('service/one.mts', text), ['no-restricted-syntax']);
		assert.deepEqual(await brokenRules('api/one.ts', text), ['no-restricted-syntax']);
	});
}

await test('a limit is called MAX_EDITS or MIN_WAIT_MS', async () => {
	const text = 'export const MAX_EDITS = 1;\nconst MIN_WAIT_MS = ALMOST_ALL + SHORTEST_WAIT_MS;';
	assert.deepEqual(await brokenRules('service/one.mts', text), []);
});

/** Pieces of code that only testkit/ may contain. */
const CLOCK = 'const time = { now: () => 0, timeOfDay: () => 0 };';
const SERVICE_CLOCK = 'class Clock implements ServiceClock {}';
const SERVER = "import { createServer as create } from 'node:http';";

for (const [path, code] of [
	['bench/one.mts', CLOCK],
	['service/test/one.test.mts', SERVICE_CLOCK],
	['test/one.test.ts', SERVER],
	['api/time.ts', SERVER],
	['bench/one.mts', 'http.createServer(answer);'],
	['test/faults/listener.ts', CLOCK],
] as const) {
	await test(`${path} may not have: ${code}`, async () => {
		assert.deepEqual(await brokenRules(path, code), ['no-restricted-syntax']);
	});
}

for (const [path, code] of [
	['testkit/one.ts', CLOCK],
	['testkit/one.mts', SERVICE_CLOCK],
	['testkit/one.mts', SERVER],
	['api/time.ts', CLOCK],
	['test/faults/listener.ts', SERVER],
] as const) {
	await test(`${path} may have: ${code}`, async () => {
		assert.deepEqual(await brokenRules(path, code), []);
	});
}
