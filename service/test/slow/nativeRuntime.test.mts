import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { execa } from 'execa';

import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';

const SERVICE = join(import.meta.dirname, '../..');

// As in the container image (service/Dockerfile).
await using folder = await temporaryFolder();
await execa('sh', [join(SERVICE, 'engine/networks/native.sh'), folder.path]);
const env = { NODE_PATH: join(folder.path, 'node_modules') };

await test('networks run with onnxruntime-node where it is installed, and by themselves where not', async () => {
	const module = join(SERVICE, 'engine/networks/onnxRuntime/runtime.mts');
	const command = `import('${module}').then((it) => console.log(it.isNative))`;
	const runtime = async (more: Readonly<Record<string, string>>) => {
		return (await execa(process.execPath, ['-e', command], { env: more })).stdout;
	};
	assert.equal(await runtime(env), 'true');
	assert.equal(await runtime({ NODE_PATH: '' }), 'false');
});

for (const file of [
	'audience',
	'deepFilterNet',
	'denoising',
	'heardSpeech',
	'music',
	'speakers',
	'threadEnds',
]) {
	await test(`with onnxruntime-node, ${file}.test.mts is green`, async () => {
		const command = [...process.execArgv, '--test', join(SERVICE, 'test', `${file}.test.mts`)];
		await execa(process.execPath, command, { env: { ...env, NODE_TEST_CONTEXT: undefined } });
	});
}
