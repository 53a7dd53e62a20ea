import type { ICredentialDataDecryptedObject, IDataObject, IRun } from 'n8n-workflow';

import { systemTime } from '../../../testkit/time/leapingTime';
import { itemsOf, storeFile } from '../../../testkit/n8n/n8nEngine';
import type { Answer, SeenRequest } from '../../../testkit/service/fake/scriptedService';
import { busiestMinute } from '../../../testkit/service/fake/simulatedService';
import { urlItem } from '../../../testkit/service/recordingService';
import { accept, runOne, useService } from '../../../testkit/service/useService';
import { chain, credentialFor, type NodeSpec, runChain } from '../../../testkit/n8n/workflows';

/*
 * The rate limits, from the node to the wire: real nodes in n8n's engine against a real server, on a
 * virtual clock. Every execution has its own key unless a test shares one.
 */

const MINUTE_MS = 60_000;

interface Arrival extends SeenRequest {
	readonly atMs: number;
}

let arrivals: Arrival[] = [];
let answer: (request: SeenRequest, number: number) => Answer;
let keys = 0;

const service = useService((request) => {
	arrivals.push({ ...request, atMs: systemTime.now() });
	return answer(request, arrivals.length);
});

beforeEach(() => {
	arrivals = [];
	answer = accept;
});

const newKey = () => `key-of-test-${++keys}`;

interface Execution extends NodeSpec {
	readonly key: string;
	readonly items: number;
	/** What each item has besides. */
	readonly json?: IDataObject;
	readonly plan?: IDataObject;
}

/** Starts an execution of one node with this many items. */
async function execute({ key, items, json, plan, ...spec }: Execution): Promise<IRun> {
	const access = { url: service.url, apiKey: key };
	const data = await storeFile(Buffer.from('RIFF'), 'talk.wav', 'audio/wav');
	const given = Array.from({ length: items }, (_, index) => ({
		json: {
			fileUrl: `https://files.example.com/${index}.wav`,
			editId: `${key}-${index}`,
			...json,
		},
		binary: { data },
	}));
	const values = { ...credentialFor(access), ...plan } as ICredentialDataDecryptedObject;
	const credentials = { audioEditingApi: values };
	const run = await runChain(access, chain(spec), given, { credentials });
	expect(run.data.resultData.error).toBeUndefined();
	expect(itemsOf(run, spec.type)).toHaveLength(items);
	return run;
}

const SUBMISSION = /^POST \/v2\/(edits|noise|upload)/;
const STATUS_CALL = /^GET \/v2\/edits\//;

const timesOf = (pattern: RegExp) =>
	arrivals.filter(({ method, path }) => pattern.test(`${method} ${path}`)).map(({ atMs }) => atMs);

/** Returns the minutes from the first request of a kind to the last. */
function minutesOf(pattern: RegExp): number {
	const times = timesOf(pattern);
	return (Math.max(...times) - Math.min(...times)) / MINUTE_MS;
}

describe('submissions in a minute', () => {
	it.each<[string, IDataObject | undefined, number]>([
		['standard', undefined, 30],
		['enterprise', { plan: 'enterprise' }, 100],
	])('%s', async (_plan, plan, limit) => {
		const items = 3 * limit;
		await execute({ type: 'createEdit', key: newKey(), items, plan });
		expect(timesOf(SUBMISSION)).toHaveLength(items);
		expect(busiestMinute(timesOf(SUBMISSION))).toBe(limit);
		// A burst of the limit, then two windows for the rest.
		expect(minutesOf(SUBMISSION)).toBeCloseTo(2, 0);
	});

	it('say in the log when the next one leaves', async () => {
		const items = Array.from({ length: 31 }, (_, index) => urlItem(`${index}.wav`));
		const access = { url: service.url, apiKey: newKey() };
		const { log } = await runOne(access, 'createEdit', {}, items);
		expect(log.join('\n')).toMatch(
			/30 of 31 edits submitted after 0 s, about 1 min left, the next in 6\d s \(rate limit of the API key\)/,
		);
	});

	it('counts the uploads and the edits of two executions together', async () => {
		const key = newKey();
		const uploads = execute({ type: 'upload', key, items: 30 });
		const edits = execute({ type: 'createEdit', key, items: 30 });
		await Promise.all([uploads, edits]);
		expect(timesOf(SUBMISSION)).toHaveLength(60);
		expect(busiestMinute(timesOf(SUBMISSION))).toBe(30);
	});

	it('pauses every execution of the key after a 429, and continues more slowly', async () => {
		const key = newKey();
		const limited = { status: 429, headers: { 'Retry-After': '40' } };
		answer = (request, number) => (number === 20 ? limited : accept(request, number));
		const first = execute({ type: 'createEdit', key, items: 40 });
		const second = execute({ type: 'createEdit', key, items: 40 });
		await Promise.all([first, second]);
		const times = timesOf(SUBMISSION);
		expect(times).toHaveLength(81);
		const refusedAtMs = times[19];
		// The other execution's request may have been under way already.
		const inPause = times.slice(21).filter((at) => at < refusedAtMs + 40_000);
		expect(inPause).toEqual([]);
		const afterwards = times.filter((at) => at >= refusedAtMs + 40_000);
		const inNextMinute = afterwards.filter((at) => at < refusedAtMs + 40_000 + MINUTE_MS);
		expect(inNextMinute.length).toBeLessThanOrEqual(15);
	});
});

describe('status calls in a minute', () => {
	const running = (untilNumber: number) => (request: SeenRequest, number: number) =>
		number <= untilNumber ? { body: { task_id: 'x', status: 'EDITING' } } : accept(request, number);

	it('are at most 300 for Audio Editing and Wait For Edit together', async () => {
		const key = newKey();
		answer = (request, number) => {
			const isStatusCall = request.method === 'GET';
			return isStatusCall ? running(1_500)(request, number) : accept(request, number);
		};
		const parameters = { recordingFrom: 'url', download: [] };
		const edits = execute({ type: 'audioEditing', key, items: 30, parameters });
		await Promise.all([edits, execute({ type: 'waitForEdit', key, items: 120 })]);
		expect(busiestMinute(timesOf(STATUS_CALL))).toBeLessThanOrEqual(300);
		expect(busiestMinute(timesOf(STATUS_CALL))).toBeGreaterThan(290);
	});
});
