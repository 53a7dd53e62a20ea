import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { execa } from 'execa';

import { helpText } from '../shared/settings.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { Client, send } from '../../testkit/service/client.mts';
import { shortRecording } from '../../testkit/service/recordings.mts';
import { answering, reply, startOutsideServer } from '../../testkit/service/servers.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

/** How Node.js starts a service on a free port; the path of its storage comes last. */
const PROGRAM = '--import tsx service/cli/main.mts --port 0 --storage'.split(' ');

const spawnAsNpm = (script: string, ...words: string[]) =>
	spawn('sh', ['-c', script, process.execPath, ...words], {
		env: { ...process.env, npm_lifecycle_event: 'service' },
		stdio: ['ignore', 'pipe', 'inherit'],
	});

await test('a service started by npm prints its pid and stops when npm is killed', async () => {
	// A shell acts as npm.
	await stopsWithNpm('"$0" "$@" & wait');
});

const NEEDS_PROC = { skip: process.platform !== 'linux' };

await test('it also stops when the shell survives that npm had started', NEEDS_PROC, async () => {
	await stopsWithNpm('sh -c \'"$0" "$@" & wait\' "$0" "$@" & wait');
});

await test('it goes on when the shell ends in which npm was started', NEEDS_PROC, async () => {
	await using storage = await temporaryFolder();
	const args = JSON.stringify([...PROGRAM, storage.path, '--json-ready']);
	// Node acts as npm: like npm, it is no shell.
	const npm = `const service = require('child_process').spawn(process.execPath, ${args}, { stdio: 'inherit' });
		console.log('service', service.pid)`;
	const shell = spawnAsNpm('"$0" "$@" & wait', '-e', npm);
	let said = '';
	shell.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
	const pid = await eventually('its process', () => /service (\d+)/.exec(said)?.[1]);
	const url = await eventually('its URL', () => /"url":"([^"]+)/.exec(said)?.[1]);
	try {
		shell.kill('SIGKILL');
		await once(shell, 'exit');
		// Two looks of the service at its parents.
		await wait(2_500);
		assert.equal((await send('GET', url)).status, 200);
	} finally {
		process.kill(Number(pid), 'SIGKILL');
	}
});

async function stopsWithNpm(script: string) {
	await using storage = await temporaryFolder();
	const parent = spawnAsNpm(script, ...PROGRAM, storage.path);
	let banner = '';
	parent.stdout.setEncoding('utf8').on('data', (text: string) => (banner += text));
	const ended = once(parent.stdout, 'end');
	const url = await eventually('the banner', () => /URL +(\S+)[^]*ffmpeg/.exec(banner)?.[1]);
	const pid = Number(/Process +(\d+)/.exec(banner)?.[1]);
	assert.ok(pid > 0 && pid !== parent.pid, banner);
	assert.equal(process.kill(pid, 0), true);
	assert.equal((await send('GET', url)).status, 200);

	parent.kill('SIGKILL');
	await eventually('the service is gone', () =>
		send('GET', url).then(
			() => undefined,
			() => true,
		),
	);
	// The pipe ends only once the service, which has the other end, is gone.
	await ended;
}

await test('a service whose log nobody reads any more keeps answering', async () => {
	await using storage = await temporaryFolder();
	const child = spawn(process.execPath, [...PROGRAM, storage.path, '--json-ready']);
	try {
		const ended = once(child, 'exit').then(() => assert.fail('the service ended'));
		const started = once(child.stdout.setEncoding('utf8'), 'data');
		const [line] = (await Promise.race([started, ended])) as [string];
		const { url, apiKey } = JSON.parse(line.slice('ready '.length)) as Record<string, string>;
		child.stderr.destroy();
		child.stdout.destroy();
		const client = new Client(url, apiKey);
		// Each upload writes a line to the log.
		for (let round = 0; round < 3; round++) await client.upload(shortRecording);
		assert.equal((await send('GET', `${url}/health`)).status, 200);
	} finally {
		child.kill('SIGKILL');
	}
});

const dockerfile = await readFile('service/Dockerfile', 'utf8');
const compose = await readFile('compose.yaml', 'utf8');

await test('Dockerfile and compose file set only variables that the service reads', () => {
	const texts = dockerfile + compose;
	const variables = new Set(texts.match(/LOCAL_SERVICE_[A-Z_]+/g));
	assert.ok(variables.size >= 5);
	for (const variable of variables) assert.ok(helpText().includes(variable), variable);
});

for (const name of ['service/Dockerfile', 'container/Dockerfile']) {
	await test(`the image of ${name} is made of files that exist and that .dockerignore lets through`, async () => {
		const copied = (await readFile(name, 'utf8')).matchAll(/^COPY (?!--from=)(.+) \S+$/gm);
		const copies = [...copied].flatMap(([, paths]) => paths.split(' '));
		const lines = (await readFile('.dockerignore', 'utf8')).split('\n');
		assert.ok(copies.length >= 6);
		for (const path of copies) {
			assert.ok(existsSync(path), path);
			const isLetThrough = (line: string) => `!${path}/`.startsWith(`${line}/`);
			assert.ok(lines.some(isLetThrough), path);
		}
	});
}

await test('the image runs without root, is checked, and passes signals on', () => {
	assert.match(dockerfile, /^USER 1000$/m);
	const [, check] = /^HEALTHCHECK [^]+?\/dist\/(\S+)\.mjs"\]$/m.exec(dockerfile) ?? [];
	assert.ok(existsSync(`${check}.mts`), check);
	assert.match(dockerfile, /^ENTRYPOINT \["tini", "--", /m);
	assert.doesNotMatch(dockerfile, /^FROM [^\s:]+( |$)|:latest/m);
});

/** Returns the exit code of the health check in a container with these variables. */
async function checkHealth(env: NodeJS.ProcessEnv) {
	const check = execa(process.execPath, ['service/cli/healthCheck.mts'], { env, reject: false });
	return (await check).exitCode;
}

await test('a container is healthy while its service answers, and always if it runs a worker', async () => {
	const healthy = await startOutsideServer((visit, response) => {
		reply(response, visit.url === '/health' ? 200 : 404);
	});
	const { port } = new URL(healthy.url);
	assert.equal(await checkHealth({ LOCAL_SERVICE_PORT: port }), 0);
	await healthy[Symbol.asyncDispose]();
	assert.equal(await checkHealth({ LOCAL_SERVICE_PORT: port }), 1);
	assert.equal(await checkHealth({ LOCAL_SERVICE_PORT: port, LOCAL_SERVICE_WORKER: 'true' }), 0);

	await using broken = await startOutsideServer(answering(503));
	assert.equal(await checkHealth({ LOCAL_SERVICE_PORT: new URL(broken.url).port }), 1);
});
