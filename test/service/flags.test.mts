import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { helpText, readSettings } from '../../service/shared/settings.mts';

/** Runs a check with these environment variables. */
function withVariables(variables: Readonly<Record<string, string>>, check: () => void): void {
	const before = process.env;
	process.env = { ...before, ...variables };
	try {
		check();
	} finally {
		process.env = before;
	}
}

await test('a flag can come from the environment, and the command line wins', () => {
	const variables = {
		LOCAL_SERVICE_PUBLIC_URL: 'https://edit.example/',
		LOCAL_SERVICE_SUBMISSIONS_PER_MINUTE: '12',
		LOCAL_SERVICE_PUBLIC_PAGE: 'true',
	};
	withVariables(variables, () => {
		assert.equal(readSettings([]).publicUrl, 'https://edit.example');
		assert.equal(readSettings([]).submissionsPerMinute, 12);
		assert.equal(readSettings([]).publicPage, true);
		assert.equal(readSettings(['--submissions-per-minute', '40']).submissionsPerMinute, 40);
	});
});

await test('a variable holds several API keys, so that none is seen on a command line', () => {
	withVariables({ LOCAL_SERVICE_API_KEY: ' key-of-ann key-of-bob=enterprise ' }, () => {
		assert.deepEqual(readSettings([]).apiKeys, [
			{ key: 'key-of-ann', plan: 'standard' },
			{ key: 'key-of-bob', plan: 'enterprise' },
		]);
	});
});

await test('an unsuitable variable is refused, without showing its value', () => {
	withVariables({ LOCAL_SERVICE_QUEUE: 'http://secret' }, () => {
		assert.throws(() => readSettings([]), {
			name: 'WrongUsage',
			message: /^LOCAL_SERVICE_QUEUE must begin/,
		});
		assert.equal(readSettings(['--help']).help, true);
	});
	withVariables({ LOCAL_SERVICE_WORKER: 'false' }, () => {
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
	const own = { endpoint: undefined, region: undefined };
	const filesOf = (value: string) => readSettings(['--files', value]).files;
	assert.deepEqual(filesOf(`s3://${bucket}`), { bucket, prefix: '', ...own });
	assert.deepEqual(filesOf(`s3://${bucket}/a/b/?region=eu-1`), {
		...{ bucket, prefix: 'a/b/', ...own },
		region: 'eu-1',
	});
	const endpoint = 'http://127.0.0.1:9000';
	const encoded = encodeURIComponent(endpoint);
	for (const query of [endpoint, encoded]) {
		const files = filesOf(`s3://${bucket}?endpoint=${query}`);
		assert.deepEqual(files, { bucket, prefix: '', ...own, endpoint });
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
		assert.throws(
			() => readSettings(['--files', value]),
			(error: Error) => {
				assert.equal(error.name, 'WrongUsage');
				assert.match(error.message, complaint);
				assert.ok(!error.message.includes('secret'));
				return true;
			},
			value,
		);
	}
});

await test('contradictory flags are refused', () => {
	const queue = ['--queue', 'redis://127.0.0.1'];
	const cases: Array<[string[], RegExp]> = [
		[['--worker'], /--worker needs --queue/],
		[['--queue', 'http://127.0.0.1'], /--queue must begin with redis/],
		[[...queue, '--clock-speed', '100'], /--clock-speed excludes --queue/],
		[['--concurrency', '0'], /--concurrency must be a whole number, at least 1/],
		[[...queue, '--worker', '--concurrency', '0'], /--concurrency must be .* at least 1/],
		[[...queue, '--lease-seconds', '0'], /--lease-seconds must be/],
	];
	for (const [flags, message] of cases) assert.throws(() => readSettings(flags), { message });
	assert.equal(readSettings([...queue, '--concurrency', '0']).concurrency, 0);
});
