/** What the service's package is compiled from: its product, and nothing of its proof. */
import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import { test } from 'node:test';

import { execa } from 'execa';

const SERVICE = join(import.meta.dirname, '..');
const ROOT = join(SERVICE, '..');

/** The sources of the repository that a build of the service compiles, relative to the root. */
async function compiledFiles(): Promise<string[]> {
	const args = ['-p', join(SERVICE, 'tsconfig.build.json'), '--listFilesOnly'];
	const { stdout } = await execa('tsc', args, { preferLocal: true, localDir: ROOT });
	const paths = stdout.split('\n').map((path) => relative(ROOT, path));
	return paths.filter((path) => !path.startsWith('..') && !path.includes('node_modules'));
}

await test('the package holds the service and the contract, and no test, evaluation or benchmark', async () => {
	const files = await compiledFiles();
	assert.ok(files.includes('service/cli/main.mts'));
	const rooms = new Set(files.map((path) => path.split('/').slice(0, 2).join('/')));
	assert.deepEqual([...rooms].sort(), [
		'api/contract',
		'api/sanitizeText.ts',
		'docs/openapi.json',
		'service/cli',
		'service/engine',
		'service/http',
		'service/mail',
		'service/media',
		'service/outbound',
		'service/queue',
		'service/shared',
		'service/store',
		'service/text',
		'service/work',
	]);
});
