import assert from 'node:assert/strict';
import { test } from 'node:test';

import { validationErrorSchema, type ValidationDetail } from '../shared/contract.mts';
import type { Answer } from '../../testkit/service/client.mts';
import { faithful } from '../../testkit/service/faithful.mts';
import { shortRecording } from '../../testkit/service/recordings.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

const FILE = 'http://127.0.0.1:9/talk.wav';

type Location = ValidationDetail['loc'];

/** Asserts that a response is a validation error whose entries name exactly these locations. */
function assertRefused(answer: Answer, ...locations: Location[]): ValidationDetail[] {
	assert.equal(answer.status, 422, answer.text);
	assert.equal(answer.contentType, 'application/json; charset=utf-8');
	const { detail } = faithful(validationErrorSchema, answer.json);
	const { message } = answer.json as { message: string };
	assert.ok(message.includes(detail[0].msg), 'many clients show the message alone');
	const found = new Set(detail.map(({ loc }) => JSON.stringify(loc)));
	assert.deepEqual([...found].join(), locations.map((one) => JSON.stringify(one)).join());
	for (const { msg, type } of detail) {
		assert.match(type, /^[a-z_]+$/);
		assert.notEqual(msg, '');
	}
	return detail;
}

/** Posts a body to both endpoints that create edits and asserts that the responses agree. */
async function submit(body: unknown): Promise<Answer> {
	const edit = await ann.call('POST', '/v2/edits', { body });
	const noise = await ann.call('POST', '/v2/noise', { body });
	if (edit.status !== 200) assert.equal(noise.text, edit.text);
	assert.equal(noise.status, edit.status);
	return edit;
}

await test('refuses an upload without filename, or with two', async () => {
	const location = ['query', 'filename'];
	const [missing] = assertRefused(await ann.call('POST', '/v2/upload'), location);
	assert.equal(missing.type, 'missing');
	assertRefused(await ann.call('POST', '/v2/upload?name=talk.wav'), location);
	assertRefused(await ann.call('POST', '/v2/upload?filename=a.wav&filename=b.wav'), location);
});

await test('refuses malformed JSON, regardless of the content type', async () => {
	for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
		const answer = await ann.call('POST', '/v2/edits', {
			body: '{"input": {"files": [}}',
			headers: { 'Content-Type': type },
		});
		const [detail] = faithful(validationErrorSchema, answer.json).detail;
		assert.equal(answer.status, 422);
		assert.deepEqual([detail.loc[0], detail.type], ['body', 'json_invalid']);
	}
});

await test('refuses a body that is missing or not an object', async () => {
	for (const body of [undefined, '', '[]', '"text"', '7', 'null']) {
		const answer = await ann.call('POST', '/v2/edits', { body });
		assertRefused(answer, ['body']);
	}
});

await test('refuses missing, mistyped and unknown fields, each with its location', async () => {
	const input = ['body', 'input'];
	for (const [body, location, type] of [
		[{}, input, 'missing'],
		[{ input: null }, input, 'model_attributes_type'],
		[{ input: 'text' }, input, 'model_attributes_type'],
		[{ input: {} }, [...input, 'files'], 'missing'],
		[{ input: { files: [] } }, [...input, 'files'], 'too_short'],
		[{ input: { files: FILE } }, [...input, 'files'], 'list_type'],
		[{ input: { files: [7] } }, [...input, 'files', 0], 'string_type'],
		[{ input: { files: [FILE, 'talk.wav'] } }, [...input, 'files', 1], 'url_parsing'],
		[{ input: { files: ['file:///etc/passwd'] } }, [...input, 'files', 0], 'url_parsing'],
		[{ input: { files: ['ftp://host/a.wav'] } }, [...input, 'files', 0], 'url_parsing'],
		[{ input: { files: [FILE], config: [] } }, [...input, 'config'], 'model_attributes_type'],
		[{ input: { files: [FILE], upload_type: 7 } }, [...input, 'upload_type'], 'string_type'],
		[{ input: { files: [FILE], template_id: 'one' } }, [...input, 'template_id'], 'int_parsing'],
		[{ input: { files: [FILE], template_id: '7' } }, [...input, 'template_id'], 'int_type'],
		[{ input: { files: [FILE], template_id: [] } }, [...input, 'template_id'], 'int_type'],
		[{ input: { files: [FILE], template_id: 1.5 } }, [...input, 'template_id'], 'int_from_float'],
		[{ input: { files: [FILE], template_id: 99 } }, [...input, 'template_id'], 'value_error'],
		[{ input: { files: [FILE], template_id: 1e30 } }, [...input, 'template_id'], 'value_error'],
		[{ input: { files: [FILE], file: FILE } }, [...input, 'file'], 'extra_forbidden'],
		[{ input: { files: [FILE] }, x: 1 }, ['body', 'x'], 'extra_forbidden'],
	] satisfies [body: unknown, location: Location, type: string][]) {
		const [detail] = assertRefused(await submit(body), location);
		assert.equal(detail.type, type, JSON.stringify(body));
	}
});

await test('says of an empty URL that it is empty, and of 1e400 that it is not finite', async () => {
	const [empty] = assertRefused(await submit({ input: { files: [''] } }), [
		'body',
		'input',
		'files',
		0,
	]);
	assert.equal(empty.msg, 'Input should be an http or https URL, not an empty text');
	for (const [path, body] of [
		[['template_id'], `{"input": {"files": ["${FILE}"], "template_id": -1e400}}`],
		[['config', 'mute_lufs'], `{"input": {"files": ["${FILE}"], "config": {"mute_lufs": 1e400}}}`],
	] as const) {
		const [huge] = assertRefused(await submit(body), ['body', 'input', ...path]);
		assert.deepEqual([huge.type, huge.msg], ['finite_number', 'Input should be a finite number']);
	}
});

const BOOLEAN_KEYS = [
	'video',
	'fillers',
	'long_silences',
	'stutters',
	'mouth_sounds',
	'hesitations',
	'muted',
	'keep_music',
	'normalize',
	'autoeq',
	'transcription',
	'summarize',
	'social_content',
	'export_timestamps',
	'merge',
	'audio_for_edl',
	'send_email',
];

/** Values that each setting must refuse. */
const WRONG_VALUES: readonly [key: string, values: unknown[]][] = [
	...BOOLEAN_KEYS.map((key): [string, unknown[]] => [key, ['true', 1, null, {}]]),
	['breath', ['hard', 'Legacy', '', 1, null]],
	['remove_noise', ['v1', 'nightly', 'true', 0, null]],
	['studio_sound', ['daily', 'legacy', 1, null]],
	['export_format', ['ogg', 'MP3', '.mp3', '', true, null]],
	['target_lufs', [-37, -5, -36.01, -5.99, '-16', true]],
	['mute_lufs', ['-120', null, true]],
	['signed_url', ['bucket/file', 's3://bucket/file', '', 7]],
	['long_silence', [true]],
];

await test('each setting refuses values outside its table', async () => {
	for (const [key, values] of WRONG_VALUES) {
		for (const value of values) {
			const answer = await submit({ input: { files: [FILE], config: { [key]: value } } });
			const details = assertRefused(answer, ['body', 'input', 'config', key]);
			assert.deepEqual(details[0].input, value);
		}
	}
});

await test('reports all issues at once', async () => {
	const answer = await submit({ input: { config: { breath: 7, nonsense: 1 } } });
	const config = ['body', 'input', 'config'];
	const places = [
		[...config, 'breath'],
		[...config, 'nonsense'],
	];
	assertRefused(answer, ['body', 'input', 'files'], ...places);
});

await test('config, upload_type and template_id may be null or omitted', async () => {
	const files = [await ann.upload(shortRecording)];
	const nothing = { config: null, upload_type: null, template_id: null };
	for (const input of [{ files }, { files, config: {} }, { files, ...nothing }]) {
		assert.equal((await ann.ended(await ann.create(input))).status, 'SUCCESS');
	}
});

/** For keys without effect. */
const ANY_VALUES = [true, false, null, 1, 'on', { start: 1 }];

/** Values that each setting with a table or a range must accept. */
const RIGHT_VALUES: readonly [key: string, values: unknown[]][] = [
	...BOOLEAN_KEYS.map((key): [string, unknown[]] => [key, [true, false]]),
	['breath', [true, 'legacy', 'natural', false, 'muted']],
	['automix', ANY_VALUES],
	['trim', ANY_VALUES],
	['waveform_preview', ANY_VALUES],
	['remove_noise', [true, 'legacy', 'v2', false]],
	['studio_sound', [true, 'nightly', false]],
	['export_format', ['auto', 'mp3', 'wav', 'flac', 'm4a', 'opus', 'aac']],
	['target_lufs', [-36, -6, -16.5, null]],
	['mute_lufs', [-120, -40.5]],
	['signed_url', ['https://bucket.example/file?signature=1', null]],
];

await test('each setting accepts the values in its table', async () => {
	for (const [key, values] of RIGHT_VALUES) {
		for (const value of values) {
			const answer = await submit({ input: { files: [FILE], config: { [key]: value } } });
			assert.equal(answer.status, 200, `${key} ${String(value)}: ${answer.text}`);
		}
	}
});

await test('reports at most 50 of 5,000 issues', async () => {
	const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key${index}`, 0]));
	const unknownKeys = await ann.call('POST', '/v2/edits', { body: { input: keys } });
	assert.equal(faithful(validationErrorSchema, unknownKeys.json).detail.length, 50);
});

await test('refuses a body of more than 10,000 values before it checks them', async () => {
	const many = await ann.call('POST', '/v2/edits', { body: `[${'7,'.repeat(10_000)}7]` });
	assert.equal(many.status, 422);
	assert.match(many.text, /More than 10000 values/);
	const config = { signed_url: `${FILE}?${','.repeat(12_000)}` };
	assert.equal((await submit({ input: { files: [FILE], config } })).status, 200);
});

await test('refuses deeply nested JSON with a validation error', async () => {
	const deep = 200_000;
	for (const [position, body] of [
		[50, '['.repeat(deep)],
		[50, '['.repeat(deep) + ']'.repeat(deep)],
		[66, `{"input":{"files":${'['.repeat(deep)}${']'.repeat(deep)}}}`],
		[254, `{"input":{"x":${'{"x":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`],
	] as const) {
		const answer = await ann.call('POST', '/v2/edits', { body });
		const [detail] = assertRefused(answer, ['body', position]);
		assert.equal(detail.type, 'json_invalid');
		assert.deepEqual(detail.ctx, { error: 'Nested deeper than 50 levels' });
	}
});

await test('does not count brackets inside strings as nesting', async () => {
	for (const text of ['['.repeat(900_000), '\\"['.repeat(100_000)]) {
		const body = { input: { files: [FILE], upload_type: text } };
		assert.equal((await ann.call('POST', '/v2/edits', { body })).status, 200);
	}
});
