import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { helpText, readSettings } from '../shared/settings.mts';
import { withVariables } from '../../testkit/process/variables.mts';

await test('a flag can come from the environment, and the command line wins', async () => {
	const variables = {
		LOCAL_SERVICE_PUBLIC_URL: 'https://edit.example/',
		LOCAL_SERVICE_SUBMISSIONS_PER_MINUTE: '12',
		LOCAL_SERVICE_PUBLIC_PAGE: 'true',
	};
	await withVariables(variables, () => {
		const { publicUrl, submissionsPerMinute, publicPage } = readSettings([]);
		assert.equal(publicUrl, 'https://edit.example');
		assert.deepEqual([submissionsPerMinute, publicPage], [12, true]);
		assert.equal(readSettings(['--submissions-per-minute', '40']).submissionsPerMinute, 40);
	});
});

await test('a variable holds several API keys, so that none is seen on a command line', async () => {
	await withVariables({ LOCAL_SERVICE_API_KEY: ' key-of-ann key-of-bob=enterprise ' }, () => {
		assert.deepEqual(readSettings([]).apiKeys, [
			{ key: 'key-of-ann', plan: 'standard' },
			{ key: 'key-of-bob', plan: 'enterprise' },
		]);
	});
});

await test('an unsuitable variable is refused, without showing its value', async () => {
	await withVariables({ LOCAL_SERVICE_QUEUE: 'http://secret' }, () => {
		const message = /^LOCAL_SERVICE_QUEUE must begin/;
		assert.throws(() => readSettings([]), { name: 'WrongUsage', message });
		assert.equal(readSettings(['--help']).help, true);
	});
	await withVariables({ LOCAL_SERVICE_WORKER: 'false' }, () => {
		const message = 'LOCAL_SERVICE_WORKER must be true, or not be set';
		assert.throws(() => readSettings([]), { name: 'WrongUsage', message });
	});
});

await test('help and configure.md name the same flags, and help the variable of each', async () => {
	const help = helpText();
	const flags = [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag);
	const page = await readFile('docs/service/configure.md', 'utf8');
	const rows = [...page.matchAll(/^\| `(--[a-z-]+)`/gm)].map(([, flag]) => flag);
	assert.deepEqual([...rows, '--version', '--help'], flags);
	for (const flag of rows) {
		const variable = `LOCAL_SERVICE_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
		assert.ok(help.replace(/\s+/g, ' ').includes(`env: ${variable})`), variable);
	}
});

await test('--files names a bucket, and may name a prefix, a server and a region', () => {
	assert.equal(readSettings([]).files, undefined);
	const bucket = 'recordings.example';
	const own = { bucket, prefix: '', endpoint: undefined, region: undefined };
	const filesOf = (rest: string) => readSettings(['--files', `s3://${bucket}${rest}`]).files;
	assert.deepEqual(filesOf(''), own);
	assert.deepEqual(filesOf('/a/b/?region=eu-1'), { ...own, prefix: 'a/b/', region: 'eu-1' });
	const endpoint = 'http://127.0.0.1:9000';
	for (const query of [endpoint, encodeURIComponent(endpoint)]) {
		assert.deepEqual(filesOf(`?endpoint=${query}`), { ...own, endpoint });
	}
});

await test('refuses an unsuitable --files', () => {
	for (const [value, complaint] of [
		['/srv/files', /^--files must be s3:/],
		['s3://', /must be s3:|must name a bucket/],
		['s3://a', /must name a bucket/],
		['s3://key:secret@bucket', /takes no credentials/],
		['s3://bucket/a//b', /unsuitable prefix/],
		['s3://bucket/a b', /unsuitable prefix/],
		['s3://bucket?endpoint=ftp://x', /endpoint that is not an http/],
		['s3://bucket?acl=public', /only endpoint and region/],
	] as const) {
		const error = { name: 'WrongUsage', message: complaint };
		assert.throws(() => readSettings(['--files', value]), error, value);
	}
	const secret = () => readSettings(['--files', 's3://key:secret@bucket']);
	assert.throws(secret, ({ message }: Error) => !message.includes('secret'));
});

await test('contradictory flags are refused', () => {
	const queue = ['--queue', 'redis://127.0.0.1'];
	for (const [flags, message] of [
		[['--worker'], /--worker needs --queue/],
		[['--queue', 'http://127.0.0.1'], /--queue must begin with redis/],
		[[...queue, '--clock-speed', '100'], /--clock-speed excludes --queue/],
		[['--concurrency', '0'], /--concurrency must be a whole number, at least 1/],
		[[...queue, '--worker', '--concurrency', '0'], /--concurrency must be .* at least 1/],
		[[...queue, '--lease-seconds', '0'], /--lease-seconds must be/],
	] as const) {
		assert.throws(() => readSettings(flags), { message });
	}
	assert.equal(readSettings([...queue, '--concurrency', '0']).concurrency, 0);
});
