import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { completedTasksSchema, configurationDetailSchema } from '../shared/contract.mts';
import { lengthSeconds } from '../../testkit/media/recording.ts';
import { finishedFile, send, type Client } from '../../testkit/service/client.mts';
import { faithful } from '../../testkit/service/faithful.mts';
import { loudnessLufs } from '../../testkit/service/media.mts';
import { startRecognizer } from '../../testkit/service/openAiServer.mts';
import {
	LONG_SILENCES,
	PLAIN,
	shortRecording,
	TALK,
	talk,
} from '../../testkit/service/recordings.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using recognizer = await startRecognizer();
await using service = await startService(...QUICK, ...recognizer.flags);
const { ann, bob } = service;

const files = [await ann.upload(talk)];

async function tasksOf(client: Client, templateId: number) {
	const { json } = await client.call('GET', `/v2/completed_tasks/${templateId}`);
	return faithful(completedTasksSchema, json).tasks;
}

await test("applies a template's settings", async () => {
	const { json } = await ann.call('GET', '/v2/configuration/2');
	const { settings } = faithful(configurationDetailSchema, json);
	const wished = { remove_noise: true, normalize: true, long_silences: true };
	assert.deepEqual(settings, { ...wished, export_timestamps: true });
	const id = await ann.create({ files, template_id: 2 });
	const { result, file } = await finishedFile(await ann.ended(id));
	assert.equal(result.statistics?.DEADAIR, LONG_SILENCES.length);
	assert.equal(result.timestamps_markers_urls.length, 4);
	assert.ok(Math.abs((await loudnessLufs(file)) - -16) <= 0.5);
});

await test("the request's config overrides the template", async () => {
	const config = { long_silences: false, remove_noise: false, target_lufs: -22 } as const;
	const id = await ann.create({ files, template_id: 2, config });
	const { result, file } = await finishedFile(await ann.ended(id));
	assert.equal(result.statistics?.DEADAIR, 0);
	assert.equal(result.timestamps_markers_urls.length, 4);
	assert.ok(Math.abs((await loudnessLufs(file)) - -22) <= 0.5);
});

await test("lists a key's successful edits with a template as completed tasks, newest first", async () => {
	const before = await tasksOf(ann, 2);
	const short = [await ann.upload(shortRecording)];
	const ids: string[] = [];
	let submittedAtMs = 0;
	for (const source of [short, files]) {
		const id = await ann.create({ files: source, template_id: 2, config: PLAIN });
		submittedAtMs = Math.ceil(service.clock.timeOfDay());
		assert.equal((await ann.ended(id)).status, 'SUCCESS');
		ids.push(id);
	}
	const broken = [await ann.upload(Buffer.from('no recording'))];
	const failing = await ann.create({ files: broken, template_id: 2, config: PLAIN });
	assert.equal((await ann.ended(failing)).status, 'FAILURE');
	await ann.ended(await ann.create({ files: short, config: PLAIN }));
	const bobs = await bob.upload(shortRecording);
	await bob.ended(await bob.create({ files: [bobs], template_id: 2, config: PLAIN }));

	const tasks = await tasksOf(ann, 2);
	const listed = tasks.map((task) => task.id);
	assert.deepEqual(listed, [...ids.toReversed(), ...before.map((task) => task.id)]);
	assert.equal((await tasksOf(bob, 2)).length, 1);
	assert.deepEqual(await tasksOf(ann, 3), []);
	const [newest, middle] = tasks;
	assert.equal(newest.length_audio, Math.round(lengthSeconds(TALK)));
	assert.equal(middle.length_audio, 1);
	assert.ok(Date.parse(newest.created_at ?? '') <= submittedAtMs, 'when it was submitted');
	const times = tasks.map(({ created_at }) => created_at);
	assert.deepEqual(times, times.toSorted().toReversed());
	for (const { status, created_at } of tasks) {
		assert.equal(status, 'SUCCESS');
		assert.match(created_at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
	}
	const link = newest.results.download_url;
	assert.equal((await send('GET', String(link))).status, 200);
});

await test('completed tasks ignore the texts file, and an edit returns it unchanged', async () => {
	const config = { remove_noise: false, transcription: true } as const;
	const id = await ann.create({ files, template_id: 2, config });
	await ann.ended(id);
	const path = join(service.storage, 'edits', id, 'result', 'texts.json');
	await writeFile(path, 'no texts');
	const [{ id: newest, results }] = await tasksOf(ann, 2);
	assert.equal(newest, id);
	assert.ok(!('transcription' in results));
	await writeFile(path, '{"transcription":null,"summarization":null,"social_content":[],"x":1}');
	const { text } = await ann.call('GET', `/v2/edits/${id}`);
	assert.match(text, /"social_content":\[\],"x":1\}\}$/);
});

await test('reads and checks the templates in the file of --templates', async () => {
	await using folder = await temporaryFolder();
	const path = join(folder.path, 'own.json');
	const own = { id: 77, name: 'Own', upload_type: 'singletrack', settings: { normalize: true } };
	const start = async (content: unknown) => {
		await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
		return await startService(...QUICK, '--templates', path);
	};
	{
		await using ours = await start([own]);
		const { json } = await ours.ann.call('GET', '/v2/configurations');
		const { settings, ...entry } = own;
		assert.deepEqual(json, { configurations: [entry] });
		const files = [await ours.ann.upload(talk)];
		const id = await ours.ann.create({ files, template_id: 77, config: PLAIN });
		const { file } = await finishedFile(await ours.ann.ended(id));
		assert.ok(settings.normalize);
		assert.ok(Math.abs((await loudnessLufs(file)) - -16) <= 0.5);
	}
	const misspelled = start([{ ...own, settings: { normalise: true } }]);
	await assert.rejects(misspelled, /own\.json, at 0\.settings/);
	await assert.rejects(start([own, own]), /own\.json: two templates have the same id/);
	await assert.rejects(start('nonsense'), /own\.json cannot be read as JSON/);
});

await test('listens for words where a template asks for it, unless the request says otherwise', async () => {
	await using folder = await temporaryFolder();
	const path = join(folder.path, 'own.json');
	const settings = { fillers: true, remove_noise: false, local: { word_check: true } };
	await writeFile(
		path,
		JSON.stringify([{ id: 7, name: 'Own', upload_type: 'singletrack', settings }]),
	);
	await using ours = await startService(...QUICK, ...recognizer.flags, '--templates', path);
	const files = [await ours.ann.upload(shortRecording)];
	const shown = await ours.ann.call('GET', '/v2/configuration/7');
	const { local: wished, ...config } = settings;
	assert.deepEqual(configurationDetailSchema.parse(shown.json).settings, config);
	for (const [local, expected] of [
		[undefined, wished],
		[{ filler_words: true }, { filler_words: true, word_check: true }],
		[{ word_check: false }, { word_check: false }],
	] as const) {
		const id = await ours.ann.create({ files, template_id: 7, local });
		assert.deepEqual((await ours.ann.ended(id)).local, expected);
		const isHeard = ours.logOf(id).some((line) => line.includes('transcribed'));
		assert.equal(isHeard, expected.word_check);
	}
});
