import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fileUrlOf, send, type Answer } from '../../testkit/service/client.mts';
import { shortRecording } from '../../testkit/service/recordings.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using service = await startService(...QUICK);
const { ann, url } = service;

/** What the vendors' clients show of a refusal. They do not know `detail`. */
function shownByClients({ json }: Answer): unknown {
	const { message, error } = json as { message?: unknown; error?: unknown };
	return message ?? error ?? 'HTTP error';
}

const post = async (body: unknown) => await ann.call('POST', '/v2/edits', { body });
const files = ['https://files.example.com/a.wav'];
const used = await ann.uploadLink('used.wav');
await send('PUT', used, { body: shortRecording });
await ann.ended(await ann.create({ files: [fileUrlOf(used)], config: { remove_noise: false } }));

for (const [status, shown, answer] of [
	[401, 'API key missing or invalid', await send('GET', `${url}/v1/account`)],
	[403, 'This link is not signed', await send('PUT', fileUrlOf(used), { body: shortRecording })],
	[404, 'Not Found', await ann.call('GET', '/v2/edit')],
	[404, 'Configuration not found', await ann.call('GET', '/v2/configuration/77')],
	[405, 'Method Not Allowed', await ann.call('PATCH', '/v1/account')],
	[409, /^An edit uses this upload/, await send('PUT', used, { body: shortRecording })],
	[413, 'Request body is too large', await post(' '.repeat(1_100_000))],
	[422, 'filename: Field required', await ann.call('POST', '/v2/upload')],
	[422, 'config_id: Input should be a valid integer', await ann.call('GET', '/v2/configuration/a')],
	[
		422,
		'config.target_lufs: Input should be less than or equal to -6',
		await post({ input: { files, config: { target_lufs: 0 } } }),
	],
	[422, /^JSON decode error: .*position 1/, await post('{nonsense')],
	[
		422,
		/^config.a: [^;]*; config.b: [^;]*; config.c: [^;]*; and 1 more$/,
		await post({ input: { files, config: { a: 1, b: 2, c: 3, d: 4 } } }),
	],
] as const) {
	await test(`${status}: clients that know no detail show ${String(shown)}`, () => {
		assert.equal(answer.status, status, answer.text);
		const text = String(shownByClients(answer));
		if (typeof shown === 'string') assert.ok(text.startsWith(shown), text);
		else assert.match(text, shown);
		const { detail } = answer.json as { detail: unknown };
		if (status !== 422) assert.equal(detail, text);
	});
}
