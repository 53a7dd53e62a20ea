/** That lint's rules about imports find what they forbid. `npm run lint` applies them to the code. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { cruise } from 'dependency-cruiser';

import config, { CORE } from '../.dependency-cruiser.mjs';

/** Returns the rules that files break, as `rule: from → to`. */
async function brokenRules(files: Readonly<Record<string, string>>): Promise<string[]> {
	const baseDir = await mkdtemp(join(tmpdir(), 'audio-editing-imports-'));
	try {
		for (const [path, text] of Object.entries(files)) {
			await mkdir(join(baseDir, dirname(path)), { recursive: true });
			await writeFile(join(baseDir, path), text);
		}
		const { forbidden, options } = config;
		const folders = [...new Set(Object.keys(files).map((path) => path.split('/')[0]))];
		const here = { baseDir, tsConfig: undefined, validate: true, ruleSet: { forbidden } };
		const { output } = await cruise(folders, { ...options, ...here });
		assert.ok(typeof output !== 'string');
		const { violations } = output.summary;
		return violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).sort();
	} finally {
		await rm(baseDir, { recursive: true, force: true });
	}
}

await test('the API may not import a node', async () => {
	const files = {
		'api/one.ts': "import type { Two } from '../nodes/two';\nexport type One = Two;\n",
		'nodes/two.ts': 'export type Two = 2;\n',
	};
	assert.deepEqual(await brokenRules(files), ['api: api/one.ts → nodes/two.ts']);
});

await test('a node may import the API', async () => {
	const files = {
		'api/one.ts': 'export type One = 1;\n',
		'nodes/two.ts': "import type { One } from '../api/one';\nexport type Two = One;\n",
	};
	assert.deepEqual(await brokenRules(files), []);
});

await test('a step may not import a later one', async () => {
	const files = {
		'nodes/core/errors/one.ts': "export { two } from '../wait/two';\n",
		'nodes/core/wait/two.ts': 'export const two = 2;\n',
		'nodes/core/wait/three.ts': "export { four } from '../errors/four';\n",
		'nodes/core/errors/four.ts': 'export const four = 4;\n',
	};
	assert.deepEqual(await brokenRules(files), [
		'nodes/core/errors not a later folder: nodes/core/errors/one.ts → nodes/core/wait/two.ts',
	]);
	const folders = await readdir('nodes/core', { withFileTypes: true });
	const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
	assert.deepEqual(CORE.toSorted(), names.sort());
});

await test('the service reads the API only through its contract', async () => {
	const files = {
		'api/client.ts': 'export const client = 1;\n',
		'api/contract/index.ts': 'export const contract = 1;\n',
		'service/shared/contract.mts':
			"export { client } from '../../api/client.ts';\nexport { contract } from '../../api/contract/index.ts';\n",
	};
	assert.deepEqual(await brokenRules(files), [
		'service/shared: service/shared/contract.mts → api/client.ts',
	]);
});

for (const folder of ['bench', 'test', 'service/test']) {
	for (const [importer, rules] of [
		['service/shared', ['service/shared', `${folder} is imported by nobody else`]],
		['testkit', [`${folder} is imported by nobody else`]],
	] as const) {
		await test(`${importer} does not import ${folder}/`, async () => {
			const up = importer
				.split('/')
				.map(() => '..')
				.join('/');
			const files = {
				[`${folder}/one.mts`]: 'export const one = 1;\n',
				[`${importer}/two.mts`]: `export { one } from '${up}/${folder}/one.mts';\n`,
			};
			const importing = `${importer}/two.mts → ${folder}/one.mts`;
			assert.deepEqual(
				await brokenRules(files),
				rules.map((rule) => `${rule}: ${importing}`).sort(),
			);
		});
	}
}

await test("the service's tests may import the testkit", async () => {
	const files = {
		'testkit/one.mts': 'export const one = 1;\n',
		'service/test/two.mts': "export { one } from '../../testkit/one.mts';\n",
	};
	assert.deepEqual(await brokenRules(files), []);
});

await test('two files may not import each other, not even types', async () => {
	const files = {
		'bench/one.mts': "import type { Two } from './two.mts';\nexport type One = Two | 1;\n",
		'bench/two.mts': "import type { One } from './one.mts';\nexport type Two = One | 2;\n",
	};
	assert.deepEqual(await brokenRules(files), ['no circles: bench/one.mts → bench/two.mts']);
});
