import assert from 'node:assert/strict';
import { cp, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { startLocalService } from '../cli/localService.mts';
import { readSettings } from '../shared/settings.mts';
import { startFromSources } from '../../testkit/service/localService.ts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

await using folder = await temporaryFolder();

const start = async (storage: string, flags: readonly string[] = []) =>
	await startLocalService(
		readSettings(['--port', '0', '--storage', storage, ...flags]),
		() => undefined,
	);

const whole = join(folder.path, 'whole');
await (await start(whole)).close();

const JUNK = Buffer.alloc(20_000, 'x');

/** Puts something else in the place of a file. */
async function replace(path: string, content: Buffer | string | null): Promise<string> {
	await rm(path, { recursive: true, force: true });
	if (content === null) await mkdir(path);
	else await writeFile(path, content);
	return path;
}

/** Overwrites the pages of a database behind its first one, which says what is where. */
async function damagePages(path: string): Promise<string> {
	await using file = await open(path, 'r+');
	await file.write(JUNK, 0, JUNK.length, 4_096);
	return path;
}

/** The path that the error must name, and flags of the service. */
type Named = [path: string, ...flags: string[]];

/** Damages a storage folder. */
const DAMAGES: Readonly<Record<string, (storage: string) => Named | Promise<Named>>> = {
	'secrets that are cut short': async (at) => [
		await replace(join(at, 'secrets.json'), '{"apiKey": "local-'),
	],
	'secrets that are something else': async (at) => [
		await replace(join(at, 'secrets.json'), 'null'),
	],
	'a folder in place of the secrets': async (at) => [await replace(join(at, 'secrets.json'), null)],
	'a database that is none': async (at) => [await replace(join(at, 'service.sqlite'), JUNK)],
	'a database with damaged pages': async (at) => [await damagePages(join(at, 'service.sqlite'))],
	'a folder in place of the database': async (at) => [
		await replace(join(at, 'service.sqlite'), null),
	],
	'a lock that is none': async (at) => [
		await replace(join(at, 'front.lock'), JUNK),
		'--queue',
		'redis://127.0.0.1:9',
	],
	'a file in place of the storage': async (at) => [await replace(at, JUNK)],
	'a storage that nobody may make': () => ['/sys/storage', '--storage', '/sys/storage'],
	'a file in place of the uploads': async (at) => [await replace(join(at, 'uploads'), JUNK)],
	'a file in place of the edits': async (at) => [await replace(join(at, 'edits'), JUNK)],
	'a file in place of what arrives': async (at) => [await replace(join(at, 'incoming'), JUNK)],
	'no speech model': (at) => [join(at, 'none.bin'), '--speech-model', join(at, 'none.bin')],
	'a speech model that is none': async (at) => {
		const path = await replace(join(at, 'junk.bin'), JUNK);
		return [path, '--speech-model', path];
	},
	'a folder in place of the speech model': (at) => [at, '--speech-model', at],
	'no templates': (at) => [join(at, 'none.json'), '--templates', join(at, 'none.json')],
	'templates that are cut short': async (at) => {
		const path = await replace(join(at, 'own.json'), '[{"id": 1');
		return [path, '--templates', path];
	},
	'templates that are something else': async (at) => {
		const path = await replace(join(at, 'own.json'), '{}');
		return [path, '--templates', path];
	},
	'a folder in place of the templates': (at) => [at, '--templates', at],
};

for (const [what, damage] of Object.entries(DAMAGES)) {
	await test(`what cannot start names its file: ${what}`, async () => {
		const storage = join(folder.path, what.replaceAll(' ', '-'));
		await cp(whole, storage, { recursive: true });
		const [path, ...flags] = await damage(storage);
		await assert.rejects(start(storage, flags), (error: Error) => {
			assert.ok(error.message.includes(path), error.message);
			// In one line: it becomes one of the log.
			assert.doesNotMatch(error.message, /\n/);
			return true;
		});
	});
}

await test('the process says that it cannot start, and why', async () => {
	const storage = join(folder.path, 'process');
	await mkdir(storage);
	const path = await replace(join(storage, 'secrets.json'), '{"apiKey": "local-');
	const starting = startFromSources(['--port', '0', '--storage', storage]);
	await assert.rejects(starting, new RegExp(`cannot start: ${path} is damaged`));
});
