import { hashOf, unsigned } from '../../../nodes/shared/skip/identity';

const isSame = (one: string, other: string) => unsigned(one) === unsigned(other);

const AMZ = (value: string) =>
	['Algorithm', 'Credential', 'Date', 'Expires', 'Security-Token', 'SignedHeaders', 'Signature']
		.map((name) => `X-Amz-${name}=${value}`)
		.join('&');

describe('a link that its storage has signed again is the same recording', () => {
	it.each<[string, (value: string) => string]>([
		['S3', (v) => `https://b.s3.amazonaws.com/a.wav?${AMZ(v)}`],
		['a storage like S3', (v) => `https://minio.example.com/b/a.wav?${AMZ(v)}`],
		['S3, in lower case', (v) => `https://b.example.com/a.wav?${AMZ(v).toLowerCase()}`],
		[
			'S3, version 2',
			(v) => `https://b.example.com/a.wav?AWSAccessKeyId=${v}&Expires=${v}&Signature=${v}`,
		],
		['Google', (v) => `https://storage.googleapis.com/b/a.wav?${AMZ(v).replaceAll('Amz', 'Goog')}`],
		[
			'Google, version 2',
			(v) => `https://x.example.com/a?GoogleAccessId=${v}&Expires=${v}&Signature=${v}`,
		],
		[
			'Azure',
			(v) =>
				`https://x.blob.core.windows.net/c/a.wav?sv=${v}&se=${v}&sr=b&sp=r&skoid=${v}&sig=${v}`,
		],
		['Azure, with a policy', (v) => `https://x.example.com/c/a.wav?sv=${v}&si=read&sig=${v}`],
		[
			'CloudFront',
			(v) => `https://cdn.example.com/a.wav?Expires=${v}&Signature=${v}&Key-Pair-Id=${v}`,
		],
		[
			'CloudFront, with a policy',
			(v) => `https://cdn.example.com/a?Policy=${v}&Signature=${v}&Key-Pair-Id=K`,
		],
		['Discord', (v) => `https://cdn.discordapp.com/attachments/1/2/a.ogg?ex=${v}&is=${v}&hm=${v}&`],
		['Zoom', (v) => `https://us02web.zoom.us/rec/webhook_download/abc?access_token=${v}`],
		[
			'Google Drive',
			(v) => `https://www.googleapis.com/drive/v3/files/1?alt=media&access_token=${v}`,
		],
		[
			'Firebase',
			(v) => `https://firebasestorage.googleapis.com/v0/b/x/o/a.wav?alt=media&token=${v}`,
		],
		['GitHub', (v) => `https://raw.githubusercontent.com/o/r/main/a.wav?token=${v}`],
		[
			'SharePoint',
			(v) => `https://x.sharepoint.com/_layouts/15/download.aspx?UniqueId=1&tempauth=${v}`,
		],
	])('%s', (_storage, link) => {
		expect(isSame(link('1'), link('2'))).toBe(true);
		// What is not part of the signature still counts.
		const versioned = (value: string) => link('1').replace('?', `?versionId=${value}&`);
		expect(isSame(versioned('1'), versioned('2'))).toBe(false);
		expect(isSame(link('1'), link('1').replace(/\/[^/]*\?/, '/other?'))).toBe(false);
	});
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

	it.each(['https://evildiscordapp.com', 'https://zoom.us.example.com', 'https://googleapis.com'])(
		'that only looks like one of a known host: %s',
		(origin) => {
			const link = (v: string) => `${origin}/a?ex=${v}&is=${v}&hm=${v}&access_token=${v}`;
			expect(isSame(link('A'), link('B'))).toBe(false);
		},
	);
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

describe('a name that is only like that of a signature says which recording it is', () => {
	const V4 = ['x-amz-signature', 'x-amz-date', 'x-amz-credential', 'x-amz-signedheaders'];
	const AZURE = ['sig', 'sv', 'se', 'spr', 'skoid', 'scid'];
	const signatures: Array<[host: string, names: string[]]> = [
		['s3.example.com', V4],
		['s3.example.com', ['X-Goog-Signature', 'x-goog-expires', 'x-oss-additional-headers']],
		['s3.example.com', ['AWSAccessKeyId', 'Signature', 'Expires', 'x-amz-security-token']],
		['s3.example.com', ['OSSAccessKeyId', 'Signature', 'Expires', 'security-token']],
		['storage.example.com', ['GoogleAccessId', 'Signature', 'Expires']],
		['cdn.example.com', ['Key-Pair-Id', 'Signature', 'Policy', 'Hash-Algorithm']],
		['cdn.example.com', ['Key-Pair-Id', 'Signature', 'Expires']],
		['blob.example.com', AZURE],
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

	it.each(signatures)('%s %j', (host, names) => {
		expect(isAlike(host, names)).toBe(true);
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

	it.each(signatures.slice(8))('%s on hosts with a name like it', (host, names) => {
		const others = [`z${host}`, `${host}.example`, host.slice(0, -1), host.replace('.', 'x')];
		for (const other of others) {
			const isOnSubdomain = /\.(discordapp\.(com|net)|zoom\.us|sharepoint\.com)$/.test(other);
			expect([other, isAlike(other, names)]).toEqual([other, isOnSubdomain]);
		}
	});
});

it('the order of keys does not change a hash, the order of a list does', () => {
	expect(hashOf({ a: 1, b: { c: 1, d: 2 } })).toBe(hashOf({ b: { d: 2, c: 1 }, a: 1 }));
	expect(hashOf([1, 2])).not.toBe(hashOf([2, 1]));
	expect(hashOf({ a: [1] })).not.toBe(hashOf({ a: { 0: 1 } }));
});
