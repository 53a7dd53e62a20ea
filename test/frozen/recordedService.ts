import { fullResult } from '../support/fullResult';
import { systemTime } from '../support/leapingTime';
import {
	type Answer,
	type ScriptedService,
	type SeenRequest,
	startScriptedService,
} from '../support/scriptedService';

/** A request to compare: its content, its time, and whether it carried the key. */
export interface RecordedRequest {
	/** Time since the workflow started, on the nodes' clock. */
	readonly atSeconds: number;
	readonly request: string;
	readonly hasKey: boolean;
	readonly contentType?: string;
	/** JSON as sent; for a file only its size. */
	readonly body?: unknown;
}

/** A service that always answers the same and records its requests. */
export interface RecordedService extends Pick<ScriptedService, 'url' | 'apiKey' | 'stop'> {
	/** Returns the requests since the last call, in order of arrival. */
	takeRequests(): RecordedRequest[];
}

/** The statuses of every edit, one per poll; `finished` is finished, `endless` never is. */
const STATUSES = ['PENDING', 'EDITING', 'EXPORT', 'SUCCESS'];

const TASK = {
	id: 'task-1',
	created_at: '2025-12-31T23:00:00Z',
	status: 'SUCCESS',
	results: {},
	length_audio: 60,
};

/** Starts the service. */
export async function startRecordedService(): Promise<RecordedService> {
	let startedAtMs = systemTime.now();
	let recorded: RecordedRequest[] = [];
	let files = 0;
	const service: ScriptedService = await startScriptedService((request, number) => {
		const atSeconds = Math.round((systemTime.now() - startedAtMs) / 1_000);
		recorded.push({ atSeconds, ...asCompared(request, service) });
		return answerTo(request, number, service.url);
	});

	function answerTo({ method, path }: SeenRequest, number: number, url: string): Answer {
		const [, edit] = /^\/v2\/edits\/([^/?]+)$/.exec(path) ?? [];
		if (path.startsWith('/v2/upload')) {
			return { body: { signedUrl: `${url}/up/file-${++files}.wav?signature=put-secret` } };
		}
		if (edit !== undefined && method === 'GET') return editAnswer(edit, number, url);
		if (method === 'DELETE') return { body: { deleted: true } };
		switch (path) {
			case '/v2/edits':
			case '/v2/noise':
				return { body: { id: `${path.slice('/v2/'.length)}-${number}` } };
			case '/v1/account':
				return { body: { credit: { total: 10, subscription: 6, payg: 4 }, meta: {} } };
			case '/v2/configurations':
				return { body: { configurations: [{ id: 12, name: 'Podcast', upload_type: 'any' }] } };
			case '/v2/configuration/12':
				return { body: { id: 12, name: 'Podcast', upload_type: 'any', settings: {} } };
			case '/v2/completed_tasks/12':
				return { body: { tasks: [TASK] } };
			default:
				// Links, /ping and /health.
				return { body: 'RIFF', headers: { 'Content-Type': 'audio/wav' } };
		}
	}

	return {
		url: service.url,
		apiKey: service.apiKey,
		stop: async () => await service.stop(),
		takeRequests: () => {
			const taken = recorded;
			recorded = [];
			service.seen.length = 0;
			files = 0;
			startedAtMs = systemTime.now();
			return taken;
		},
	};
}

function editAnswer(id: string, number: number, url: string): Answer {
	const known: Readonly<Record<string, string>> = { finished: 'SUCCESS', endless: 'EDITING' };
	const status = known[id] ?? STATUSES[Math.min(number, STATUSES.length) - 1];
	const result = status === 'SUCCESS' ? { result: fullResult(url) } : {};
	return { body: { task_id: id, status, ...result } };
}

function asCompared(
	{ method, path, headers, body }: SeenRequest,
	{ url, apiKey }: ScriptedService,
): Omit<RecordedRequest, 'atSeconds'> {
	const contentType = headers['content-type'];
	const isJson = contentType === 'application/json';
	// n8n signs the address of an execution with a key that it creates for each test run, and each delivery
	// has its own key.
	const said = body
		.replaceAll(url, '{service}')
		.replace(/signature=[0-9a-f]{64}/g, 'signature=n8n')
		.replace(/delivery=[0-9a-f-]{36}/g, 'delivery=key');
	return {
		request: `${method} ${path}`,
		hasKey: String(headers['x-api-key']).startsWith(apiKey),
		...(contentType !== undefined && { contentType }),
		...(body !== '' && { body: isJson ? (JSON.parse(said) as unknown) : `${body.length} bytes` }),
	};
}
