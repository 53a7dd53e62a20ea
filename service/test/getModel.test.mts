import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { getModel } from '../cli/getModel.mts';
import { fetchModel } from '../text/speech/models/fetchModel.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import {
	answering,
	type OutsideServer,
	reply,
	startOutsideServer,
} from '../../testkit/service/servers.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

const MODEL = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 251));
const sha1 = createHash('sha1').update(MODEL).digest('hex');

/** The publisher's server. It sends at most `most` bytes, and breaks off when they are in the file. */
async function publisher(most = MODEL.length, part = '') {
	return await startOutsideServer(({ headers }, response) => {
		const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
		if (from >= MODEL.length) {
			reply(response, 416);
			return;
		}
		const rest = MODEL.subarray(from);
		const range = `bytes ${from}-${MODEL.length - 1}/${MODEL.length}`;
		const lengths = { 'Content-Length': rest.length, 'Content-Range': range };
		response.writeHead(from > 0 ? 206 : 200, lengths);
		if (rest.length <= most) {
			response.end(rest);
			return;
		}
		response.write(rest.subarray(0, most));
		const size = () => statSync(part, { throwIfNoEntry: false })?.size ?? 0;
		const isThere = () => most === 0 || size() >= from + most;
		void eventually('the bytes are in the file', isThere).then(() => response.destroy());
	});
}

/** How to fetch the model from a server. */
const from = (server: OutsideServer) => {
	return { address: server.url, sha1, onProgress: () => undefined, pauseMs: 1 };
};

await test('fetches a model in parts over a connection that breaks off', async () => {
	await using folder = await temporaryFolder();
	const models = join(folder.path, 'models');
	await using server = await publisher(100_000, join(models, 'ggml-base.bin.part'));
	const shares: number[] = [];
	const onProgress = (share: number) => shares.push(share);
	const fetching = { ...from(server), onProgress };
	const { path } = await fetchModel('base', models, fetching);
	assert.deepEqual(await readFile(path), MODEL);
	assert.deepEqual(await readdir(models), ['ggml-base.bin']);
	assert.equal(server.visits[0].url, '/ggml-base.bin');
	const ranges = () => server.visits.map(({ headers }) => headers.range);
	assert.deepEqual(ranges(), [undefined, 'bytes=100000-', 'bytes=200000-']);
	assert.equal(shares.at(-1), 1);
	// It is there now, so nothing is asked for.
	assert.deepEqual(await fetchModel('base', models, fetching), { path, isPublished: true });
	assert.equal(ranges().length, 3);
});

await test('gives up after five tries that bring nothing, and continues at the next call', async () => {
	await using folder = await temporaryFolder();
	await using silent = await publisher(0);
	const part = join(folder.path, 'ggml-small.bin.part');
	await using server = await publisher(20_000, part);
	await writeFile(part, MODEL.subarray(0, 5_000));
	const lost = fetchModel('small', folder.path, from(silent));
	await assert.rejects(lost, /ggml-small\.bin: /);
	assert.equal(silent.visits.length, 5);
	const { path } = await fetchModel('small', folder.path, from(server));
	assert.deepEqual(await readFile(path), MODEL);
	assert.equal(server.visits[0].headers.range, 'bytes=5000-');
});

await test('does not let two downloads write to one file, or take another part for the rest', async () => {
	await using folder = await temporaryFolder();
	await using server = await publisher();
	const fetching = [1, 2].map(() => fetchModel('base', folder.path, from(server)));
	const both = await Promise.allSettled(fetching);
	assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
	await using wrong = await startOutsideServer((_visit, response) => {
		response.writeHead(206, { 'Content-Range': 'bytes 0-9/10' }).end('0123456789');
	});
	const part = join(folder.path, 'ggml-small.bin.part');
	await writeFile(part, 'begun');
	const refused = fetchModel('small', folder.path, from(wrong));
	await assert.rejects(refused, /answered 206/);
	assert.equal(String(await readFile(part)), 'begun');
});

await test('deletes a model without the published checksum, whole or not', async () => {
	await using folder = await temporaryFolder();
	await using server = await publisher();
	const unknown = { ...from(server), sha1: undefined };
	await assert.rejects(fetchModel('base', folder.path, unknown), /published checksum/);
	assert.deepEqual(await readdir(folder.path), []);
	await writeFile(join(folder.path, 'ggml-base.bin.part'), Buffer.alloc(MODEL.length + 5));
	const wrong = fetchModel('base', folder.path, from(server));
	await assert.rejects(wrong, /published checksum/);
	assert.deepEqual(await readdir(folder.path), []);
});

await test('says what to do on a full disk, and when the model is not there', async () => {
	await using folder = await temporaryFolder();
	await using server = await publisher();
	const full = join(folder.path, 'full');
	await mkdir(full);
	await symlink('/dev/full', join(full, 'ggml-base.bin.part'));
	await assert.rejects(fetchModel('base', full, from(server)), /disk is full: free some space/);
	await using empty = await startOutsideServer(answering(404));
	const missing = fetchModel('base', folder.path, from(empty));
	const advice = `download ggml-base\\.bin from there elsewhere, put it into ${folder.path},`;
	await assert.rejects(missing, new RegExp(`ggml-base\\.bin: answered 404\\. .*${advice}`));
	assert.equal(empty.visits.length, 1);
});

await test('uses a file that somebody put there, and says when it is not the published one', async () => {
	await using folder = await temporaryFolder();
	await using server = await publisher();
	const path = join(folder.path, 'ggml-tiny.en-q5_1.bin');
	const fetch = async () => await fetchModel('tiny.en-q5_1', folder.path, from(server));
	await writeFile(path, MODEL);
	assert.deepEqual(await fetch(), { path, isPublished: true });
	await writeFile(path, Buffer.alloc(MODEL.length));
	assert.deepEqual(await fetch(), { path, isPublished: false });
	assert.equal(server.visits.length, 0);
	await mkdir(join(folder.path, 'models'));
	await writeFile(join(folder.path, 'models', 'ggml-base.bin'), MODEL);
	const main = join(import.meta.dirname, '../cli/main.mts');
	const getInto = (storage: string) =>
		spawnSync(
			process.execPath,
			['--import', 'tsx', main, 'get-model', 'base', '--storage', storage],
			{
				encoding: 'utf8',
			},
		);
	const { stdout, stderr, status } = getInto(folder.path);
	assert.match(stdout, /ggml-base\.bin is ready/);
	assert.match(stderr, /^Warning: .*ggml-base\.bin does not have the published checksum/);
	assert.equal(status, 0);
	// A file instead of a folder; the service itself does not start here, so nobody says that it cannot.
	const failed = getInto(path);
	assert.match(failed.stderr, /cannot get the model: .*ggml-tiny\.en-q5_1\.bin/);
	assert.doesNotMatch(failed.stdout + failed.stderr, /cannot start/);
	assert.equal(failed.status, 1);
});

await test('takes the name of a published model only', async () => {
	for (const args of [['huge'], [], ['base', '--folder', 'x'], ['toString'], ['../base']]) {
		await assert.rejects(getModel(args), { name: 'WrongUsage', message: /get-model/ });
	}
});
