import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { parse } from 'yaml';
import { z } from 'zod';

import { helpText } from '../../service/shared/settings.mts';
import { reply, startOutsideServer } from './support/servers.mts';

const DOCKERFILE = 'service/Dockerfile';

const composeSchema = z.object({
	services: z.record(
		z.object({
			environment: z.record(z.string()),
			networks: z.array(z.string()),
			volumes: z.array(z.string()),
			healthcheck: z.object({}).passthrough().optional(),
			image: z.string().optional(),
			build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
		}),
	),
	networks: z.record(z.unknown()),
	volumes: z.record(z.unknown()),
});

const dockerfile = await readFile(DOCKERFILE, 'utf8');
const compose = composeSchema.parse(parse(await readFile('compose.yaml', 'utf8')));

await test('Dockerfile and compose file set only variables that the service reads', () => {
	const texts = [dockerfile, JSON.stringify(compose)].join('\n');
	const variables = new Set(texts.match(/LOCAL_SERVICE_[A-Z_]+/g));
	assert.ok(variables.size >= 5);
	for (const variable of variables) assert.ok(helpText().includes(variable), variable);
});

await test('the image is made of files that exist and that .dockerignore lets through', async () => {
	const copies = [...dockerfile.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, paths]) =>
		paths.split(' '),
	);
	const lines = (await readFile('.dockerignore', 'utf8')).split('\n');
	assert.ok(copies.length >= 6);
	for (const path of copies) {
		assert.ok(existsSync(path), path);
		assert.ok(
			lines.some((line) => `!${path}/`.startsWith(`${line}/`)),
			path,
		);
	}
});

await test('the image runs without root, is checked, and passes signals on', () => {
	assert.match(dockerfile, /^USER 1000$/m);
	const [, check] = /^HEALTHCHECK [^]+?\/dist\/(\S+)\.mjs"\]$/m.exec(dockerfile) ?? [];
	assert.ok(existsSync(`${check}.mts`), check);
	assert.match(dockerfile, /^ENTRYPOINT \["tini", "--", /m);
	assert.doesNotMatch(dockerfile, /^FROM [^\s:]+( |$)|:latest/m);
});

/** Returns the exit code of the health check in a container with these variables. */
async function checkHealth(variables: NodeJS.ProcessEnv): Promise<number | null> {
	const check = spawn(process.execPath, ['service/cli/healthCheck.mts'], {
		env: { ...process.env, ...variables },
		stdio: 'inherit',
	});
	const [code] = (await once(check, 'exit')) as [number | null];
	return code;
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

	await using broken = await startOutsideServer((_visit, response) => {
		reply(response, 503);
	});
	assert.equal(await checkHealth({ LOCAL_SERVICE_PORT: new URL(broken.url).port }), 1);
});

await test('the services of the compose file share a network, keep their data and are checked', () => {
	const [network, ...others] = Object.keys(compose.networks);
	assert.deepEqual(others, []);
	for (const [name, service] of Object.entries(compose.services)) {
		assert.deepEqual(service.networks, [network], name);
		assert.ok(service.volumes.length > 0, name);
		for (const volume of service.volumes)
			assert.ok(volume.split(':')[0] in compose.volumes, volume);
		// What is built here has the check of its Dockerfile.
		assert.ok(service.healthcheck ?? service.build, name);
		if (service.build) assert.equal(service.build.dockerfile, DOCKERFILE);
		else assert.match(service.image ?? '', /:\d+\.\d+\.\d+$/);
	}
});
