import { createHash, createHmac } from 'node:crypto';

import { type Asked, startStandIn } from '../standIn.mts';
import { settingsOf } from '../workflowFiles.mts';
import { type Publisher, inNodes } from './publisher.mts';

const SECRET_ACCESS_KEY = 'secret';

/** Who may write to the bucket. */
const ACCOUNT = { accessKeyId: 'OWN', region: 'eu-test-1', bucket: 'show' };

export const FEED =
	'<?xml version="1.0"?><rss version="2.0"><channel><title>Show</title><item><guid>1</guid></item></channel></rss>';

/**
 * Publishes in an own feed, with a link that is signed with this key. The bucket on S3-compatible storage
 * takes files at pre-signed URLs and from n8n's S3 node, and serves them to everybody under `/public/`. It
 * checks the signature of URLs; of n8n's own requests only whose they are.
 *
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 */
export async function publishInOwnFeed(publisher: Publisher, secretAccessKey = SECRET_ACCESS_KEY) {
	const { sandbox, editor } = publisher;
	const objects = new Map<string, Buffer>([['feed.xml', Buffer.from(FEED)]]);
	const endpoint = await startStandIn(sandbox, (asked) => {
		const { method, path, query, headers, body } = asked;
		const own = `AWS4-HMAC-SHA256 Credential=${ACCOUNT.accessKeyId}/`;
		const mayWrite = headers.authorization?.startsWith(own) === true || isSigned(asked);
		if (!path.startsWith('/public/') && !mayWrite) return { status: 403 };
		if (query.has('location')) return { body: '<LocationConstraint/>' };
		const key = path.slice(path.indexOf('/', 1) + 1);
		if (mayWrite && method === 'PUT') {
			objects.set(key, body);
			return { body: '' };
		}
		const content = objects.get(key);
		return content === undefined ? { status: 404 } : { body: content };
	});
	const publicUrl = `${endpoint}/public`;
	const stamp = "={{ $now.toUTC().toFormat(\"yyyyMMdd'T'HHmmss'Z'\") }}";
	const settings = settingsOf({ ...ACCOUNT, endpoint, publicUrl, stamp });
	const login = { ...ACCOUNT, secretAccessKey: SECRET_ACCESS_KEY };
	const data = { ...login, endpoint, forcePathStyle: true };
	const s3 = { s3: await editor.createCredential('S3', data, 's3') };
	const hmacSecret = `AWS4${secretAccessKey}`;
	const crypto = await editor.createCredential('Day', { hmacSecret }, 'crypto');
	const others = {
		'Signing key for today': { crypto },
		...inNodes(['Get the feed', 'Upload the files'], s3),
	};
	const execution = await publisher.publish('publish-own-feed.json', settings, others);
	return { objects, publicUrl, execution };
}

/**
 * Whether a URL is signed for this request, and valid for at least the advised hour.
 *
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
function isSigned({ method, path, query, headers }: Asked): boolean {
	const time = query.get('X-Amz-Date') ?? '';
	const scope = [time.slice(0, 8), ACCOUNT.region, 's3', 'aws4_request'];
	const expected = ['PUT', 'host', `${ACCOUNT.accessKeyId}/${scope.join('/')}`];
	const found = [method, query.get('X-Amz-SignedHeaders'), query.get('X-Amz-Credential')];
	const iso = time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:');
	const ageSeconds = (Date.now() - Date.parse(iso)) / 1_000;
	const validSeconds = Number(query.get('X-Amz-Expires'));
	const isValid = validSeconds >= 3_600 && validSeconds <= 604_800 && ageSeconds < validSeconds;
	if (expected.join() !== found.join() || !isValid) return false;
	const signed = [...query]
		.filter(([name]) => name !== 'X-Amz-Signature')
		.map((pair) => pair.map(encodeURIComponent).join('='))
		.sort()
		.join('&');
	const request = [method, path, signed, `host:${headers.host ?? ''}`, '', 'host'];
	const hash = createHash('sha256').update([...request, 'UNSIGNED-PAYLOAD'].join('\n'));
	const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), hash.digest('hex')].join('\n');
	const hmac = (key: Buffer | string, part: string) =>
		createHmac('sha256', key).update(part).digest();
	const signingKey = scope.reduce<Buffer | string>(hmac, `AWS4${SECRET_ACCESS_KEY}`);
	return hmac(signingKey, text).toString('hex') === query.get('X-Amz-Signature');
}
