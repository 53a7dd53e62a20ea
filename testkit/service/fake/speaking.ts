import { isFinalStatus } from '../../../api/contract';
import {
	type Reply,
	type Script,
	type ScriptedService,
	type SeenRequest,
	startScriptedService,
} from './scriptedService';
import { type Forwardable, type ServiceAnswer, forward } from './forward';
import { type Dialect, DIALECTS, type DialectRules, type EditBody } from './dialects';

const EDIT = /^\/v2\/edits\/([^/?]+)$/;
const CREATION = /^\/v2\/(edits|noise)$/;

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
		const ownUrl = `http://${request.headers.host}`;
		const answer = await forward(serviceUrl, withInput(request, rules), {
			toClient: (text) => text.replaceAll(serviceUrl, ownUrl),
			toService: (text) => text.replaceAll(ownUrl, serviceUrl),
		});
		return replyOf({
			...answer,
			body:
				limitFor(rules, answer) ?? accountFor(rules, request, answer) ?? editFor(request, answer),
		});
	};
}

function replyOf({ status, headers, body }: ServiceAnswer): Reply {
	return (response) =>
		response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
}

function withInput(request: SeenRequest, rules: readonly DialectRules[]): Forwardable {
	const isMeant = request.method === 'POST' && CREATION.test(request.path);
	const isKept = !rules.some(({ config, input }) => config ?? input);
	if (!isMeant || isKept) return { ...request, body: request.bytes };
	const { input: said } = JSON.parse(request.body) as {
		input: { config: Record<string, unknown> };
	};
	const config = rules.reduce((meant, rule) => rule.config?.(meant) ?? meant, said.config);
	const whole: Record<string, unknown> = { ...said, config };
	const input = rules.reduce((meant, rule) => rule.input?.(meant) ?? meant, whole);
	return { ...request, body: Buffer.from(JSON.stringify({ input })) };
}

function accountFor(
	rules: readonly DialectRules[],
	{ method, path }: SeenRequest,
	{ status, body }: ServiceAnswer,
) {
	const account = rules.find((rule) => rule.account)?.account;
	if (!account || method !== 'GET' || path !== '/v1/account' || status !== 200) return undefined;
	return Buffer.from(
		JSON.stringify(account(JSON.parse(body.toString()) as Record<string, unknown>)),
	);
}

function limitFor(rules: readonly DialectRules[], { status, body }: ServiceAnswer) {
	const limit = rules.find((rule) => rule.limit)?.limit;
	if (status !== 429 || !limit) return undefined;
	const { error } = JSON.parse(body.toString()) as { error: { message: string } };
	return Buffer.from(JSON.stringify(limit(error.message)));
}

/** Returns a function that rewrites the body of an edit. */
function editRewriter(rules: readonly DialectRules[]) {
	/** The edits that exist, with the key that each belongs to. An unknown ID reads PENDING in all dialects. */
	const keys = new Map<string, unknown>();
	/** How often each finished edit was read. */
	const reads = new Map<string, number>();
	return ({ method, path, headers }: SeenRequest, { status, body }: ServiceAnswer): Buffer => {
		if (status !== 200) return body;
		const key = headers['x-api-key'];
		if (method === 'POST' && CREATION.test(path)) {
			keys.set((JSON.parse(body.toString()) as { id: string }).id, key);
		}
		const [, editId] = EDIT.exec(path) ?? [];
		if (method !== 'GET' || !keys.has(editId) || keys.get(editId) !== key) return body;
		const edit = JSON.parse(body.toString()) as EditBody;
		const count = (reads.get(editId) ?? 0) + (isFinalStatus(edit.status) ? 1 : 0);
		reads.set(editId, count);
		const rewritten = rules.reduce((made, rule) => rule.edit?.(made, count) ?? made, edit);
		return Buffer.from(JSON.stringify(rewritten));
	};
}
