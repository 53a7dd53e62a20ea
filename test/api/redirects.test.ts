import { isPrivateHost, redirectOf } from '../../api/redirects';
import { useTransport } from '../../testkit/service/useTransport';

const service = useTransport();

describe('a redirect of a download', () => {
	const next = (firstUrl: string, location: unknown, status = 302, url = firstUrl) =>
		redirectOf({ url, firstUrl }, status, location);

	it.each([
		['https://a.example/x', 'https://cdn.example/y?sig=1', 'https://cdn.example/y?sig=1'],
		['https://a.example/x/y', '/z', 'https://a.example/z'],
		['https://a.example/x/y', 'z?b=1', 'https://a.example/x/z?b=1'],
		['https://a.example/x', '//cdn.example/y', 'https://cdn.example/y'],
		['http://a.example/x', 'https://cdn.example/y', 'https://cdn.example/y'],
		['http://a.example/x', 'http://cdn.example/y', 'http://cdn.example/y'],
		['http://127.0.0.1:9/x', 'http://192.168.1.2/y', 'http://192.168.1.2/y'],
		['http://minio/x', 'http://10.0.0.1/y', 'http://10.0.0.1/y'],
	])('from %s to %s is followed', (from, location, to) => {
		expect(next(from, location)).toBe(to);
	});

	it.each([
		['https://a.example/x', 'http://cdn.example/y'],
		['https://a.example/x', 'https://127.0.0.1/y'],
		['https://a.example/x', 'https://2130706433/y'],
		['https://a.example/x', 'https://0x7f.1/y'],
		['https://a.example/x', 'https://[::1]/y'],
		['https://a.example/x', 'https://[::ffff:10.0.0.1]/y'],
		['http://a.example/x', 'http://169.254.169.254/latest/meta-data'],
		['http://a.example/x', 'http://localhost/y'],
		['https://a.example/x', 'ftp://cdn.example/y'],
		['https://a.example/x', 'file:///etc/passwd'],
		['https://a.example/x', 'https://'],
		['https://a.example/x', undefined],
		['https://a.example/x', ['https://cdn.example/y']],
	])('from %s to %j is not followed', (from, location) => {
		expect(next(from, location)).toBeUndefined();
	});

	it('counts from the first address, which a later one does not change', () => {
		const later = 'http://cdn.example/y';
		expect(next('https://a.example/x', later, 302, 'https://b.example/x')).toBeUndefined();
		expect(next('http://a.example/x', later, 302, 'https://b.example/x')).toBe(later);
	});

	it.each([301, 302, 303, 307, 308])('has the status %d', (status) => {
		expect(next('https://a.example/x', '/y', status)).toBe('https://a.example/y');
	});

	it.each([200, 300, 304, 305, 306, 404])('has not the status %d', (status) => {
		expect(next('https://a.example/x', '/y', status)).toBeUndefined();
	});
});

const PRIVATE = `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.31.0.1 192.168.0.1 224.0.0.1
	255.255.255.255 [::1] [::] [fd00::1] [fe80::1] [::ffff:a00:1] localhost nas minio.lan printer.local db.internal`;

it.each(PRIVATE.split(/\s+/))('%s is a private host', (host) => {
	expect(isPrivateHost(host)).toBe(true);
});

/** The first and the last address of each range that no public host has. */
const RANGES = `0.0.0.0-0.255.255.255 10.0.0.0-10.255.255.255 100.64.0.0-100.127.255.255
	127.0.0.0-127.255.255.255 169.254.0.0-169.254.255.255 172.16.0.0-172.31.255.255
	192.0.0.0-192.0.0.255 192.168.0.0-192.168.255.255 198.18.0.0-198.19.255.255 224.0.0.0-255.255.255.255`;

const numberOf = (address: string) =>
	address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

const addressOf = (number: number) =>
	[24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');

it.each(RANGES.split(/\s+/).map((range) => range.split('-')))(
	'%s to %s are private, and their neighbors are not',
	(first, last) => {
		const [from, to] = [numberOf(first), numberOf(last)];
		const middle = Math.floor((from + to) / 2);
		expect([from, middle, to].map(addressOf).filter((host) => !isPrivateHost(host))).toEqual([]);
		const neighbors = [from - 1, to + 1].filter((one) => one > 0 && one < 2 ** 32);
		expect(neighbors.map(addressOf).filter(isPrivateHost)).toEqual([]);
	},
);

it.each([
	'8.8.8.8',
	'100.128.0.1',
	'172.32.0.1',
	'192.0.2.1',
	'[2606:4700::1111]',
	'a.example',
	'fd.example',
])('%s is a public host', (host) => {
	expect(isPrivateHost(host)).toBe(false);
});

describe('a download link', () => {
	/** Sends `/hop/N?sig=…` to `/hop/N-1`, and `/hop/0` to nowhere. */
	const hops = (atTheEnd: { status: number; body: string }) => {
		service.answer =
			({ path }) =>
			(response) => {
				const left = Number(/\/hop\/(\d+)/.exec(path)?.[1]);
				if (left === 0) return void response.writeHead(atTheEnd.status).end(atTheEnd.body);
				response.writeHead(302, { Location: `/hop/${left - 1}?sig=signature-${left - 1}` });
				response.end('moved');
			};
	};
	const open = async (count: number) => {
		let ended: unknown;
		await service.withTransport(async (transport) => {
			const opened = await transport.open(`${service.url}/hop/${count}?sig=signature-${count}`);
			if (!opened.ok) return void (ended = opened.failure);
			const chunks: Buffer[] = [];
			for await (const chunk of opened.value.content) chunks.push(chunk as Buffer);
			opened.value.close();
			ended = Buffer.concat(chunks).toString();
		});
		return ended;
	};

	it.each([1, 5])('is followed over %d redirects, without the key', async (count) => {
		hops({ status: 200, body: 'sound' });
		expect(await open(count)).toBe('sound');
		expect(service.seen).toHaveLength(count + 1);
		expect(JSON.stringify(service.seen.map(({ headers }) => headers))).not.toContain(
			service.apiKey,
		);
	});

	it('is given up at the sixth redirect', async () => {
		hops({ status: 200, body: 'sound' });
		expect(await open(6)).toMatchObject({ kind: 'redirect', status: 302 });
		expect(service.seen).toHaveLength(6);
	});

	it('hides the query of each redirect in its error', async () => {
		hops({ status: 403, body: 'bad signature-0 after signature-1 and signature-2' });
		expect(await open(2)).toMatchObject({
			kind: 'status',
			status: 403,
			said: 'bad (hidden) after (hidden) and (hidden)',
		});
	});
});
