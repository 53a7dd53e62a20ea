import type { EditConfig } from '../../../api/contract';
import { recordingRequestOf } from '../../../nodes/core/submit/prepareEdit';
import { hashOf, unsigned } from '../../../nodes/core/ledger/identity';

const isSame = (one: string, other: string) => unsigned(one) === unsigned(other);

/** The names of a signature, and a host where they are one. */
type Signature = readonly [host: string, names: readonly string[]];

const AMZ = `Algorithm Credential Date Expires Security-Token SignedHeaders Signature`
	.split(' ')
	.map((name) => `X-Amz-${name}`);

const ON_ANY_HOST: readonly Signature[] = [
	['b.s3.amazonaws.com', AMZ],
	['minio.example.com', AMZ.map((name) => name.toLowerCase())],
	['storage.googleapis.com', AMZ.map((name) => name.replace('Amz', 'Goog'))],
	['s3.example.com', ['X-Goog-Signature', 'x-goog-expires', 'x-oss-additional-headers']],
	['s3.example.com', ['AWSAccessKeyId', 'Signature', 'Expires', 'x-amz-security-token']],
	['s3.example.com', ['OSSAccessKeyId', 'Signature', 'Expires', 'security-token']],
	['storage.example.com', ['GoogleAccessId', 'Signature', 'Expires']],
	['cdn.example.com', ['Key-Pair-Id', 'Signature', 'Policy', 'Hash-Algorithm']],
	['cdn.example.com', ['Key-Pair-Id', 'Signature', 'Expires']],
	['x.blob.core.windows.net', ['sig', 'sv', 'se', 'sr', 'sp', 'spr', 'skoid', 'scid']],
	['blob.example.com', ['sv', 'si', 'sig']],
];

const ON_KNOWN_HOSTS: readonly Signature[] = [
	['cdn.discordapp.com', ['ex', 'is', 'hm']],
	['media.discordapp.net', ['hm']],
	['us02web.zoom.us', ['access_token']],
	['zoom.us', ['access_token']],
	['www.googleapis.com', ['access_token']],
	['firebasestorage.googleapis.com', ['token']],
	['raw.githubusercontent.com', ['token']],
	['a.sharepoint.com', ['tempauth']],
	['discordapp.com', ['ex']],
	['sharepoint.com', ['tempauth']],
];

const linkOf = (host: string, names: readonly string[], value: string) =>
	`https://${host}/a.wav?${names.map((name) => `${name}=${value}`).join('&')}`;
const isAlike = (host: string, names: readonly string[]) =>
	isSame(linkOf(host, names, '1'), linkOf(host, names, '2'));

describe.each([...ON_ANY_HOST, ...ON_KNOWN_HOSTS])('a link of %s signed with %j', (host, names) => {
	it('is the same recording when its storage has signed it again', () => {
		expect(isAlike(host, names)).toBe(true);
		// What is not part of the signature still counts.
		const link = linkOf(host, names, '1');
		expect(isSame(`${link}&versionId=1`, `${link}&versionId=2`)).toBe(false);
		expect(isSame(link, link.replace('/a.wav', '/other.wav'))).toBe(false);
	});

	it('is another recording if a name is only like that of a signature', () => {
		for (const [index, name] of names.entries()) {
			for (const other of [`z${name}`, `${name}z`]) {
				expect([other, isAlike(host, names.with(index, other))]).toEqual([other, false]);
				// Without a name that makes a signature, its other parts are no signature.
				const rest = names.filter((one) => one !== name);
				const [one, two] = ['1', '2'].map((value) => `${linkOf(host, rest, value)}&${other}=9`);
				if (rest.length > 0)
					expect([other, isSame(one, two)]).toEqual([other, isAlike(host, rest)]);
			}
		}
	});
});

it.each(ON_KNOWN_HOSTS)('%s %j make no signature on hosts with a name like it', (host, names) => {
	const others = [`z${host}`, `${host}.example`, host.slice(0, -1), host.replace('.', 'x')];
	for (const other of [...others, 'googleapis.com']) {
		const isOnSubdomain = /\.(discordapp\.(com|net)|zoom\.us|sharepoint\.com)$/.test(other);
		expect([other, isAlike(other, names)]).toEqual([other, isOnSubdomain]);
	}
});

describe('another link is another recording', () => {
	const NAMES = `token access_token tempauth policy signature sig expires ex hm sv se id Key-Pair-Id AWSAccessKeyId
		X-Amz-Meta-Id X-Amz-Date`;

	it.each(NAMES.split(/\s+/))('that differs in %s alone', (name) => {
		const link = (value: string) => `https://files.example.com/download?${name}=${value}`;
		expect(isSame(link('A'), link('B'))).toBe(false);
	});

	it.each([
		['an incomplete signature', 'Expires=1&Signature='],
		['half of an Azure signature', 'se=1&sp=r&sig='],
		["Discord's names on another host", 'ex=1&is=1&hm='],
	])('that differs in %s', (_what, query) => {
		const link = (value: string) => `https://files.example.com/download?${query}${value}`;
		expect(isSame(link('A'), link('B'))).toBe(false);
	});
});

it('leaves a link without a signature as it is', () => {
	const link = 'https://files.example.com/a%20b.wav?name=a%20b&x=+1&empty=';
	expect(unsigned(link)).toBe(link);
});

it('compares a link of 100,000 parameters quickly enough to be read in a test', () => {
	const many = Array.from({ length: 100_000 }, (_, index) => `X-aMz-Date=${index}`).join('&');
	const link = `https://files.example.com/a.wav?X-Amz-Signature=1&${many}`;
	expect(unsigned(link)).toBe('https://files.example.com/a.wav');
});

it('the order of keys does not change a hash, the order of a list does', () => {
	expect(hashOf({ a: 1, b: { c: 1, d: 2 } })).toBe(hashOf({ b: { d: 2, c: 1 }, a: 1 }));
	expect(hashOf([1, 2])).not.toBe(hashOf([2, 1]));
	expect(hashOf({ a: [1] })).not.toBe(hashOf({ a: { 0: 1 } }));
});

it('what is asked for a recording is the same with another signature, and another with other settings', () => {
	const request = (config: EditConfig, templateId?: number) =>
		recordingRequestOf({
			config,
			templateId,
			additional: { sent: {}, shown: {}, hints: [] },
			videos: [],
			isJson: false,
		});
	const signed = (signature: string) => `https://bucket.example.com/out.wav?sig=${signature}`;
	const asked = hashOf(request({ fillers: true, signed_url: signed('a') }));
	expect(hashOf(request({ fillers: true, signed_url: signed('b') }))).toBe(asked);
	expect(hashOf(request({ fillers: false }))).not.toBe(asked);
	expect(hashOf(request({ fillers: true }, 12))).not.toBe(asked);
});
