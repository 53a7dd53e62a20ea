import type { RequestFailure, Result } from '../../api/failure';
import { openTransport } from '../../api/transport';
import type { ServiceContext } from '../../api/credential';
import type { Reply } from '../../testkit/service/fake/scriptedService';
import { useTransport } from '../../testkit/service/useTransport';

const service = useTransport();

const failedWith = (failure: Partial<RequestFailure>) => ({ ok: false, failure });

const failedCall = (failure: Partial<RequestFailure>) =>
	failedWith({ origin: service.url, target: 'service', ...failure });

function valueOf<T>(outcome: Result<T>): T {
	if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
	return outcome.value;
}

describe('a call to the service', () => {
	it('carries the key, and asks for JSON', async () => {
		service.answer = () => (response) => {
			response.setHeader('Content-Type', 'application/json');
			response.end('{"a":1}');
		};
		await service.withTransport(async (transport) => {
			expect([transport.origin, transport.root]).toEqual([service.url, service.url]);
			const request = { method: 'GET', path: '/v2/x', query: { filename: 'ü & b' } } as const;
			expect(await transport.call(request)).toEqual({ ok: true, value: { a: 1 } });
		});
		const [{ method, path, headers, body }] = service.seen;
		expect({ method, body }).toEqual({ method: 'GET', body: '' });
		expect(new URL(path, service.url).searchParams.get('filename')).toBe('ü & b');
		expect(headers).toMatchObject({ 'x-api-key': service.apiKey, accept: 'application/json' });
		expect(headers).not.toHaveProperty('content-type');
	});

	it('carries the key after the run, too, when n8n evaluates no credential', async () => {
		await service.withTransport(async (_transport, context) => {
			const later = valueOf(await openTransport(context, true));
			await later.call({ method: 'DELETE', path: '/v2/x' });
		});
		const [{ headers }] = service.seen;
		expect(headers).toMatchObject({ 'x-api-key': service.apiKey, accept: 'application/json' });
	});

	it.each([
		['POST', { a: 1 }, '{"id":"edit-1",', { ok: true, value: '{"id":"edit-1",' }],
		['POST', { a: 1 }, 'no JSON', { ok: false, failure: { kind: 'broken' } }],
		['GET', undefined, '{"id":"edit-1",', { ok: false, failure: { kind: 'broken' } }],
	] as const)(
		'a %s of %j keeps what has arrived of JSON: %j',
		async (method, body, part, found) => {
			expect(await service.call({ cut: part }, { method, path: '/v2/x', body })).toMatchObject(
				found,
			);
		},
	);

	it('keeps what has arrived of JSON whose length was not announced', async () => {
		const reply: Reply = (response) => {
			response.writeHead(200, { 'Content-Type': 'application/json' });
			response.write('{"id":"edit-1",', () => response.destroy());
		};
		const request = { method: 'POST', path: '/v2/x', body: { a: 1 } } as const;
		expect(await service.call(reply, request)).toEqual({ ok: true, value: '{"id":"edit-1",' });
	});
});

describe('a call to the service for JSON', () => {
	it('keeps nothing of a response that Stop breaks off', async () => {
		let end = () => {};
		service.answer = () => (response) => {
			response.writeHead(200, { 'Content-Type': 'application/json' });
			response.write('{"id":"edit-1",', () => end());
		};
		await service.withTransport(async (transport, _context, stop) => {
			end = stop;
			const answer = await transport.call({ method: 'POST', path: '/v2/x', body: { a: 1 } });
			expect(answer).toMatchObject({ ok: false, failure: { kind: 'stopped' } });
		});
	});

	it('hides the key in the response', async () => {
		const answer = await service.call({ body: `echo ${service.apiKey} end` });
		expect(answer).toEqual({ ok: true, value: 'echo (hidden) end' });
	});

	it('sends a body as JSON, even an empty one', async () => {
		await service.withTransport(async (transport) => {
			for (const body of [{ input: { files: ['u'] } }, {}]) {
				await transport.call({ method: 'POST', path: '/v2/edits', body });
			}
		});
		expect(service.seen.map(({ body }) => body)).toEqual(['{"input":{"files":["u"]}}', '{}']);
		for (const { headers } of service.seen) {
			expect(headers['content-type']).toBe('application/json');
		}
	});
});

describe('a call to the service that fails', () => {
	it('reports an error response with the request and its origin', async () => {
		const request = { method: 'DELETE', path: '/v2/edits/a' } as const;
		const named = 'DELETE /v2/edits/a';
		expect(await service.call({ status: 409, body: 'busy' }, request)).toEqual(
			failedCall({
				kind: 'status',
				request: named,
				wasSent: true,
				status: 409,
				said: 'busy',
				isJson: false,
			}),
		);
	});

	it('does not follow a redirect, which would take the key along', async () => {
		const said = expect.stringMatching(/\/other$/) as string;
		expect(await service.call({ status: 307, headers: { Location: '/other' } })).toMatchObject({
			failure: { kind: 'redirect', status: 307, said },
		});
		expect(service.seen).toHaveLength(1);
	});

	it.each([
		[204, true],
		[299, true],
		[300, false],
	])('with status %d is a success: %s', async (status, ok) => {
		expect((await service.call((response) => response.writeHead(status).end())).ok).toBe(ok);
	});

	it('quotes neither the key nor the signatures of links it sent', async () => {
		const body = { signed_url: 'https://b.example/x?sig=signature1' };
		service.answer = () => (response) => {
			response.writeHead(400).end(`${service.apiKey} and signature1 and more`);
		};
		await service.withTransport(async (transport) => {
			const request = { method: 'POST', path: '/v2/edits', body } as const;
			const said = '(hidden) and (hidden) and more';
			expect(await transport.call(request)).toMatchObject({ failure: { said } });
			expect(transport.hiderFor(request).text(`${service.apiKey} and signature1 and more`)).toBe(
				said,
			);
		});
	});

	it('may have been accepted if its connection is cut', async () => {
		const request = { method: 'POST', path: '/v2/edits', body: {} } as const;
		expect(await service.call({ cut: true }, request)).toMatchObject({
			failure: { kind: 'broken', wasSent: true, said: 'the connection was cut' },
		});
	});
});

describe('a call to the service that Stop ends', () => {
	it('is not made after the execution is stopped', async () => {
		await service.withTransport(async (transport, _context, stop) => {
			expect(transport.signal?.aborted).toBe(false);
			stop();
			expect(transport.signal?.aborted).toBe(true);
			expect(await transport.call({ method: 'POST', path: '/v2/edits', body: {} })).toEqual(
				failedCall({ kind: 'stopped', request: 'POST /v2/edits', wasSent: false }),
			);
		});
		expect(service.seen).toEqual([]);
	});

	it('ends when the execution is stopped, and may have been accepted', async () => {
		await service.withTransport(async (transport, _context, stop) => {
			service.answer = () => () => stop();
			expect(await transport.call({ method: 'POST', path: '/v2/edits', body: {} })).toMatchObject({
				failure: { kind: 'stopped', wasSent: true },
			});
		});
		await service.closed();
	});
});

describe('a context', () => {
	it('without a usable base URL sends nothing', async () => {
		const context = { getCredentials: async () => ({ baseUrl: 'ftp://x', apiKey: 'k' }) };
		const said =
			"its 'Base URL' must begin with https:// or http://, as in https://api.example.com";
		const request = 'read the credential';
		expect(await openTransport(context as Partial<ServiceContext> as ServiceContext)).toEqual(
			failedWith({ kind: 'invalid', request, wasSent: false, said, isEntered: true }),
		);
	});

	it('hides its key without the spaces around it, and nothing if the key is missing', async () => {
		const hides = async (apiKey: string | undefined, text: string) => {
			const context = { getCredentials: async () => ({ baseUrl: 'https://x.example', apiKey }) };
			const partial = context as Partial<ServiceContext> as ServiceContext;
			const transport = valueOf(await openTransport(partial));
			return transport.hiderFor({ method: 'GET', path: '/' }).text(text);
		};
		expect(await hides(' key-0123456789 ', 'a key-0123456789 b')).toBe('a (hidden) b');
		expect(await hides(undefined, 'a Stryker was here! b')).toBe('a Stryker was here! b');
	});

	it("that cannot be stopped, such as a form's, still calls the service", async () => {
		await service.withTransport(async (_transport, context) => {
			const form = new Proxy(context, {
				has: (target, key) => key !== 'getExecutionCancelSignal' && key in target,
			});
			const transport = valueOf(await openTransport(form));
			expect(transport.signal).toBeUndefined();
			expect((await transport.call({ method: 'GET', path: '/v2/x' })).ok).toBe(true);
		});
		expect(service.seen[0].headers['x-api-key']).toBe(service.apiKey);
	});
});
