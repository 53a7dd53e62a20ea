import { createHash, createHmac } from 'node:crypto';

import type { Sandbox } from '../sandbox.mts';
import { type Asked, type Given, type StandIn, startStandIn } from './standIn.mts';

/** An object in the bucket. */
export interface StoredObject {
	readonly content: Buffer;
	readonly type: string;
}

/** Who may write to the bucket. */
export interface S3Account {
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	readonly region: string;
	readonly bucket: string;
}

const NOT_SIGNED = { status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' };

/**
 * A bucket on S3-compatible storage, addressed by path: takes files at pre-signed URLs and from n8n's
 * S3 node, and serves them to everybody under `/public/`. It checks the signature of URLs; of n8n's
 * own requests only whose they are.
 *
 * Sources: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html,
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 *
 * @param objects what the bucket contains, by key; changes with it
 */
export async function startS3(
	sandbox: Sandbox,
	account: S3Account,
	objects: Map<string, StoredObject>,
): Promise<StandIn> {
	return await startStandIn(sandbox, (asked) => {
		const { method, path, headers } = asked;
		if (path.startsWith('/public/')) return given(objects.get(path.slice('/public/'.length)));
		const own = `AWS4-HMAC-SHA256 Credential=${account.accessKeyId}/`;
		const isOwn = headers.authorization?.startsWith(own) === true;
		if (!isOwn && !isSigned(asked, account)) return NOT_SIGNED;
		if (asked.query.has('location')) return { body: '<LocationConstraint/>' };
		const key = path.slice(`/${account.bucket}/`.length);
		if (method === 'GET') return given(objects.get(key));
		const type = headers['content-type'] ?? 'binary/octet-stream';
		objects.set(key, { content: asked.body, type });
		return { body: '' };
	});
}

function given(object: StoredObject | undefined): Given {
	if (object === undefined) return { status: 404 };
	return { body: object.content, headers: { 'Content-Type': object.type } };
}

/** Whether a URL is signed for this request and still valid. */
function isSigned({ method, path, query, headers }: Asked, account: S3Account): boolean {
	const { accessKeyId, secretAccessKey, region } = account;
	const time = query.get('X-Amz-Date') ?? '';
	const day = time.slice(0, 8);
	const scope = [day, region, 's3', 'aws4_request'];
	const expected = ['PUT', 'host', `${accessKeyId}/${scope.join('/')}`];
	const found = [method, query.get('X-Amz-SignedHeaders'), query.get('X-Amz-Credential')];
	if (expected.join() !== found.join() || !isValid(time, Number(query.get('X-Amz-Expires')))) {
		return false;
	}
	const signed = [...query]
		.filter(([name]) => name !== 'X-Amz-Signature')
		.map((pair) => pair.map(encodeURIComponent).join('='))
		.sort()
		.join('&');
	const request = [method, path, signed, `host:${headers.host ?? ''}`, '', 'host'];
	const hash = createHash('sha256').update([...request, 'UNSIGNED-PAYLOAD'].join('\n'));
	const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), hash.digest('hex')].join('\n');
	const signingKey = scope.reduce<Buffer | string>(hmac, `AWS4${secretAccessKey}`);
	return hmac(signingKey, text).toString('hex') === query.get('X-Amz-Signature');
}

function hmac(key: Buffer | string, text: string): Buffer {
	return createHmac('sha256', key).update(text).digest();
}

/** Whether a URL of this time, such as 20260301T060000Z, is valid, and for at least the advised hour. */
function isValid(time: string, seconds: number): boolean {
	const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time)?.slice(1) ?? [];
	const [year, month, day, ...clock] = parts;
	const signedAtMs = Date.parse(`${year}-${month}-${day}T${clock.join(':')}Z`);
	return seconds >= 3_600 && seconds <= 604_800 && Date.now() < signedAtMs + seconds * 1_000;
}
