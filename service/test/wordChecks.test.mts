import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { z } from 'zod';

import { fileArgument } from '../media/ffmpeg/guardedInput.mts';
import { runFfmpeg } from '../media/ffmpeg/runFfmpeg.mts';
import { fileUrlOf } from '../../testkit/service/client.mts';
import { type ScriptedAnswer, startOpenAiServer } from '../../testkit/service/openAiServer.mts';
import { shortRecording } from '../../testkit/service/recordings.mts';
import { reply, startOutsideServer } from '../../testkit/service/servers.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

const SPOKEN = join(import.meta.dirname, '../../testkit/media/spoken.mp3');
const CHECKS = '/local/word-checks';

await using folder = await temporaryFolder();
const spoken = await readFile(SPOKEN);

/** What another service made of the recording: softer, in another format, and without a word. */
const WORD = { start: 2.25, end: 2.75 };
const editedPath = join(folder.path, 'edited.m4a');
const without = `aselect='not(between(t,${WORD.start},${WORD.end}))',asetpts=N/SR/TB,volume=-6dB`;
await runFfmpeg(['-i', fileArgument(SPOKEN), '-af', without, fileArgument(editedPath)]);
const edited = await readFile(editedPath);

let answers: ScriptedAnswer[] = [];
await using server = await startOpenAiServer(() => answers.shift() ?? { status: 400, body: {} });
const flags = ['--transcription-url', `${server.url}/v1`, '--max-queued-edits', '3'];
await using service = await startService(...QUICK, ...flags);
const { ann, bob } = service;

const answerSchema = z
	.object({
		id: z.string(),
		status: z.string().optional(),
		recognized_percent: z.number().optional(),
		message: z.string().optional(),
		result: z
			.object({
				cuts: z.array(z.object({ start: z.number(), end: z.number() }).strict()),
				checked: z.number(),
				missing: z.array(z.record(z.unknown())),
				doubtful: z.array(z.record(z.unknown())),
			})
			.strict()
			.optional(),
	})
	.strict();

async function createCheck(source: string, other: string): Promise<string> {
	const body = { input: { source, edited: other } };
	const { status, text, json } = await ann.call('POST', CHECKS, { body });
	assert.equal(status, 200, text);
	return answerSchema.parse(json).id;
}

async function ended(id: string) {
	return await eventually(`check ${id} is over`, async () => {
		const { status, text, json } = await ann.call('GET', `${CHECKS}/${id}`);
		assert.equal(status, 200, text);
		const check = answerSchema.parse(json);
		return /SUCCESS|FAILURE/.test(check.status ?? '') ? check : undefined;
	});
}

const said = (words: readonly (readonly [string, number, number])[]) => ({
	body: {
		text: words.map(([word]) => word).join(' '),
		words: words.map(([word, start, end]) => ({ word, start, end })),
	},
});
const BEFORE = [
	['hello', 1.6, 1.8],
	['and', 1.9, 2.1],
] as const;

await test('says which words are missing in what another service made of a recording', async () => {
	answers = [
		said([...BEFORE, ['welcome', WORD.start, WORD.end], ['workshop', 3, 3.6], ['video', 3.7, 4]]),
		said([...BEFORE, ['workshop', 2.5, 3.1], ['video', 3.2, 3.5]]),
	];
	await using web = await startOutsideServer((_visit, response) => {
		reply(response, 200, edited);
	});
	const id = await createCheck(await ann.upload(spoken, 'spoken.mp3'), `${web.url}/edited.m4a`);
	const { status, message, result } = await ended(id);
	assert.equal(status, 'SUCCESS', message);
	const near = (value: number, wanted: number) => Math.abs(value - wanted) < 0.1;
	const [{ start, end }, ...more] = result?.cuts ?? [];
	assert.ok(more.length === 0 && near(start, WORD.start) && near(end, WORD.end));
	assert.equal(result?.checked, 1);
	assert.deepEqual(result.doubtful, []);
	const [{ text, edited_at: editedAt, ...place }] = result.missing;
	assert.equal(text, 'welcome');
	assert.deepEqual(place, { start: WORD.start, end: WORD.end });
	assert.ok(near(Number(editedAt), WORD.start));
	// It is no edit, belongs to its key, and is deleted like one.
	assert.equal((await ann.edit(id)).status, 'PENDING');
	assert.equal((await bob.call('GET', `${CHECKS}/${id}`)).status, 404);
	assert.equal((await bob.call('DELETE', `${CHECKS}/${id}`)).status, 200);
	assert.equal((await ann.call('DELETE', `/v2/edits/${id}`)).status, 200);
	assert.equal((await ann.call('GET', `${CHECKS}/${id}`)).status, 200);
	assert.equal((await ann.call('DELETE', `${CHECKS}/${id}`)).status, 200);
	assert.equal((await ann.call('GET', `${CHECKS}/${id}`)).status, 404);
	assert.ok(!(await service.folder('edits')).includes(id));
});

await test('fails where the file is of another recording, none, or of another key', async () => {
	const source = await ann.upload(spoken, 'spoken.mp3');
	const foreign = await bob.upload(spoken, 'spoken.mp3');
	const reasons: readonly (readonly [string, RegExp])[] = [
		[await ann.upload(shortRecording), /not found in the source/],
		[await ann.upload(Buffer.from('<html>'), 'edited.mp3'), /./],
		[foreign, /no such uploaded file/],
	];
	for (const [other, reason] of reasons) {
		const { status, message } = await ended(await createCheck(source, other));
		assert.equal(status, 'FAILURE');
		assert.match(String(message), reason);
	}
	await using deaf = await startService(...QUICK);
	const body = {
		input: { source: await deaf.ann.upload(spoken), edited: await deaf.ann.upload(spoken) },
	};
	const { json } = await deaf.ann.call('POST', CHECKS, { body });
	const { id } = answerSchema.parse(json);
	const reason = await eventually('it fails', async () => {
		return answerSchema.parse((await deaf.ann.call('GET', `${CHECKS}/${id}`)).json).message;
	});
	assert.match(reason, /A check for lost words needs a recognizer/);
});

await test('refuses what is no check, as an edit is refused', async () => {
	const url = 'https://example.com/a.mp3';
	for (const [body, place] of [
		[{}, 'input'],
		[{ input: { source: url } }, 'edited'],
		[{ input: { source: url, edited: 'file:///etc/passwd' } }, 'edited'],
		[{ input: { source: 7, edited: url } }, 'source'],
		[{ input: { source: url, edited: url, config: {} } }, 'config'],
		[{ input: { source: url, edited: `${url}?${'a'.repeat(20_000)}` } }, 'edited'],
	] as const) {
		const { status, text } = await ann.call('POST', CHECKS, { body });
		assert.equal(status, 422, text);
		assert.ok(text.includes(`"${place}"`), text.slice(0, 300));
	}
	const open = { input: { source: url, edited: url } };
	const unkeyed = await fetch(`${service.url}${CHECKS}`, {
		method: 'POST',
		body: JSON.stringify(open),
	});
	assert.equal(unkeyed.status, 401);
	assert.equal((await ann.call('GET', `${CHECKS}/%00`)).status, 404);
});

await test('counts among the unfinished edits of its key', async () => {
	const missing = fileUrlOf(await ann.uploadLink('never.mp3'));
	await using web = await startOutsideServer((_visit, response) => {
		reply(response, 503);
	});
	const ids: string[] = [];
	for (let at = 0; at < 3; at++) ids.push(await createCheck(`${web.url}/a.mp3`, missing));
	const body = { input: { source: missing, edited: missing } };
	assert.equal((await ann.call('POST', CHECKS, { body })).status, 429);
	for (const id of ids) assert.equal((await ann.call('DELETE', `${CHECKS}/${id}`)).status, 200);
});

await test('fetches nothing where there is no recognizer', async () => {
	await using bare = await startService(...QUICK, '--allow-private-sources');
	let visits = 0;
	await using web = await startOutsideServer((_visit, response) => {
		visits += 1;
		reply(response, 200, spoken);
	});
	const body = { input: { source: `${web.url}/a.mp3`, edited: `${web.url}/b.mp3` } };
	const { json } = await bare.ann.call('POST', CHECKS, { body });
	const { id } = answerSchema.parse(json);
	const failed = await eventually(`check ${id} fails`, async () => {
		const check = answerSchema.parse((await bare.ann.call('GET', `${CHECKS}/${id}`)).json);
		return check.status === 'FAILURE' ? check : undefined;
	});
	assert.match(failed.message ?? '', /needs a recognizer/);
	assert.equal(visits, 0);
});
