/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they answer over HTTP */
import type { ServerResponse } from 'http';

import { Client } from '../../api/client';
import { systemTime } from '../../testkit/time/leapingTime';
import { useTransport } from '../../testkit/service/useTransport';
import { whileHeldBack } from '../../testkit/service/requestsUnderWay';

const service = useTransport();

const TIMEOUT = { failure: { kind: 'timeout', wasSent: true } };

/** Often enough that the connection never goes idle for the limit of a call. */
const TRICKLE_EVERY_MS = 20_000;

/** Lets time pass while the client waits for this response. */
async function holdBack({ socket }: ServerResponse, ms: number): Promise<void> {
	await whileHeldBack(socket?.remotePort, async () => await systemTime.sleep(ms));
}

const HOUR_MS = 3_600_000;
const holdLong = async (response: ServerResponse) => await holdBack(response, 24 * HOUR_MS);

async function trickle(response: ServerResponse): Promise<void> {
	while (!response.destroyed) {
		response.write(' ');
		await holdBack(response, TRICKLE_EVERY_MS);
	}
}

describe('the time limit on the clock', () => {
	it.each([
		['an unanswered call', holdLong],
		['a call whose response trickles endlessly', trickle],
	])('ends %s and closes its connection', async (_title, respond) => {
		expect(await service.call((response) => void respond(response))).toMatchObject(TIMEOUT);
		await service.closed();
	});

	it('ends an upload and the opening of a download', async () => {
		service.answer = () => (response) => void holdLong(response);
		await service.withTransport(async (transport) => {
			const file = { content: Buffer.from('RIFF'), sizeBytes: 4, contentType: 'audio/wav' };
			expect(await transport.put(`${service.url}/up`, file)).toMatchObject(TIMEOUT);
			expect(await transport.open(`${service.url}/down`)).toMatchObject(TIMEOUT);
		});
	});

	const answerAfter = (ms: number) => (response: ServerResponse) =>
		void holdBack(response, ms).then(() => response.end('{}'));

	it.each([
		[59_000, true],
		[61_000, false],
	])('is a minute for a call: an answer after %d ms', async (ms, isInTime) => {
		expect((await service.call(answerAfter(ms))).ok).toBe(isInTime);
	});

	it.each([
		[299_000, true],
		[303_000, false],
	])('is five minutes for a small upload: an answer after %d ms', async (ms, isInTime) => {
		service.answer = () => answerAfter(ms);
		await service.withTransport(async (transport) => {
			const file = { content: Buffer.from('RIFF'), sizeBytes: 4, contentType: 'audio/wav' };
			expect((await transport.put(`${service.url}/up`, file)).ok).toBe(isInTime);
		});
	});
});

describe('the time limit of a download', () => {
	it('is one for all redirects of a download', async () => {
		service.answer =
			({ path }) =>
			(response) => {
				const next = Number(path.slice(1)) + 1;
				void holdBack(response, 25_000).then(() => {
					response.writeHead(302, { Location: `/${next}` });
					response.end();
				});
			};
		await service.withTransport(async (transport) => {
			expect(await transport.open(`${service.url}/1`)).toMatchObject(TIMEOUT);
		});
		expect(service.seen.map(({ path }) => path)).toEqual(['/1', '/2', '/3']);
	});

	it('does not end a download that was opened in time', async () => {
		service.answer = () => (response) => {
			response.write('first');
			void holdBack(response, HOUR_MS).then(() => response.end(' and last'));
		};
		await service.withTransport(async (transport) => {
			const opened = await transport.open(`${service.url}/down`);
			if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
			let text = '';
			for await (const chunk of opened.value.content) text += String(chunk);
			expect(text).toBe('first and last');
		});
	});
});

const MB = 1_048_576;

/** Writes until the client closes the connection. */
async function pour(response: ServerResponse): Promise<void> {
	const chunk = Buffer.alloc(MB, 'x');
	response.on('error', () => {});
	while (!response.destroyed) {
		await new Promise((resolve) => response.write(chunk, resolve));
	}
}

describe('the size limit', () => {
	const jsonOf = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;

	it.each([
		['any response', undefined, 1],
		['a response with a limit', 16 * MB, 16],
	])('of %s ends a call beyond it, as an error that names it', async (_what, maxBytes, mb) => {
		const request = { method: 'GET', path: '/v2/x', maxBytes } as const;
		expect(await service.call({ body: jsonOf(mb * MB) }, request)).toMatchObject({ ok: true });
		expect(await service.call({ body: jsonOf(mb * MB + 1) }, request)).toMatchObject({
			failure: { kind: 'tooLarge', wasSent: true, said: `it has more than ${mb} MB` },
		});
	});

	it('is not reached by an edit with the transcript of a day', async () => {
		const result = { transcript: 'word '.repeat(2_500_000) };
		service.answer = () => ({ body: { task_id: 'a', status: 'SUCCESS', result } });
		await service.withTransport(async (transport) => {
			expect((await new Client(transport).getEdit('a')).ok).toBe(true);
		});
	});

	it('counts the values, too: 16 MB of empty objects take almost a gigabyte', async () => {
		const request = { method: 'GET', path: '/v2/x', maxBytes: 16 * MB } as const;
		const objects = (count: number) => `[${'{},'.repeat(count - 1)}{}]`;
		expect(await service.call({ body: objects(1_000_000) }, request)).toMatchObject({ ok: true });
		const said = 'it has more than 2 million values';
		const called = await service.call({ body: objects(1_000_001) }, request);
		expect(called).toMatchObject({ failure: { kind: 'tooLarge', said } });
	});
});

describe('an endless response', () => {
	it('closes the connection of an endless response', async () => {
		const request = { method: 'POST', path: '/v2/edits', body: {} } as const;
		const called = await service.call((response) => void pour(response), request);
		expect(called).toMatchObject({ failure: { kind: 'tooLarge', wasSent: true } });
		await service.closed();
	});

	it.each([200, 422, 500])(
		'closes the connection of an endless response to an upload, with status %d',
		async (status) => {
			service.answer = () => (response) => {
				response.writeHead(status);
				void pour(response);
			};
			await service.withTransport(async (transport) => {
				const file = { content: Buffer.from('RIFF'), sizeBytes: 4, contentType: 'audio/wav' };
				const sent = await transport.put(`${service.url}/up`, file);
				expect(sent.ok).toBe(status === 200);
				await service.closed();
			});
		},
	);

	it('does not change how a response is read', async () => {
		for (const [body, value] of [
			['', ''],
			['{"a":', '{"a":'],
			['\uFEFF{"a":1}', { a: 1 }],
			['"ü€😀"', 'ü€😀'],
		]) {
			expect(await service.call({ body })).toEqual({ ok: true, value });
		}
	});
});
