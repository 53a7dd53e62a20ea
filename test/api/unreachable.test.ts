/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they listen on loopback, and set a proxy */
import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { once } from 'events';
import { type Server, createServer } from 'http';
import { type AddressInfo, type Socket, createServer as createTcpServer } from 'net';

import type { RequestFailure } from '../../api/failure';
import { useTransport } from '../../testkit/service/useTransport';
import { type CertificateOptions, startTlsHost, trust } from '../../testkit/service/tlsHosts';

/*
 * Whether a charged request may have been taken is decided by n8n's real helper: what it sends where no
 * connection is made, TLS included.
 */
const service = useTransport();

/** The failure of a submission to this address; `onStart` gets the function that stops the execution. */
async function failureAt(
	url: string,
	onStart: (stop: () => void) => void = () => {},
): Promise<RequestFailure> {
	let failure: RequestFailure | undefined;
	await service.withTransport(async (transport, _context, stop) => {
		onStart(stop);
		const called = await transport.call({ method: 'POST', path: '/v2/edits', body: {} });
		if (!called.ok) ({ failure } = called);
	}, url);
	if (failure === undefined) throw new Error('The submission succeeded');
	return failure;
}

/** A server on loopback, while `work` runs with its port. */
async function whileListening(server: Server, work: (port: number) => Promise<void>) {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	try {
		await work((server.address() as AddressInfo).port);
	} finally {
		server.closeAllConnections?.();
		server.close();
	}
}

type TlsHost = Awaited<ReturnType<typeof startTlsHost>>;

/** A host that speaks TLS, while `work` runs. */
async function withTlsHost(
	work: (host: TlsHost) => Promise<void>,
	{ isTrusted = true, ...options }: CertificateOptions & { isTrusted?: boolean } = {},
) {
	const host = await startTlsHost(options);
	const distrust = isTrusted ? trust(host.certificate) : () => {};
	try {
		await work(host);
	} finally {
		distrust();
		await host.stop();
	}
}

const UNSENT = { kind: 'unreachable', wasSent: false };

describe('no service has taken a submission to', () => {
	it('a port that speaks http, with https', async () => {
		const failure = await failureAt(service.url.replace('http:', 'https:'));
		const said = expect.stringMatching(/does not speak https/) as string;
		expect(failure).toMatchObject({ ...UNSENT, said });
		expect(service.seen).toEqual([]);
	});

	it.each([
		['a port where nothing listens', 'http://127.0.0.1:9', 'nothing is listening at that address'],
		['a name that no host has', 'https://no-such-host.invalid', 'there is no host with that name'],
	])('%s', async (_title, url, said) => {
		expect(await failureAt(url)).toMatchObject({ ...UNSENT, said });
	});

	it.each<[string, CertificateOptions, boolean, RegExp]>([
		['expired', { years: [2001, 2002] }, true, /certificate has expired/],
		['not valid yet', { years: [2150, 2200] }, true, /is not valid yet: check the clock/],
		['made by itself', {}, false, /self-signed/],
		['of an unknown issuer', { issuer: 'nobody' }, false, /unable to/],
	])('a host whose certificate is %s', async (_title, options, isTrusted, said) => {
		const matching = expect.stringMatching(said) as string;
		await withTlsHost(
			async (host) => {
				expect(await failureAt(host.url)).toMatchObject({ ...UNSENT, said: matching });
				expect(host.seen.length).toBe(0);
			},
			{ ...options, isTrusted },
		);
	});

	it('a host that ends the connection during the TLS handshake', async () => {
		const cuts = createTcpServer((socket) => socket.destroy()) as Server;
		await whileListening(cuts, async (port) => {
			expect(await failureAt(`https://127.0.0.1:${port}`)).toMatchObject(UNSENT);
		});
	});
});

describe('no service has taken a submission that goes to', () => {
	it('a host that never answers the TLS handshake, when Stop ends it', async () => {
		const silent = createTcpServer() as Server;
		await whileListening(silent, async (port) => {
			const failure = await failureAt(`https://127.0.0.1:${port}`, (stop) => {
				silent.once('connection', (socket: Socket) => socket.once('data', stop));
			});
			expect(failure).toMatchObject({ kind: 'stopped', wasSent: false });
		});
	});

	it("an address that n8n's protection of private addresses refuses", async () => {
		const protection = Container.get(SsrfProtectionConfig);
		protection.enabled = true;
		try {
			const said = expect.stringMatching(/blocked because/) as string;
			for (const url of [service.url, service.url.replace('127.0.0.1', 'localhost')]) {
				expect(await failureAt(url)).toMatchObject({ ...UNSENT, said });
			}
			expect(service.seen).toEqual([]);
		} finally {
			protection.enabled = false;
		}
	});

	describe('a host beyond a proxy', () => {
		afterEach(() => {
			delete process.env.HTTPS_PROXY;
		});

		it.each([
			['that nobody runs', undefined],
			['that ends the connection', (socket: Socket) => void socket.destroy()],
		])('%s', async (_title, answer) => {
			const proxy = createServer();
			proxy.on('connect', (_request, socket: Socket) => answer?.(socket));
			await whileListening(proxy, async (port) => {
				process.env.HTTPS_PROXY = `http://127.0.0.1:${answer ? port : 9}`;
				expect(await failureAt('https://api.example.com')).toMatchObject(UNSENT);
			});
		});

		it.each([
			['502 Bad Gateway', "n8n's proxy answered 502"],
			['407 Proxy Authentication Required', "n8n's proxy answered 407"],
			['302 Found\r\nLocation: https://login.example.com/', "n8n's proxy answered 302"],
			['503 Service Unavailable', "n8n's proxy answered 503"],
		])('that answers %j instead of connecting', async (answer, said) => {
			const asked: string[] = [];
			const proxy = createTcpServer((socket) => {
				socket.on('data', (bytes) => asked.push(String(bytes).split(' ')[0]));
				socket.once('data', () => socket.end(`HTTP/1.1 ${answer}\r\nContent-Length: 0\r\n\r\n`));
				socket.on('error', () => {});
			}) as Server;
			await whileListening(proxy, async (port) => {
				process.env.HTTPS_PROXY = `http://127.0.0.1:${port}`;
				expect(await failureAt('https://api.example.com')).toMatchObject({ ...UNSENT, said });
				expect(asked).toEqual(['CONNECT']);
			});
		});
	});
});

it('a 502 of the service itself keeps its status and its words', async () => {
	const said = 'no worker is free';
	await withTlsHost(async (host) => {
		host.answer = (response) => {
			response.statusCode = 502;
			response.end(JSON.stringify({ detail: said }));
		};
		const answered = { kind: 'status', status: 502, said, wasSent: true };
		expect(await failureAt(host.url)).toMatchObject(answered);
	});
});

describe('in doubt, a submission was sent', () => {
	it('if it is cut at once, without TLS', async () => {
		const cuts = createTcpServer((socket) => socket.destroy()) as Server;
		await whileListening(cuts, async (port) => {
			expect(await failureAt(`http://127.0.0.1:${port}`)).toMatchObject({ wasSent: true });
		});
	});

	it('if a trusted host has it and cuts the connection', async () => {
		await withTlsHost(async (host) => {
			host.answer = (response) => void response.destroy();
			expect(await failureAt(host.url)).toMatchObject({ kind: 'broken', wasSent: true });
			expect(host.seen.length).toBe(1);
		});
	});
});
