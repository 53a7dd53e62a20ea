import { isFinalStatus } from '../../../api/contract';
import {
	type Reply,
	type Script,
	type ScriptedService,
	type SeenRequest,
	startScriptedService,
} from './scriptedService';
import { type Dialect, DIALECTS, type DialectRules, type EditBody } from './dialects';

/** A complete response of the real service. */
interface Forwarded {
	readonly status: number;
	readonly headers: Record<string, string>;
	readonly bytes: Buffer;
}

/** A request as it is passed on. */
type Forwardable = Pick<SeenRequest, 'method' | 'path' | 'headers' | 'bytes'>;

const EDIT = /^\/v2\/edits\/([^/?]+)$/;
const CREATION = /^\/v2\/(edits|noise)$/;

/** What concerns one connection, not the request or the response. */
const OF_CONNECTIONS = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];

/** Starts a fake that passes requests on to a real service, and lets it answer in dialects. */
export async function startSpeaking(
	dialects: readonly Dialect[],
	serviceUrl: string,
): Promise<ScriptedService> {
	return await startScriptedService(speaking(dialects, serviceUrl));
}

function speaking(dialects: readonly Dialect[], serviceUrl: string): Script {
	const rules = dialects.map((dialect): DialectRules => DIALECTS[dialect]);
	const editFor = editRewriter(rules);
	return async (request) => {
		for (const { refusal } of rules) {
			const refused = refusal?.(request);
			if (refused) return refused;
		}
		const answer = await forward(serviceUrl, withConfig(request, rules));
		return replyOf({ ...answer, bytes: limitFor(rules, answer) ?? editFor(request, answer) });
	};
}

/** Passes a request on to a service, and returns its complete response, with links to the fake. */
async function forward(serviceUrl: string, request: Forwardable): Promise<Forwarded> {
	const { method, path, headers, bytes } = request;
	const ownUrl = `http://${headers.host}`;
	const sent = inJson(headers['content-type'], bytes, [ownUrl, serviceUrl]);
	const answer = await fetch(serviceUrl + path, {
		method,
		headers: kept(Object.entries(headers)),
		body: sent.length > 0 ? new Uint8Array(sent) : undefined,
		redirect: 'manual',
	});
	const type = answer.headers.get('content-type') ?? '';
	const content = Buffer.from(await answer.arrayBuffer());
	return {
		status: answer.status,
		headers: kept(answer.headers),
		bytes: inJson(type, content, [serviceUrl, ownUrl]),
	};
}

/** Replaces a URL in a body of JSON. */
function inJson(type = '', body: Buffer, [from, to]: readonly [string, string]): Buffer {
	return type.includes('json') ? Buffer.from(body.toString().replaceAll(from, to)) : body;
}

function kept(headers: Iterable<[string, unknown]>): Record<string, string> {
	const passedOn = [...headers].filter(([name]) => !OF_CONNECTIONS.includes(name));
	return Object.fromEntries(passedOn.map(([name, value]) => [name, String(value)]));
}

function replyOf({ status, headers, bytes }: Forwarded): Reply {
	return (response) =>
		response.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes);
}

function withConfig(request: SeenRequest, rules: readonly DialectRules[]): Forwardable {
	const isMeant = request.method === 'POST' && CREATION.test(request.path);
	if (!isMeant || !rules.some(({ config }) => config)) return request;
	const { input } = JSON.parse(request.body) as { input: { config: Record<string, unknown> } };
	const config = rules.reduce((meant, rule) => rule.config?.(meant) ?? meant, input.config);
	return { ...request, bytes: Buffer.from(JSON.stringify({ input: { ...input, config } })) };
}

function limitFor(rules: readonly DialectRules[], { status, bytes }: Forwarded) {
	const limit = rules.find((rule) => rule.limit)?.limit;
	if (status !== 429 || !limit) return undefined;
	const { error } = JSON.parse(bytes.toString()) as { error: { message: string } };
	return Buffer.from(JSON.stringify(limit(error.message)));
}

/** Returns a function that rewrites the body of an edit. */
function editRewriter(rules: readonly DialectRules[]) {
	/** The edits that exist, with the key that each belongs to. An unknown ID reads PENDING in all dialects. */
	const keys = new Map<string, unknown>();
	/** How often each finished edit was read. */
	const reads = new Map<string, number>();
	return ({ method, path, headers }: SeenRequest, { status, bytes }: Forwarded): Buffer => {
		if (status !== 200) return bytes;
		const key = headers['x-api-key'];
		if (method === 'POST' && CREATION.test(path)) {
			keys.set((JSON.parse(bytes.toString()) as { id: string }).id, key);
		}
		const [, editId] = EDIT.exec(path) ?? [];
		if (method !== 'GET' || !keys.has(editId) || keys.get(editId) !== key) return bytes;
		const body = JSON.parse(bytes.toString()) as EditBody;
		const count = (reads.get(editId) ?? 0) + (isFinalStatus(body.status) ? 1 : 0);
		reads.set(editId, count);
		const rewritten = rules.reduce((made, { edit }) => edit?.(made, count) ?? made, body);
		return Buffer.from(JSON.stringify(rewritten));
	};
}
