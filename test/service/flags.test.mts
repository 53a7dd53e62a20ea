import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, test } from 'node:test';

import { helpText, readSettings } from '../../service/shared/settings.mts';

let before: NodeJS.ProcessEnv;

beforeEach(() => {
	before = { ...process.env };
});

afterEach(() => {
	process.env = before;
});

await test('a flag can come from the environment, and the command line wins', () => {
	process.env['LOCAL_SERVICE_PUBLIC_URL'] = 'https://edit.example/';
	process.env['LOCAL_SERVICE_SUBMISSIONS_PER_MINUTE'] = '12';
	process.env['LOCAL_SERVICE_PUBLIC_PAGE'] = 'true';
	assert.equal(readSettings([]).publicUrl, 'https://edit.example');
	assert.equal(readSettings([]).submissionsPerMinute, 12);
	assert.equal(readSettings([]).publicPage, true);
	assert.equal(readSettings(['--submissions-per-minute', '40']).submissionsPerMinute, 40);
});

await test('an unsuitable variable is refused, without telling its value', () => {
	process.env['LOCAL_SERVICE_QUEUE'] = 'http://secret';
	assert.throws(() => readSettings([]), {
		name: 'WrongUsage',
		message: /^LOCAL_SERVICE_QUEUE must begin/,
	});
	assert.equal(readSettings(['--help']).help, true);
	delete process.env['LOCAL_SERVICE_QUEUE'];
	process.env['LOCAL_SERVICE_WORKER'] = 'false';
	const message = 'LOCAL_SERVICE_WORKER must be true, or not be set';
	assert.throws(() => readSettings([]), { name: 'WrongUsage', message });
});

await test('help and README name the same flags, and help the variable of each', async () => {
	const help = helpText();
	const flags = [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag);
	const readme = await readFile('service/README.md', 'utf8');
	const rows = [...readme.matchAll(/^\| `(--[a-z-]+)`/gm)].map(([, flag]) => flag);
	assert.deepEqual([...rows, '--help'], flags);
	for (const flag of rows) {
		const variable = `LOCAL_SERVICE_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
		assert.ok(help.replace(/\s+/g, ' ').includes(`env: ${variable})`), variable);
	}
});
